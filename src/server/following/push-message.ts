import { SourceError } from '#server/kit/ports.ts'
import { AddressRefused } from '#server/submissions/ports.ts'
import { type PushCourier } from './ports.ts'
import { type PushKeys } from './push-keys.ts'

/** After this a browser that is off need not hear of it any more. */
const KEPT_SECONDS = 3 * 86_400
const MOST_BYTES = 3_000
const LONGEST_TITLE = 150
const LONGEST_TEXT = 300

/** Who gets it: a browser, as it has subscribed. */
export type PushTo = { readonly address: string; readonly key: string; readonly auth: string }

export type PushNote = {
  readonly title: string
  readonly body: string
  /** What it opens, as a path. */
  readonly path: string
  /** One that comes twice replaces itself. */
  readonly tag: string
}

export type Pushes = ReturnType<typeof pushes>

/** Sends messages that only the browser can read (RFC 8291), signed with the keys of the site (RFC 8292). */
export function pushes({
  courier,
  keys,
  subject,
}: {
  /** Null where push messages are switched off. */
  courier: PushCourier | null
  keys: PushKeys
  /** Whom the push service may ask about the messages: a `mailto:` or an `https:` address. */
  subject: string
}) {
  return {
    /** What browsers subscribe with; null where they cannot. */
    publicKey: courier && keys.publicKey,
    isAllowed: (url: URL): boolean => courier?.isAllowed(url) ?? false,

    /**
     * @throws {AddressRefused} when the browser has ended the subscription, or its push service may not be called
     * @throws SourceError `busy` when it may take one later
     */
    async send(to: PushTo, note: PushNote, signal: AbortSignal): Promise<void> {
      if (!courier) throw new SourceError('down', 'Push messages are switched off.')
      const url = URL.parse(to.address)
      if (!url) throw new AddressRefused('The push service has no address.')
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint: url.href, keys: { p256dh: to.key, auth: to.auth } },
        textOf(note),
        {
          TTL: KEPT_SECONDS,
          topic: note.tag,
          contentEncoding: 'aes128gcm',
          vapidDetails: { subject, ...keys },
        },
      )
      const { 'Content-Length': _length, 'Content-Type': _type, ...rest } = headers
      const answer = await post(courier, url, rest, body, signal)
      const { status, waitMs } = answer
      if (status >= 200 && status < 300) return
      const said = `The push service answered ${String(status)}.`
      if (status === 404 || status === 410) throw new AddressRefused(said)
      // What else it refuses may be about us, such as our clock: where it stays so for days, the subscription ends.
      throw new SourceError('busy', said, waitMs)
    },
  }

  async function post(
    by: PushCourier,
    url: URL,
    headers: Record<string, string>,
    body: Uint8Array,
    signal: AbortSignal,
  ) {
    try {
      return await by.post(url, headers, body, signal)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (error.fault === 'refused') throw new AddressRefused(error.message)
      throw new SourceError('busy', error.message, error.waitMs)
    }
  }
}

function textOf({ title, body, path, tag }: PushNote): string {
  const cut = (text: string, most: number) =>
    text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
  const made = JSON.stringify({
    title: cut(title, LONGEST_TITLE),
    body: cut(body, LONGEST_TEXT),
    path,
    tag,
  })
  return Buffer.byteLength(made) <= MOST_BYTES
    ? made
    : JSON.stringify({ title: cut(title, LONGEST_TITLE), body: '', path: '/', tag })
}

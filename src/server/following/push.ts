import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { setFactOnce } from '#server/kit/facts.ts'
import { SourceError } from '#server/kit/failure.ts'
import { httpCaller } from '#server/kit/http-call.ts'
import { STRANGERS, type Reach } from '#server/kit/reach.ts'
import { AddressRefused } from '#server/submissions/mail.ts'

export type PushClient = ReturnType<typeof pushClient>

const ANSWER_WITHIN_MS = 15_000

/** Push services are named by browsers, hence by strangers: public https addresses only. */
export function pushClient(reach: Reach = STRANGERS, timeoutMs = ANSWER_WITHIN_MS) {
  const { status } = httpCaller('The push service', { reach, timeoutMs })
  return {
    isAllowed: (url: URL): boolean => reach.isAllowed(url),
    /** @throws SourceError `unsure` if it was connected and did not respond, another one if nothing was sent */
    post: async (
      url: URL,
      headers: Readonly<Record<string, string>>,
      bytes: Uint8Array,
      signal: AbortSignal,
    ) => {
      let isConnected = false
      try {
        return await status({
          method: 'POST',
          url,
          headers,
          body: { bytes, type: 'application/octet-stream' },
          signal,
          onConnected: () => (isConnected = true),
        })
      } catch (error) {
        if (!isConnected || !(error instanceof SourceError)) throw error
        throw new SourceError('unsure', error.message)
      }
    },
  }
}

const FACT = 'keys of web push'
const CURVE = 'prime256v1'

const Keys = z.object({ publicKey: z.string(), privateKey: z.string() })
/** VAPID key pair that identifies this site to push services (RFC 8292), base64url. */
type PushKeys = z.infer<typeof Keys>

/** Stored in the database: with new keys every subscription would be lost. */
export async function pushKeys(db: Db): Promise<PushKeys> {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys().toString('base64url')
  const made: PushKeys = {
    publicKey,
    // Small numbers have fewer than the required 32 bytes.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  }
  return Keys.parse(JSON.parse(await setFactOnce(db, FACT, JSON.stringify(made))))
}

/** Whether these can be a browser's keys: a point of the curve, and 16 bytes. */
export function areBrowserKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  // Compressed points have 33 bytes, which encryption does not support.
  if (point.length !== 65 || Buffer.from(auth, 'base64url').length !== 16) return false
  const pair = createECDH(CURVE)
  pair.generateKeys()
  try {
    return pair.computeSecret(point).length === 32
  } catch {
    return false
  }
}

/** Messages for an offline browser expire after this. */
const TTL_SECONDS = 3 * 86_400
const MOST_BYTES = 3_000
const LONGEST_TITLE = 150
const LONGEST_TEXT = 300

type PushTo = { readonly address: string; readonly key: string; readonly auth: string }

type PushNote = {
  readonly title: string
  readonly body: string
  readonly path: string
  /** A message replaces an earlier one with the same tag. */
  readonly tag: string
}

export type Pushes = ReturnType<typeof pushes>

/**
 * Sends messages encrypted for the browser (RFC 8291) and signed with the site's keys (RFC 8292).
 * @param subject contact for push services: a `mailto:` or `https:` address
 */
export function pushes(client: PushClient | null, keys: PushKeys, subject: string) {
  return {
    publicKey: client && keys.publicKey,
    isAllowed: (url: URL): boolean => client?.isAllowed(url) ?? false,

    /**
     * @param asking called before the request; nothing is sent if it fails, and its error is thrown
     * @throws AddressRefused when the subscription has ended
     * @throws SourceError `busy` if it may be accepted later, `unsure` if it may have been accepted
     */
    async send(to: PushTo, note: PushNote, signal: AbortSignal, asking: () => Promise<void>) {
      if (!client) throw new SourceError('down', 'Push messages are switched off.')
      const url = URL.parse(to.address)
      if (!url) throw new AddressRefused('The push service has no address.')
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint: url.href, keys: { p256dh: to.key, auth: to.auth } },
        textOf(note),
        {
          TTL: TTL_SECONDS,
          topic: note.tag,
          contentEncoding: 'aes128gcm',
          vapidDetails: { subject, ...keys },
        },
      )
      const { 'Content-Length': _length, 'Content-Type': _type, ...rest } = headers
      await asking()
      const { status, waitMs } = await client.post(url, rest, body, signal).catch(refusalOf)
      if (status >= 200 && status < 300) return
      const message = `The push service answered ${String(status)}.`
      if (status === 404 || status === 410) throw new AddressRefused(message)
      // Other refusals may be our fault, such as a wrong clock: the subscription ends if they last for days.
      throw new SourceError('busy', message, waitMs)
    },
  }
}

function refusalOf(error: unknown): never {
  if (!(error instanceof SourceError) || error.fault === 'unsure') throw error
  if (error.fault === 'refused') throw new AddressRefused(error.message)
  throw new SourceError('busy', error.message, error.waitMs)
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

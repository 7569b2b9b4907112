import { npubOf } from '#domain/publishing/nostr-key.ts'
import {
  type NostrDraft,
  type NostrEvent,
  type NostrRelays,
  type HostedPicture,
  type NostrSigner,
  type PictureHost,
  type RelayResult,
} from './ports.ts'
import { relayUrl } from '#server/kit/settings/nostr.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import { PostFault, type NostrPublisher } from '#server/publishing/ports.ts'
import { createECDH } from 'node:crypto'
import {
  NOT_PUBLIC,
  NOT_ASKED,
  STRANGE_RELAYS,
  whyNotReached,
  type Reach,
} from '#server/kit/reach.ts'
import { type LookupFunction } from 'node:net'
import { z } from 'zod'
import { jsonCaller } from '#server/kit/json-call.ts'
import { type HttpLimits } from '#server/kit/http-call.ts'
import {
  connectRelay,
  relayName,
  type RelayConnection,
  type RelayNeeds,
} from './relay-connection.ts'

/**
 * Signs events with a private key; the library that does it is loaded with the first one.
 *
 * @param privateKey 32 bytes as hex, checked by the settings
 */
export function nostrSigner(privateKey: string): NostrSigner {
  const bytes = Uint8Array.from(Buffer.from(privateKey, 'hex'))
  const ecdh = createECDH('secp256k1')
  ecdh.setPrivateKey(bytes)
  // Nostr knows a public key by its x coordinate alone.
  const publicKey = ecdh.getPublicKey('hex', 'compressed').slice(2)
  return {
    publicKey,
    npub: npubOf(publicKey),
    async sign({ created_at, kind, tags, content }) {
      const { finalizeEvent } = await import('nostr-tools/pure')
      const draft = { created_at, kind, tags: tags.map((tag) => [...tag]), content }
      const { id, pubkey, sig } = finalizeEvent(draft, bytes)
      return { id, pubkey, created_at, kind, tags, content, sig }
    },
  }
}

const count = z.number().int().nonnegative().optional().catch(undefined)

/** What a relay says of itself; fields that make no sense are ignored. */
const About = z.object({
  limitation: z
    .object({
      max_message_length: count,
      max_content_length: count,
      max_event_tags: count,
      min_pow_difficulty: count,
      created_at_lower_limit: count,
      created_at_upper_limit: count,
    })
    .optional()
    .catch(undefined),
})

/** What a relay takes, as far as it says so (NIP-11). */
export type RelayLimits = NonNullable<z.infer<typeof About>['limitation']>

const ABOUT_LIMITS: HttpLimits = { timeoutMs: 4_000, mostBytes: 65_536 }
const KNOWN_FOR_MS = 3_600_000
const UNKNOWN_FOR_MS = 600_000

/**
 * The relays of the settings. Before the first event a relay is asked for its limits (NIP-11), so that what it would not
 * take is not sent.
 *
 * @see https://github.com/nostr-protocol/nips/blob/master/11.md
 */
export function nostrRelays(
  urls: readonly string[],
  needs: RelayNeeds,
  strangers: Reach = STRANGE_RELAYS,
): NostrRelays {
  const { clock } = needs
  const callJson = jsonCaller(clock, ABOUT_LIMITS)
  const known = new Map<string, { limits: RelayLimits; until: number }>()

  async function limitsOf(relay: string, signal: AbortSignal): Promise<RelayLimits> {
    const found = known.get(relay)
    if (found && clock.now() < found.until) return found.limits
    let limits: RelayLimits | null = null
    try {
      const { body } = await callJson({
        title: relayName(relay),
        url: new URL(relay.replace(/^ws/, 'http')),
        schema: About,
        headers: { accept: 'application/nostr+json' },
        signal,
      })
      limits = body.limitation ?? {}
    } catch {
      // Many relays do not describe themselves; they refuse what they do not take.
    }
    const until = clock.now() + (limits ? KNOWN_FOR_MS : UNKNOWN_FOR_MS)
    known.set(relay, { limits: limits ?? {}, until })
    return limits ?? {}
  }

  async function send(
    relay: string,
    events: readonly NostrEvent[],
    signal: AbortSignal,
  ): Promise<RelayResult[]> {
    // One bad address must not stop the others.
    const fault = addressFault(relay)
    if (fault !== null) return events.map(() => ({ relay, state: 'refused', reason: fault }))
    const [limits, connection] = await Promise.all([
      limitsOf(relay, signal),
      connectRelay(relay, needs, signal),
    ])
    return sendOver(relay, connection, limits, events)
  }

  /** It is not asked for its limits: that would be one more call to an address that a stranger has chosen. */
  async function sendToStranger(
    relay: string,
    events: readonly NostrEvent[],
    signal: AbortSignal,
  ): Promise<RelayResult[]> {
    const refused = (why: string): RelayResult[] => {
      const reason = `${relayName(relay)} ${why}`
      return events.map(() => ({ relay, state: 'refused', reason }))
    }
    const why = URL.canParse(relay) ? whyNotReached(strangers, new URL(relay)) : NOT_ASKED
    if (why !== null) return refused(why)
    let isPrivate = false
    const look = strangers.lookup
    const lookup: LookupFunction | undefined =
      look &&
      ((host, options, done) => {
        look(host, options, (error, ...found) => {
          isPrivate ||= error?.code === NOT_PUBLIC
          done(error, ...found)
        })
      })
    const connection = await connectRelay(relay, { ...needs, lookup }, signal)
    if (isPrivate) return refused(NOT_ASKED)
    return sendOver(relay, connection, {}, events)
  }

  async function sendOver(
    relay: string,
    connection: RelayConnection | string,
    limits: RelayLimits,
    events: readonly NostrEvent[],
  ): Promise<RelayResult[]> {
    if (typeof connection === 'string') {
      return events.map(() => ({ relay, state: 'later', reason: connection }))
    }
    const results: RelayResult[] = []
    let stopped: string | null = null
    for (const event of events) {
      const fault = limitFault(event, limits, clock)
      if (fault !== null) {
        results.push({ relay, state: 'refused', reason: `${relayName(relay)} ${fault}.` })
      } else if (stopped !== null) results.push({ relay, state: 'later', reason: stopped })
      else {
        const { state, reason } = await connection.send(event)
        results.push({ relay, state, reason })
        // A relay that is slow or asks to wait gets no further event now.
        if (state === 'later') stopped = reason
      }
    }
    connection.close()
    return results
  }

  return {
    urls,
    send,
    sendToStranger,
    strangers,
    check: (signal) =>
      Promise.all(
        urls.map(async (relay) => {
          const connection = addressFault(relay) ?? (await connectRelay(relay, needs, signal))
          if (typeof connection === 'string') return { relay, connected: false, reason: connection }
          connection.close()
          return { relay, connected: true, reason: null }
        }),
      ),
  }
}

function addressFault(relay: string): string | null {
  return relayUrl(relay) === null ? `${relayName(relay)} is not the address of a relay.` : null
}

/** Publishes notes with pictures by the site's key, to all its relays. */
export function nostrPublisher({
  signer,
  relays,
  pictures: host,
}: {
  signer: NostrSigner
  relays: NostrRelays
  pictures: PictureHost
}): NostrPublisher {
  return {
    npub: signer.npub,
    relays: relays.urls,
    results: null,
    async connected(signal) {
      const checks = await relays.check(signal)
      return {
        count: checks.filter(({ connected }) => connected).length,
        faults: checks.flatMap(({ reason }) => reason ?? []),
      }
    },
    async prepare({ text, pictures, at }, signal) {
      try {
        const hosted = await Promise.all(pictures.map((one) => host.upload(one, signal)))
        return await signer.sign(noteOf(text, hosted, Math.floor(at / 1_000)))
      } catch (error) {
        if (!(error instanceof SourceError)) {
          throw new PostFault({ state: 'unsent', message: 'It took too long.' })
        }
        const { message, fault } = error
        throw new PostFault(
          fault === 'refused'
            ? { state: 'refused', reason: 'pictures', message }
            : { state: 'unsent', message },
        )
      }
    },

    async publish(event, signal, given = relays.urls) {
      const results = await Promise.all(
        [...new Set(given)].map((relay) => relays.send(relay, [event], signal)),
      )
      return results.flat()
    },
  }
}

/** A note (kind 1): its text ends with the addresses of its pictures, and its tags describe them (NIP-92). */
function noteOf(text: string, pictures: readonly HostedPicture[], created: number): NostrDraft {
  const content = [text.trim(), ...pictures.map(({ url }) => url)].join('\n\n').trim()
  const topics = [...text.matchAll(/(?<![\p{L}\p{N}_/#])#([\p{L}\p{N}_]+)/gu)]
    .map(([, topic]) => topic?.toLowerCase() ?? '')
    .filter((topic) => topic !== '' && !/^\d+$/.test(topic))
  return {
    created_at: created,
    kind: 1,
    tags: [...new Set(topics)].map((topic) => ['t', topic]).concat(pictures.map(imeta)),
    content,
  }
}

function imeta({ url, type, sha256, width, height, alt }: HostedPicture): string[] {
  const dim = `dim ${String(width)}x${String(height)}`
  const about = alt.replace(/\s+/g, ' ').trim()
  return [
    'imeta',
    `url ${url}`,
    `m ${type}`,
    `x ${sha256}`,
    dim,
    ...(about ? [`alt ${about}`] : []),
  ]
}

/** Why a relay with these limits would not take an event; null when it may. Ends a sentence. */
export function limitFault(event: NostrEvent, limits: RelayLimits, clock: Clock): string | null {
  const seconds = Math.floor(clock.now() / 1_000)
  const over = (size: number, most: number | undefined): boolean =>
    most !== undefined && size > most
  const message = Buffer.byteLength(JSON.stringify(['EVENT', event]))
  const content = Array.from(event.content).length
  if (over(message, limits.max_message_length)) {
    return `takes messages of at most ${String(limits.max_message_length)} bytes, and this one has ${String(message)}`
  }
  if (over(content, limits.max_content_length)) {
    return `takes texts of at most ${String(limits.max_content_length)} characters, and this one has ${String(content)}`
  }
  if (over(event.tags.length, limits.max_event_tags)) {
    return `takes at most ${String(limits.max_event_tags)} tags, and this event has ${String(event.tags.length)}`
  }
  if ((limits.min_pow_difficulty ?? 0) > leadingZeros(event.id)) {
    return `asks for a proof of work of ${String(limits.min_pow_difficulty)} bits, which the site does not do`
  }
  if (over(seconds - event.created_at, limits.created_at_lower_limit)) {
    return 'does not take events as old as this one'
  }
  if (over(event.created_at - seconds, limits.created_at_upper_limit)) {
    return 'does not take events dated as far ahead as this one'
  }
  return null
}

function leadingZeros(id: string): number {
  const zeros = /^0*/.exec(id)?.[0].length ?? 0
  const next = Number.parseInt(id[zeros] ?? 'f', 16)
  return zeros * 4 + Math.clz32(next) - 28
}

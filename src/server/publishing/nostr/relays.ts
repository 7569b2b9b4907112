import { createECDH } from 'node:crypto'
import { type LookupFunction } from 'node:net'
import { getPow } from 'nostr-tools/nip13'
import { z } from 'zod'
import { npubOf } from '#domain/publishing/nostr.ts'
import { type HttpLimits } from '#server/kit/http-call.ts'
import { jsonCaller } from '#server/kit/json-call.ts'
import {
  NOT_PUBLIC,
  NOT_ASKED,
  STRANGE_RELAYS,
  whyNotReached,
  type Reach,
} from '#server/kit/reach.ts'
import { relayUrl } from '#server/kit/settings/nostr.ts'
import { type Clock } from '#server/kit/time.ts'
import { type NostrEvent, type NostrSigner, type RelayResult } from '#server/publishing/ports.ts'
import {
  connectRelay,
  relayName,
  type RelayConnection,
  type RelayNeeds,
} from './relay-connection.ts'

/**
 * Signs events with a private key; the library is loaded with the first one.
 * @param privateKey 32 bytes as hex, validated by the settings
 */
export function nostrSigner(privateKey: string): NostrSigner {
  const bytes = Uint8Array.from(Buffer.from(privateKey, 'hex'))
  const ecdh = createECDH('secp256k1')
  ecdh.setPrivateKey(bytes)
  // Nostr public keys are x coordinates.
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

/** A relay's information document; invalid fields are ignored. */
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

export type RelayLimits = NonNullable<z.infer<typeof About>['limitation']>

const ABOUT_LIMITS: HttpLimits = { timeoutMs: 4_000, mostBytes: 65_536 }
const KNOWN_FOR_MS = 3_600_000
const UNKNOWN_FOR_MS = 600_000

export type NostrRelays = ReturnType<typeof nostrRelays>

/**
 * The configured relays, each with its own result, in limited time; never throws. Before the first event a relay's
 * limits are fetched (NIP-11), so that unacceptable events are not sent.
 *
 * @see https://github.com/nostr-protocol/nips/blob/master/11.md
 */
export function nostrRelays(
  urls: readonly string[],
  needs: RelayNeeds,
  strangers: Reach = STRANGE_RELAYS,
) {
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
      // Many relays do not publish limits; they reject events instead.
    }
    const until = clock.now() + (limits ? KNOWN_FOR_MS : UNKNOWN_FOR_MS)
    known.set(relay, { limits: limits ?? {}, until })
    return limits ?? {}
  }

  async function send(relay: string, events: readonly NostrEvent[], signal: AbortSignal) {
    // One bad address must not stop the others.
    const fault = addressFault(relay)
    if (fault !== null) return forAll(events, { relay, state: 'refused', reason: fault })
    const [limits, connection] = await Promise.all([
      limitsOf(relay, signal),
      connectRelay(relay, needs, signal),
    ])
    return sendOver(relay, connection, limits, events)
  }

  /** Does not fetch limits, to make no further calls to an address chosen by a stranger. */
  async function sendToStranger(relay: string, events: readonly NostrEvent[], signal: AbortSignal) {
    const refused = (why: string) =>
      forAll(events, { relay, state: 'refused', reason: `${relayName(relay)} ${why}` })
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
      return forAll(events, { relay, state: 'later', reason: connection })
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
        // A slow or rate-limiting relay gets no further events now.
        if (state === 'later') stopped = reason
      }
    }
    connection.close()
    return results
  }

  return {
    /** Normalized and distinct. */
    urls,
    /** Sends events to one relay over one connection, in order, with a result for each. */
    send,
    /** The same for a relay named by a stranger, restricted to allowed addresses. */
    sendToStranger,
    /** Which of those may be called. */
    strangers,
    /** A sentence for each unreachable relay, null for the others. */
    check: (signal: AbortSignal): Promise<(string | null)[]> =>
      Promise.all(
        urls.map(async (relay) => {
          const connection = addressFault(relay) ?? (await connectRelay(relay, needs, signal))
          if (typeof connection === 'string') return connection
          connection.close()
          return null
        }),
      ),
  }
}

function forAll(events: readonly NostrEvent[], result: RelayResult): RelayResult[] {
  return events.map(() => result)
}

function addressFault(relay: string): string | null {
  return relayUrl(relay) === null ? `${relayName(relay)} is not the address of a relay.` : null
}

/** Why a relay's limits rule out an event, as the end of a sentence; null if they do not. */
function limitFault(event: NostrEvent, limits: RelayLimits, clock: Clock): string | null {
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
  if ((limits.min_pow_difficulty ?? 0) > getPow(event.id)) {
    return `asks for a proof of work of ${String(limits.min_pow_difficulty)} bits, which the site does not do`
  }
  if (over(seconds - event.created_at, limits.created_at_lower_limit)) {
    return 'does not accept events as old as this one'
  }
  if (over(event.created_at - seconds, limits.created_at_upper_limit)) {
    return 'does not accept events dated as far ahead as this one'
  }
  return null
}

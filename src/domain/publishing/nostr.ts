import { bech32, hex, utf8 } from '@scure/base'
import { bytesOfBech32 } from '#domain/money/bolt11.ts'
import { type SignedEvent } from '#domain/proof/record-event.ts'

/** A secret key anywhere in a text; it must not be stored even if its checksum is wrong. */
const SECRET = /(?:nsec1|ncryptsec1)[02-9ac-hj-np-z]{20,}/i

/** Whether a text contains a secret Nostr key. */
export function holdsSecretKey(text: string): boolean {
  return SECRET.test(text)
}

/**
 * Reads a pasted public Nostr key: `npub1…`, optionally after `nostr:` or `@`.
 *
 * @returns the npub in lower case; null if malformed or its checksum is wrong
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function readNpub(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^nostr:/i, '')
    .replace(/^@/, '')
  return bytesOfBech32('npub', bare)?.length === 32 ? bare.toLowerCase() : null
}

/** The address of an addressable event: its author, kind and `d` tag, with relays that may have it. */
export type EventAddress = {
  /** Hex. */
  readonly pubkey: string
  readonly kind: number
  readonly d: string
  readonly relays: readonly string[]
}

/** A hex public key as `npub1…`. */
export function npubOf(publicKey: string): string {
  return bech32.encodeFromBytes('npub', hex.decode(publicKey))
}

/**
 * Encodes an address as `naddr1…`.
 *
 * @throws RangeError if a part is longer than 255 bytes
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function naddrOf({ pubkey, kind, d, relays }: EventAddress): string {
  const number = [kind >>> 24, (kind >>> 16) & 255, (kind >>> 8) & 255, kind & 255]
  const parts = [
    field(0, utf8.decode(d)),
    ...relays.map((relay) => field(1, utf8.decode(relay))),
    field(2, hex.decode(pubkey)),
    field(3, number),
  ]
  return bech32.encode('naddr', bech32.toWords(Uint8Array.from(parts.flat())), false)
}

function field(type: number, bytes: Uint8Array | readonly number[]): number[] {
  if (bytes.length > 255) throw new RangeError('a part of a Nostr address is too long')
  return [type, bytes.length, ...bytes]
}

const ZAP_REQUEST_KIND = 9_734
const ZAP_RECEIPT_KIND = 9_735
/** Tolerance for the payer's clock, seconds; older requests are replays. */
const STALE_SECONDS = 3_600
/** Maximum relays, besides ours, that get the receipt. */
const MOST_RELAYS = 5

export type ZapAsk = {
  /** Our key, hex. */
  readonly pubkey: string
  readonly msat: number
  readonly nowMs: number
}

export type Zapped = {
  readonly eventId: string | null
  readonly address: { readonly kind: number; readonly pubkey: string; readonly d: string } | null
}

/**
 * Validates a zap request, whose signature has been checked.
 *
 * @returns its target, or a message
 * @see https://github.com/nostr-protocol/nips/blob/master/57.md appendix D
 */
export function readZapRequest(event: SignedEvent, ask: ZapAsk): Zapped | string {
  if (event.kind !== ZAP_REQUEST_KIND) return 'A zap request has the kind 9734.'
  const all = (name: string): string[] =>
    event.tags.flatMap(([key, value]) => (key === name ? [value ?? ''] : []))
  const people = all('p')
  if (people.length !== 1) return 'A zap request has exactly one p tag.'
  if (people[0] !== ask.pubkey)
    return 'This zap request is for somebody else: its p tag is not our key.'
  if (all('e').length > 1 || all('a').length > 1) return 'A zap request names at most one event.'
  if (all('P').length > 1) return 'A zap request has at most one P tag.'
  const [amount] = all('amount')
  if (amount !== undefined && amount !== String(ask.msat)) {
    return 'The amount in the zap request differs from the requested one.'
  }
  if (Math.abs(event.created_at - ask.nowMs / 1_000) > STALE_SECONDS) {
    return 'The zap request is old, or its clock is wrong. Please zap again.'
  }
  const [eventId = null] = all('e')
  if (eventId !== null && !HEX.test(eventId))
    return 'The e tag of the zap request is not an event id.'
  const [coordinate] = all('a')
  if (coordinate === undefined) return { eventId, address: null }
  const read = /^(\d{1,5}):([0-9a-f]{64}):(.{0,300})$/s.exec(coordinate)
  if (!read) return 'The a tag of the zap request is not an event address.'
  const [, kind, pubkey = '', d = ''] = read
  return { eventId, address: { kind: Number(kind), pubkey, d } }
}

const HEX = /^[0-9a-f]{64}$/

/** Relays requested for the receipt, as written. */
export function relaysOfZap({ tags }: Pick<SignedEvent, 'tags'>): string[] {
  const [, ...relays] = tags.find(([key]) => key === 'relays') ?? []
  return relays.slice(0, MOST_RELAYS)
}

/**
 * The unsigned receipt of a paid zap; deterministic per payment.
 *
 * @param paidMs when it was paid, milliseconds since 1970
 */
export function zapReceipt(
  { request, description }: { readonly request: SignedEvent; readonly description: string },
  paid: { readonly bolt11: string; readonly preimage: string | null; readonly paidMs: number },
): Pick<SignedEvent, 'created_at' | 'kind' | 'tags' | 'content'> {
  const copied = request.tags.filter(([key = '']) => ['p', 'e', 'a', 'k'].includes(key))
  return {
    created_at: Math.floor(paid.paidMs / 1_000),
    kind: ZAP_RECEIPT_KIND,
    tags: [
      ...copied.map((tag) => [...tag]),
      ['P', request.pubkey],
      ['bolt11', paid.bolt11],
      ['description', description],
      ...(paid.preimage === null ? [] : [['preimage', paid.preimage]]),
    ],
    content: '',
  }
}

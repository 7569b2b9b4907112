import { type SignedEvent } from '#domain/proof/record-event.ts'

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
  if (all('e').length > 1 || all('a').length > 1)
    return 'A zap request names one event at the most.'
  if (all('P').length > 1) return 'A zap request has one P tag at the most.'
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

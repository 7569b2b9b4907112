import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { outbox } from '#server/database/schema/kit.ts'
import { nostrEvents, type NostrPurpose } from '#server/database/schema/proofs.ts'
import { hasEffect, readRows, type Db } from '#server/kit/db.ts'
import { type NostrEvent, type RelayResult } from '#server/publishing/ports.ts'

/** Kinds of deliveries, to our relays and to those named by strangers; the lane is the relay, `ref` the event. */
export const TO_RELAYS = 'relay'
export const TO_STRANGERS = 'zap-relay'

/** A relay's result for an event, in addition to the delivery state. */
export const Delivered = z.object({
  purpose: z.enum(['note', 'record', 'relay-list', 'zap']),
  said: z.enum(['accepted', 'already', 'refused', 'given-up', 'replaced']).optional(),
})
type DeliveryResult = 'waiting' | NonNullable<z.infer<typeof Delivered>['said']>

/**
 * Stores a signed event before it is sent.
 * @param ref its purpose, unique
 * @returns false when this event, or another with the same `ref`, is already stored
 */
export function keepEvent(
  db: Db,
  input: { event: NostrEvent; purpose: NostrPurpose; ref: string | null; at: string },
): Promise<boolean> {
  const { event, purpose, ref, at } = input
  const values = { id: event.id, purpose, ref, event, signedAt: at }
  return hasEffect(db.insert(nostrEvents).values(values).onConflictDoNothing())
}

/** When a key last signed something for this purpose, Unix time in seconds; null for never. */
export async function newestOf(db: Db, pubkey: string, purpose: NostrPurpose) {
  const at = sql<string | null>`max((${nostrEvents.event}->>'created_at')::bigint)`
  const [row] = await db
    .select({ at })
    .from(nostrEvents)
    .where(and(eq(nostrEvents.purpose, purpose), sql`${nostrEvents.event}->>'pubkey' = ${pubkey}`))
  return row?.at == null ? null : Number(row.at)
}

export async function eventsBy(db: Db, ids: readonly string[]): Promise<Map<string, NostrEvent>> {
  const rows = await db
    .select({ id: nostrEvents.id, event: nostrEvents.event })
    .from(nostrEvents)
    .where(inArray(nostrEvents.id, [...ids]))
  return new Map(rows.map(({ id, event }) => [id, event]))
}

/** Results of an event per relay so far. */
export async function deliveriesOf(db: Db, eventId: string): Promise<RelayResult[]> {
  const rows = await db
    .select()
    .from(outbox)
    .where(and(inArray(outbox.kind, [TO_RELAYS, TO_STRANGERS]), eq(outbox.ref, eventId)))
    .orderBy(asc(outbox.lane))
  return rows.map(({ lane: relay, state, payload, lastError: reason }) => {
    const { said: result } = Delivered.parse(payload)
    if (state === 'sent')
      return { relay, state: result === 'already' ? result : 'accepted', reason }
    return { relay, state: state === 'failed' ? 'refused' : 'later', reason }
  })
}

/** Number of deliveries by state and relay. */
export async function deliveryCounts(db: Db, purpose: NostrPurpose) {
  const state = sql<DeliveryResult>`case when ${outbox.state} in ('waiting', 'sending') then 'waiting' else ${outbox.payload}->>'said' end`
  return db
    .select({ relay: outbox.lane, state, count: sql<number>`count(*)::int` })
    .from(outbox)
    .where(and(eq(outbox.kind, TO_RELAYS), sql`${outbox.payload}->>'purpose' = ${purpose}`))
    .groupBy(outbox.lane, state)
    .orderBy(asc(outbox.lane), asc(state))
}

const PaidZap = z.object({
  ref: z.string(),
  description: z.string(),
  bolt11: z.string(),
  preimage: z.string().nullable(),
  paidAt: z.string(),
})
export type PaidZap = z.output<typeof PaidZap>

/** Paid zaps without a receipt, oldest first; `ref` is the key of that. */
export function paidZaps(db: Db, most: number): Promise<PaidZap[]> {
  return readRows(db, PaidZap)`
    select 'zap ' || p.id as ref, description, bolt11, preimage, paid_at as "paidAt"
    from payments p left join nostr_events receipt on receipt.ref = 'zap ' || p.id
    where p.purpose = 'zap' and status in ('paid', 'paid_late') and receipt.id is null
      and description is not null and bolt11 is not null and paid_at is not null
    order by paid_at, p.id limit ${most}`
}

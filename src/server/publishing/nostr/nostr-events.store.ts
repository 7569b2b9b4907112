import { type NostrEvent, type RelayResult } from './ports.ts'
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import {
  nostrDeliveries,
  nostrEvents,
  type DeliveryState,
  type NostrPurpose,
} from '#server/database/schema/nostr.ts'

/** An event on its way to one relay. */
export type DueEvent = {
  readonly event: NostrEvent
  readonly purpose: NostrPurpose
  /** Including the one about to be made. */
  readonly attempts: number
}

/**
 * Stores a signed event before it is sent.
 *
 * @param ref what it was made for, where that must not be made twice
 * @returns false when this event, or another one for the same thing, is stored already
 */
export async function keepEvent(
  db: Db,
  given: { event: NostrEvent; purpose: NostrPurpose; ref: string | null; at: string },
): Promise<boolean> {
  const { event, purpose, ref, at } = given
  const rows = await db
    .insert(nostrEvents)
    .values({ id: event.id, purpose, ref, event, signedAt: at })
    .onConflictDoNothing()
    .returning({ id: nostrEvents.id })
  return rows.length > 0
}

/** When a key last signed something for this purpose, seconds since 1970; null for never. */
export async function newestOf(
  db: Db,
  pubkey: string,
  purpose: NostrPurpose,
): Promise<number | null> {
  const at = sql<string | null>`max((${nostrEvents.event}->>'created_at')::bigint)`
  const [row] = await db
    .select({ at })
    .from(nostrEvents)
    .where(and(eq(nostrEvents.purpose, purpose), sql`${nostrEvents.event}->>'pubkey' = ${pubkey}`))
  return row?.at == null ? null : Number(row.at)
}

/** Queues events for relays; one that is queued already does not change. */
export async function queueEvents(
  db: Db,
  ids: readonly string[],
  relays: readonly string[],
  { now, nextTryAt }: { now: string; nextTryAt: string },
): Promise<void> {
  const rows = ids.flatMap((eventId) =>
    relays.map((relay) => ({ eventId, relay, nextTryAt, updatedAt: now })),
  )
  for (let i = 0; i < rows.length; i += BATCH) {
    await db
      .insert(nostrDeliveries)
      .values(rows.slice(i, i + BATCH))
      .onConflictDoNothing()
  }
}

const BATCH = 1_000

/** Takes the events that have waited longest for a relay, for this process alone until `until`. */
export async function takeDueEvents(
  db: Db,
  relay: string,
  { now, until, most }: { now: string; until: string; most: number },
): Promise<DueEvent[]> {
  const due = db
    .select({ id: nostrDeliveries.eventId })
    .from(nostrDeliveries)
    .where(
      and(
        eq(nostrDeliveries.relay, relay),
        eq(nostrDeliveries.state, 'waiting'),
        lte(nostrDeliveries.nextTryAt, now),
      ),
    )
    .orderBy(asc(nostrDeliveries.nextTryAt), asc(nostrDeliveries.eventId))
    .limit(most)
    .for('update', { skipLocked: true })
  const taken = await db
    .update(nostrDeliveries)
    .set({
      attempts: sql`${nostrDeliveries.attempts} + 1`,
      nextTryAt: until,
      updatedAt: now,
    })
    .where(and(eq(nostrDeliveries.relay, relay), inArray(nostrDeliveries.eventId, due)))
    .returning({ id: nostrDeliveries.eventId, attempts: nostrDeliveries.attempts })
  if (taken.length === 0) return []
  const attempts = new Map(taken.map((one) => [one.id, one.attempts]))
  const rows = await db
    .select()
    .from(nostrEvents)
    .where(inArray(nostrEvents.id, [...attempts.keys()]))
  return rows
    .map(({ event, purpose }) => ({ event, purpose, attempts: attempts.get(event.id) ?? 1 }))
    .toSorted((a, b) => a.event.created_at - b.event.created_at)
}

/** Stores what a relay made of an event. `nextTryAt` counts while it waits. */
export async function noteDelivery(
  db: Db,
  eventId: string,
  relay: string,
  given: { state: DeliveryState; reason: string | null; nextTryAt: string; now: string },
): Promise<void> {
  const { state, reason, nextTryAt, now } = given
  await db
    .update(nostrDeliveries)
    .set({ state, reason, nextTryAt, updatedAt: now })
    .where(
      and(
        eq(nostrDeliveries.eventId, eventId),
        eq(nostrDeliveries.relay, relay),
        // What a relay has taken stays taken, also when an older answer is written late; what was refused may be sent again.
        inArray(nostrDeliveries.state, ['waiting', 'refused', 'given-up']),
      ),
    )
}

/** Pauses a relay: nothing that waits for it is tried before. */
export async function pauseRelay(db: Db, relay: string, until: string): Promise<void> {
  await db
    .update(nostrDeliveries)
    .set({ nextTryAt: until })
    .where(
      and(
        eq(nostrDeliveries.relay, relay),
        eq(nostrDeliveries.state, 'waiting'),
        lte(nostrDeliveries.nextTryAt, until),
      ),
    )
}

/** What each relay has made of an event so far. */
export async function deliveriesOf(db: Db, eventId: string): Promise<RelayResult[]> {
  const rows = await db
    .select()
    .from(nostrDeliveries)
    .where(eq(nostrDeliveries.eventId, eventId))
    .orderBy(asc(nostrDeliveries.relay))
  return rows.map(({ relay, state, reason }) => ({ relay, state: stateOf(state), reason }))
}

function stateOf(state: DeliveryState): RelayResult['state'] {
  switch (state) {
    case 'accepted':
    case 'already':
    case 'refused':
      return state
    case 'waiting':
      return 'later'
    case 'given-up':
    case 'replaced':
      return 'refused'
  }
}

/** How many deliveries are in each state, by relay. */
export async function deliveryCounts(
  db: Db,
  purpose: NostrPurpose,
): Promise<{ relay: string; state: DeliveryState; count: number }[]> {
  return db
    .select({
      relay: nostrDeliveries.relay,
      state: nostrDeliveries.state,
      count: sql<number>`count(*)::int`,
    })
    .from(nostrDeliveries)
    .innerJoin(nostrEvents, eq(nostrEvents.id, nostrDeliveries.eventId))
    .where(eq(nostrEvents.purpose, purpose))
    .groupBy(nostrDeliveries.relay, nostrDeliveries.state)
    .orderBy(asc(nostrDeliveries.relay), asc(nostrDeliveries.state))
}

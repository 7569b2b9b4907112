import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  sql,
} from 'drizzle-orm'
import { z } from 'zod'
import { type SignedEvent } from '#domain/proof/record-event.ts'
import { outbox } from '#server/database/schema/kit.ts'
import {
  nostrEvents,
  recordEvents,
  proofDays,
  proofLeaves,
  proofStamps,
} from '#server/database/schema/proofs.ts'
import { type Db, readRows } from '#server/kit/db.ts'

export type Leaf = typeof proofLeaves.$inferSelect
export type Stamp = typeof proofStamps.$inferSelect

/** The kind of stamps in the outbox: a delivery per day (`ref`) and calendar (`lane`). */
export const STAMPS = 'stamp'

/** Events of the record in no tree, from before this moment. */
export async function unprovedEvents(db: Db, before: string): Promise<SignedEvent[]> {
  const rows = await db
    .select({ event: nostrEvents.event })
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .leftJoin(proofLeaves, eq(proofLeaves.eventId, recordEvents.eventId))
    .where(and(isNull(proofLeaves.eventId), lt(nostrEvents.signedAt, before)))
  return rows.map(({ event }) => event)
}

export async function hasDay(db: Db, day: string): Promise<boolean> {
  return (await daysOf(db, [day])).length > 0
}

export type StampState = Pick<Stamp, 'height' | 'blockHash' | 'blockAt'>

/** These days, or all, newest first, with the answers of their calendars: checked blocks first, promises last. */
export function daysOf(db: Db, days: readonly string[] | null) {
  return db
    .select({
      ...getTableColumns(proofDays),
      events: sql<number>`(select count(*)::int from proof_leaves l where l.day = proof_days.day)`,
      stamps: sql<StampState[]>`(
        select coalesce(json_agg(json_build_object('height', height, 'blockHash', block_hash, 'blockAt', block_at)
          order by height is null, block_hash is null, height, calendar), '[]')
        from proof_stamps s where s.day = proof_days.day)`,
    })
    .from(proofDays)
    .where(days === null ? undefined : inArray(proofDays.day, [...days]))
    .orderBy(desc(proofDays.day))
}

export function leavesOf(db: Db, day: string): Promise<Leaf[]> {
  return db
    .select()
    .from(proofLeaves)
    .where(eq(proofLeaves.day, day))
    .orderBy(asc(proofLeaves.place))
}

export async function leafOf(db: Db, eventId: string): Promise<Leaf | null> {
  const rows = await db.select().from(proofLeaves).where(eq(proofLeaves.eventId, eventId))
  return rows[0] ?? null
}

export async function stampsOf(db: Db, day: string): Promise<Stamp[]> {
  return db
    .select()
    .from(proofStamps)
    .where(eq(proofStamps.day, day))
    .orderBy(asc(proofStamps.calendar))
}

export async function recordEventOf(db: Db, id: string): Promise<SignedEvent | null> {
  const [row] = await db
    .select({ event: nostrEvents.event })
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(eq(recordEvents.eventId, id))
  return row?.event ?? null
}

export async function leavesOfPrediction(db: Db, predictionId: string) {
  return db
    .select({
      eventId: recordEvents.eventId,
      mode: recordEvents.mode,
      createdAt: recordEvents.createdAt,
      leaf: proofLeaves,
    })
    .from(recordEvents)
    .leftJoin(proofLeaves, eq(proofLeaves.eventId, recordEvents.eventId))
    .where(eq(recordEvents.predictionId, predictionId))
    .orderBy(asc(recordEvents.id))
}

/**
 * Queues for these calendars the days that are in no block yet, and the stamps whose block header can be compared by now.
 * @returns the calendars with new deliveries
 */
export async function addStamps(
  tx: Db,
  calendars: readonly string[],
  comparesHeaders: boolean,
  now: string,
): Promise<string[]> {
  const added = await readRows(tx, z.object({ lane: z.string() }))`
    with added as (
      insert into outbox (kind, key, ref, lane, due, created_at, updated_at)
      select ${STAMPS}, day || ' ' || calendar, day, calendar, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from proof_days d cross join jsonb_array_elements_text(${JSON.stringify(calendars)}::jsonb) as given(calendar)
      left join proof_stamps own using (day, calendar)
      where case when own.promise is null then not exists (select from proof_stamps s where s.day = d.day and s.height is not null)
          else own.block_hash is null and (own.height is null or ${comparesHeaders}) end
        and not exists (select from outbox o where o.kind = ${STAMPS} and o.key = day || ' ' || calendar and o.state <> 'sent')
      on conflict (kind, key) do update set state = 'waiting', due = excluded.due, tries = 0 where outbox.state = 'sent'
      returning lane)
    select distinct lane from added`
  return added.map(({ lane }) => lane)
}

/** Does nothing if another process has advanced it since. */
export async function saveStamp(db: Db, { day, calendar, height }: Stamp, result: Partial<Stamp>) {
  await db
    .update(proofStamps)
    .set(result)
    .where(
      and(
        eq(proofStamps.day, day),
        eq(proofStamps.calendar, calendar),
        sql`${proofStamps.height} is not distinct from ${height}`,
        isNull(proofStamps.blockHash),
      ),
    )
}

/** Why the last attempt for a day failed; null if none did. */
export async function stampFault(db: Db, day: string): Promise<string | null> {
  const [found] = await db
    .select({ error: outbox.lastError })
    .from(outbox)
    .where(and(eq(outbox.kind, STAMPS), eq(outbox.ref, day), isNotNull(outbox.lastError)))
    .orderBy(asc(outbox.lane))
    .limit(1)
  return found?.error ?? null
}

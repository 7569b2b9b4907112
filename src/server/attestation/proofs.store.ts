import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type SignedEvent } from '#domain/proof/record-event.ts'
import { and, asc, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { nostrEvents, recordEvents } from '#server/database/schema/nostr.ts'
import { proofDays, proofLeaves, proofStamps } from '#server/database/schema/proofs.ts'

export type ProofDay = typeof proofDays.$inferSelect
export type Leaf = typeof proofLeaves.$inferSelect
export type Stamp = typeof proofStamps.$inferSelect

/** Limited, as a PostgreSQL statement has at most 65,535 parameters. */
const ROWS_AT_ONCE = 5_000

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

export async function addDay(tx: Db, day: ProofDay, leaves: readonly Leaf[]): Promise<void> {
  await tx.insert(proofDays).values(day)
  for (let at = 0; at < leaves.length; at += ROWS_AT_ONCE) {
    await tx.insert(proofLeaves).values(leaves.slice(at, at + ROWS_AT_ONCE))
  }
}

export async function hasDay(db: Db, day: string): Promise<boolean> {
  return (await daysOf(db, [day])).length > 0
}

/** These days, or all, newest first. */
export async function daysOf(db: Db, days: readonly string[] | null): Promise<ProofDay[]> {
  return db
    .select()
    .from(proofDays)
    .where(days === null ? undefined : inArray(proofDays.day, [...days]))
    .orderBy(desc(proofDays.day))
}

export async function leafCounts(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ day: proofLeaves.day, count: sql<number>`count(*)::int` })
    .from(proofLeaves)
    .groupBy(proofLeaves.day)
  return new Map(rows.map(({ day, count }) => [day, count]))
}

export async function leavesOf(db: Db, days: readonly string[]): Promise<Leaf[]> {
  return db
    .select()
    .from(proofLeaves)
    .where(inArray(proofLeaves.day, [...days]))
    .orderBy(asc(proofLeaves.day), asc(proofLeaves.place))
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

export type StampState = Pick<Stamp, 'day' | 'height' | 'blockHash' | 'blockAt' | 'lastError'> & {
  readonly isPromised: boolean
}

/** State of these or all days at each calendar, without the calendars' data. */
export async function stampStates(db: Db, days: readonly string[] | null): Promise<StampState[]> {
  const { day, height, blockHash, blockAt, lastError, promise } = proofStamps
  return db
    .select({
      day,
      height,
      blockHash,
      blockAt,
      lastError,
      isPromised: sql<boolean>`${promise} is not null`,
    })
    .from(proofStamps)
    .where(days === null ? undefined : inArray(proofStamps.day, [...days]))
    .orderBy(asc(proofStamps.day), asc(proofStamps.calendar))
}

export async function recordEventOf(db: Db, id: string): Promise<SignedEvent | null> {
  const [row] = await db
    .select({ event: nostrEvents.event })
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(eq(recordEvents.eventId, id))
  return row?.event ?? null
}

export async function leavesOfPrediction(
  db: Db,
  predictionId: string,
): Promise<{ eventId: string; mode: JudgeMode | null; createdAt: number; leaf: Leaf | null }[]> {
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

/** Adds a row per calendar for each day that is in no block yet. */
export async function addStamps(db: Db, calendars: readonly string[], now: string): Promise<void> {
  for (const calendar of calendars) {
    await db.execute(sql`
      insert into proof_stamps (day, calendar, next_try_at, updated_at)
      select day, ${calendar}, ${now}::timestamptz, ${now}::timestamptz from proof_days d
      where not exists (select from proof_stamps s where s.day = d.day and (s.height is not null or s.calendar = ${calendar}))
      on conflict do nothing`)
  }
}

/**
 * A stamp that is due.
 * @param checks whether headers can be compared: stamps in a block are then not finished before that
 * @param latest latest possible due time, as a clock may have jumped
 */
export async function dueStamp(
  db: Db,
  calendars: readonly string[],
  { checks, now, latest }: { checks: boolean; now: string; latest: string },
): Promise<Stamp | null> {
  const [due] = await db
    .select()
    .from(proofStamps)
    .where(
      and(
        inArray(proofStamps.calendar, [...calendars]),
        isNull(proofStamps.blockHash),
        checks ? undefined : isNull(proofStamps.height),
        sql`(${proofStamps.nextTryAt} <= ${now} or ${proofStamps.nextTryAt} > ${latest})`,
      ),
    )
    .orderBy(asc(proofStamps.nextTryAt), desc(proofStamps.day))
    .limit(1)
  return due ?? null
}

/** @returns false if another process has advanced it since */
export async function saveStamp(
  db: Db,
  { day, calendar, attempts }: Stamp,
  result: Partial<Stamp>,
): Promise<boolean> {
  const rows = await db
    .update(proofStamps)
    .set({ ...result, attempts: attempts + 1 })
    .where(
      and(
        eq(proofStamps.day, day),
        eq(proofStamps.calendar, calendar),
        eq(proofStamps.attempts, attempts),
      ),
    )
    .returning({ day: proofStamps.day })
  return rows.length > 0
}

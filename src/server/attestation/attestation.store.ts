import { type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { type NostrEvent } from '#server/publishing/nostr/ports.ts'
import { and, asc, desc, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { Evidence } from '#server/judging/evidence.rows.ts'
import { nostrEvents, recordEvents } from '#server/database/schema/nostr.ts'
import {
  predictionEvents,
  verdicts,
  type VerdictChange,
} from '#server/database/schema/predictions.ts'

/** A signed event of the record with what it is about. */
export type RecordEvent = {
  readonly predictionId: string
  /** Null for the prediction itself. */
  readonly mode: JudgeMode | null
  readonly event: NostrEvent
}

/** A verdict that has not been signed yet. */
export type UnsignedVerdict = {
  readonly id: number
  readonly predictionId: string
  readonly verdict: Verdict
  readonly change: VerdictChange
  /** What its event says, such as the reason of an override. */
  readonly note: string
  /** Whether what was claimed has been changed since it was reached: the claim of today is not what it is about. */
  readonly isRestated: boolean
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Verdicts, also those that others have replaced since, which this key has not signed; oldest first. */
export async function unsignedVerdicts(
  db: Db,
  pubkey: string,
  most: number,
): Promise<UnsignedVerdict[]> {
  const signed = db
    .select({ one: sql`1` })
    .from(recordEvents)
    .where(and(eq(recordEvents.pubkey, pubkey), eq(recordEvents.verdictId, verdicts.id)))
  const rows = await db
    .select({
      id: verdicts.id,
      predictionId: verdicts.predictionId,
      evidence: verdicts.evidence,
      change: verdicts.change,
      at: verdicts.computedAt,
      // Named in full: drizzle leaves the table out in a list of one table's columns, and inside of these another would be meant.
      note: sql<string | null>`(
        select e.text from prediction_events e where e.verdict_id = verdicts.id order by e.id limit 1)`,
      isRestated: sql<boolean>`(
        exists (select from prediction_events e where e.prediction_id = verdicts.prediction_id
          and e.kind = 'edited' and e.at > verdicts.computed_at)
        or exists (select from verdicts v where v.prediction_id = verdicts.prediction_id
          and v.mode = verdicts.mode and v.change = 'statement' and v.id > verdicts.id))`,
    })
    .from(verdicts)
    .where(notExists(signed))
    .orderBy(asc(verdicts.id))
    .limit(most)
  return rows.map(({ id, predictionId, evidence, change, at, note, isRestated }) => ({
    id,
    predictionId,
    verdict: Evidence.parse(evidence),
    change,
    note: note ?? '',
    isRestated,
    at: Date.parse(at),
  }))
}

/** When something about a prediction itself was last written down, milliseconds since 1970, by prediction. */
export async function lastChanges(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: predictionEvents.predictionId, at: sql<string>`max(${predictionEvents.at})` })
    .from(predictionEvents)
    .where(inArray(predictionEvents.kind, ['published', 'edited', 'withdrawn', 'restored']))
    .groupBy(predictionEvents.predictionId)
  return new Map(rows.map(({ id, at }) => [id, Date.parse(at)]))
}

/**
 * The newest events of a key.
 *
 * @param of the predictions themselves, or the verdicts of some
 */
export async function recordInForce(
  db: Db,
  pubkey: string,
  of: 'predictions' | readonly string[],
): Promise<RecordEvent[]> {
  const rows = await db
    .selectDistinctOn([recordEvents.kind, recordEvents.d], {
      predictionId: recordEvents.predictionId,
      mode: recordEvents.mode,
      event: nostrEvents.event,
    })
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(
      and(
        eq(recordEvents.pubkey, pubkey),
        of === 'predictions'
          ? isNull(recordEvents.mode)
          : and(isNotNull(recordEvents.mode), inArray(recordEvents.predictionId, [...of])),
      ),
    )
    .orderBy(recordEvents.kind, recordEvents.d, desc(recordEvents.id))
  return rows
}

/** Adds events of the record. Call it inside a transaction, in one's turn. */
export async function addRecordEvents(
  tx: Db,
  given: readonly (RecordEvent & { readonly verdictId: number | null })[],
  at: string,
): Promise<void> {
  if (given.length === 0) return
  await tx
    .insert(nostrEvents)
    .values(
      given.map(({ event }) => ({
        id: event.id,
        purpose: 'record' as const,
        ref: null,
        event,
        signedAt: at,
      })),
    )
    .onConflictDoNothing()
  await tx.insert(recordEvents).values(
    given.map(({ event, predictionId, mode, verdictId }) => ({
      eventId: event.id,
      pubkey: event.pubkey,
      kind: event.kind,
      d: event.tags.find(([name]) => name === 'd')?.[1] ?? '',
      predictionId,
      mode,
      verdictId,
      createdAt: event.created_at,
    })),
  )
}

/** All that was ever signed about a prediction, newest first. */
export async function recordOf(db: Db, predictionId: string): Promise<RecordEvent[]> {
  return db
    .select({
      predictionId: recordEvents.predictionId,
      mode: recordEvents.mode,
      event: nostrEvents.event,
    })
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(eq(recordEvents.predictionId, predictionId))
    .orderBy(desc(recordEvents.id))
}

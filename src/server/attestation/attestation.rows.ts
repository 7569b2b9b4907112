import { sql, and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { nostrEvents, recordEvents } from '#server/database/schema/proofs.ts'
import { Evidence } from '#server/judging/verdicts.rows.ts'
import { type Db, readRows, rowsOf } from '#server/kit/db.ts'
import { type NostrEvent } from '#server/publishing/ports.ts'

/** Serializes signing across processes until the transaction ends: each event names the previous one. */
export async function lockSigning(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('proof-of-price signed record'))`)
}

/** Queues events in force for the relays, and drops those replaced before they were sent. @returns whether there were any */
export async function queueRecord(
  tx: Db,
  pubkey: string,
  { kind, relays, now }: { kind: string; relays: readonly string[]; now: string },
): Promise<boolean> {
  const inForce = sql`
    select distinct on (kind, d) event_id from record_events
    where pubkey = ${pubkey} order by kind, d, id desc`
  const added = await tx.execute(sql`
    insert into outbox (kind, key, ref, lane, payload, due, created_at, updated_at)
    select ${kind}, event_id || ' ' || relay, event_id, relay, '{"purpose":"record"}',
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from (${inForce}) r cross join unnest(${sql.param([...relays])}::text[]) relay
    on conflict (kind, key) do nothing returning 1`)
  await tx.execute(sql`
    update outbox set state = 'failed', due = null, payload = payload || '{"said":"replaced"}',
      last_error = 'A newer event has replaced it.', updated_at = ${now}::timestamptz
    where kind = ${kind} and state = 'waiting' and payload->>'purpose' = 'record' and ref not in (${inForce})`)
  return rowsOf(added).length > 0
}

const RECORD = {
  predictionId: recordEvents.predictionId,
  mode: recordEvents.mode,
  event: nostrEvents.event,
}

export type RecordEvent = {
  readonly predictionId: string
  /** Null for the prediction itself. */
  readonly mode: JudgeMode | null
  readonly event: NostrEvent
}

const UnsignedVerdict = z.object({
  id: z.coerce.number(),
  predictionId: z.string(),
  verdict: Evidence,
  change: z.string(),
  /** Unix time in ms. */
  at: z.string().transform(Date.parse),
  /** The sentence of the event, such as the reason of an override. */
  note: z.string(),
  /** Whether the claim was corrected after the verdict, which then does not refer to the current claim. */
  isRestated: z.boolean(),
})
export type UnsignedVerdict = z.output<typeof UnsignedVerdict>

/** Verdicts not signed by this key, including replaced ones, oldest first. */
export function unsignedVerdicts(db: Db, pubkey: string, most: number): Promise<UnsignedVerdict[]> {
  return readRows(db, UnsignedVerdict)`
    select id, prediction_id as "predictionId", evidence as verdict, change, computed_at as at,
      coalesce((select e.text from prediction_events e where e.verdict_id = verdicts.id order by e.id limit 1), '') as note,
      exists (select from prediction_events e where e.prediction_id = verdicts.prediction_id
        and e.kind = 'edited' and e.at > verdicts.computed_at)
      or exists (select from verdicts v where v.prediction_id = verdicts.prediction_id
        and v.mode = verdicts.mode and v.change = 'statement' and v.id > verdicts.id) as "isRestated"
    from verdicts where not exists (
      select from record_events r where r.pubkey = ${pubkey} and r.verdict_id = verdicts.id)
    order by id limit ${most}`
}

/** Time of the last change of each prediction itself, Unix time in ms. */
export async function lastChanges(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: predictionEvents.predictionId, at: sql<string>`max(${predictionEvents.at})` })
    .from(predictionEvents)
    .where(inArray(predictionEvents.kind, ['published', 'edited', 'withdrawn', 'restored']))
    .groupBy(predictionEvents.predictionId)
  return new Map(rows.map(({ id, at }) => [id, Date.parse(at)]))
}

/** The newest events of a key: for all predictions, or the verdicts of some. */
export async function recordInForce(db: Db, pubkey: string, of: 'predictions' | readonly string[]) {
  return db
    .selectDistinctOn([recordEvents.kind, recordEvents.d], RECORD)
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
}

/** Adds events of the record. Requires `lockSigning`. */
export async function addRecordEvents(
  tx: Db,
  events: readonly (RecordEvent & { readonly verdictId: number | null })[],
  at: string,
): Promise<void> {
  if (events.length === 0) return
  await tx
    .insert(nostrEvents)
    .values(
      events.map(({ event }) => ({
        id: event.id,
        purpose: 'record' as const,
        ref: null,
        event,
        signedAt: at,
      })),
    )
    .onConflictDoNothing()
  await tx.insert(recordEvents).values(
    events.map(({ event, predictionId, mode, verdictId }) => ({
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

export async function recordOf(db: Db, predictionId: string): Promise<RecordEvent[]> {
  return db
    .select(RECORD)
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(eq(recordEvents.predictionId, predictionId))
    .orderBy(desc(recordEvents.id))
}

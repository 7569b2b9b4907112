import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { type PostKind } from '#domain/publishing/social-post.ts'
import { predictionEvents, verdicts } from '#server/database/schema/predictions.ts'
import { isOtherOutcome } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'

export type NewsOnRecord = Awaited<ReturnType<typeof newsOnRecord>>[number]

const KIND = sql<Exclude<PostKind, 'manual'>>`case ${predictionEvents.kind}
  when 'published' then 'prediction'
  when 'judged' then 'verdict'
  when 'changed' then 'verdict'
  else 'correction' end`

/**
 * Recent events without a post, newest first: published submissions, verdicts caused by prices, and
 * corrections. Excludes imports, and verdicts of long ago.
 */
export async function newsOnRecord(
  db: Db,
  page: { since: string; sinceDay: string; before: number | null; most: number },
) {
  const { since, sinceDay, before, most } = page
  return db
    .select({
      event: predictionEvents.id,
      at: predictionEvents.at,
      predictionId: predictionEvents.predictionId,
      kind: KIND,
      /** As in the public history. */
      text: predictionEvents.text,
      outcome: verdicts.outcome,
      isWithdrawal: sql<boolean>`${predictionEvents.kind} = 'withdrawn'`,
    })
    .from(predictionEvents)
    .leftJoin(verdicts, eq(verdicts.id, predictionEvents.verdictId))
    .where(
      and(
        gte(predictionEvents.at, since),
        before === null ? undefined : lt(predictionEvents.id, before),
        sql`(${isSubmitted()} or ${isVerdict(sinceDay)} or ${IS_CORRECTION})`,
        sql`not exists (select from dismissed_proposals d where d.event_id = ${predictionEvents.id})`,
        HAS_NO_POST,
      ),
    )
    .orderBy(desc(predictionEvents.id))
    .limit(most)
}

function isSubmitted() {
  return sql`(${predictionEvents.kind} = 'published' and exists (
    select from submissions s where s.prediction_id = ${predictionEvents.predictionId}))`
}

function isVerdict(sinceDay: string) {
  return sql`(${predictionEvents.kind} in ('judged', 'changed') and ${isNewVerdict()} and ${verdicts.day} >= ${sinceDay})`
}

/** A verdict caused by prices and still in force. The same outcome with better evidence is not news. */
function isNewVerdict() {
  return sql`(${verdicts.mode} = 'touch' and ${verdicts.change} = 'prices' and ${verdicts.outcome} in ('hit', 'miss')
    and ${isOtherOutcome()}
    and not exists (select from verdicts v where v.prediction_id = ${verdicts.predictionId} and v.mode = 'touch'
      and v.id > ${verdicts.id} and v.outcome <> ${verdicts.outcome}))`
}

/** A correction still in force: not edited again, restored or decided again. */
const IS_CORRECTION = sql`(${predictionEvents.kind} = 'edited' and not exists (select from prediction_events e
    where e.prediction_id = ${predictionEvents.predictionId} and e.kind = 'edited' and e.id > ${predictionEvents.id})
  or ${predictionEvents.kind} = 'withdrawn' and not exists (select from prediction_events e
    where e.prediction_id = ${predictionEvents.predictionId} and e.kind = 'restored' and e.id > ${predictionEvents.id})
  or ${predictionEvents.kind} = 'overridden' and ${verdicts.mode} = 'touch' and not exists (select from verdicts v
    where v.prediction_id = ${verdicts.predictionId} and v.mode = 'touch' and v.id > ${verdicts.id}))`

/** Posts may also exist without the proposal: by hand, automatic, or to approve the submission. */
const HAS_NO_POST = sql`not exists (select from social_posts p where p.state <> 'cancelled' and (
  p.event_id = ${predictionEvents.id}
  or p.verdict_id = ${verdicts.id}
  or p.prediction_id = ${predictionEvents.predictionId} and p.kind = ${KIND} and p.created_at >= ${predictionEvents.at}
  or ${predictionEvents.kind} = 'published' and exists (
    select from submissions s where s.id = p.submission_id and s.prediction_id = ${predictionEvents.predictionId})))`

/** Recent verdicts without an automatic post. */
export async function newVerdicts(db: Db, since: string) {
  const { id: verdictId, predictionId, outcome, computedAt } = verdicts
  return db
    .select({ verdictId, predictionId, outcome })
    .from(verdicts)
    .where(
      and(
        gte(computedAt, since),
        isNewVerdict(),
        sql`not exists (select from social_posts s where s.verdict_id = ${verdictId} and s.is_automatic)`,
      ),
    )
    .orderBy(desc(verdictId))
    .limit(50)
}

export async function predictionOfEvent(db: Db, event: number): Promise<string | null> {
  const rows = await db
    .select({ id: predictionEvents.predictionId })
    .from(predictionEvents)
    .where(eq(predictionEvents.id, event))
  return rows[0]?.id ?? null
}

import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import {
  type RevisionDecision,
  AGAIN_DAYS,
  reachedAfterIn,
  revisionChains,
  SAME_LEVEL,
  type RevisionChain,
} from '#domain/scoring/repeats.ts'
import { type Db } from '#server/kit/db.ts'
import { revisionDecisions as table } from '#server/database/schema/corrections.ts'
import { type GoalpostsRow } from '#contracts/predictions.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, showTimeBetween } from '#domain/day.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { z } from 'zod'
import { HIGHEST, LOWEST, splitOf } from '#server/record/list-query.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

export type StoredDecision = RevisionDecision & { readonly at: string; readonly username: string }

const columns = {
  earlier: table.earlierId,
  later: table.laterId,
  state: table.state,
  at: table.at,
  username: table.username,
}

export function loadDecisions(db: Db): Promise<StoredDecision[]> {
  return db
    .select(columns)
    .from(table)
    .orderBy(asc(table.at), asc(table.earlierId), asc(table.laterId))
}

export async function saveDecision(tx: Db, given: StoredDecision): Promise<void> {
  const { earlier, later, ...rest } = given
  await tx
    .insert(table)
    .values({ earlierId: earlier, laterId: later, ...rest })
    .onConflictDoUpdate({ target: [table.earlierId, table.laterId], set: rest })
}

export async function removeDecision(
  tx: Db,
  { earlier, later }: Pick<StoredDecision, 'earlier' | 'later'>,
): Promise<void> {
  await tx.delete(table).where(and(eq(table.earlierId, earlier), eq(table.laterId, later)))
}

type Chain = RevisionChain<JudgedPrediction>

export async function chainsAmong(
  record: Pick<PublicRecord, 'prices'>,
  calls: readonly JudgedPrediction[],
  decisions: readonly RevisionDecision[],
): Promise<readonly Chain[]> {
  const prices = await record.prices()
  return revisionChains(
    calls,
    decisions,
    reachedAfterIn((asset) => prices[asset].series),
  )
}

/** @param calls all predictions of one person */
export async function revisionsAmong(
  db: Db,
  record: PublicRecord,
  calls: readonly JudgedPrediction[],
): Promise<readonly Chain[]> {
  return chainsAmong(record, calls, await loadDecisions(db))
}

/** The calls of everybody that may be revisions of one another; a little wider than `revisionChains`, which decides. */
export async function revisable(record: PublicRecord): Promise<JudgedPrediction[]> {
  const split = splitOf((await record.prices()).actions)
  const isNear = (level: 'low' | 'high'): SQL =>
    sql.raw(
      `abs(a.${level} - b.${level}) <= ${String(SAME_LEVEL)} * 1.001 * greatest(a.${level}, b.${level})`,
    )
  const found = await record.query(
    z.object({ id: z.string() }),
    {},
    (condition) => sql`
      with calls as (
        select predictions.id, influencer_id, asset, made, target_date, ${LOWEST} / (${split}) as low,
          ${HIGHEST} / (${split}) as high
        from predictions where ${condition} and not deadline_assumed and touch_outcome <> 'void'
      )
      select distinct unnest(array[a.id, b.id]) as id from calls a join calls b
        on b.influencer_id = a.influencer_id and b.asset = a.asset and b.made > a.made
          and b.target_date > a.target_date and b.made <= a.target_date + ${AGAIN_DAYS}::int
          and (${isNear('low')} or ${isNear('high')})`,
  )
  return record.byIds(found.map(({ id }) => id))
}

export function goalpostsRow({ calls, links, days }: Chain): GoalpostsRow {
  const last = calls.at(-1) ?? calls[1]
  return {
    delay_days: days,
    delay: showTimeBetween(calls[0].by, last.by),
    calls: calls.map((call, i) => ({
      id: call.id,
      price_prediction: showClaim(call.said),
      prediction_made: isoDay(call.made),
      made_precision: call.madePrecision,
      target_time: isoDay(call.by),
      target_precision: call.byPrecision,
      outcome: call.verdicts.touch.outcome,
      link: links[i - 1] ?? null,
    })),
  }
}

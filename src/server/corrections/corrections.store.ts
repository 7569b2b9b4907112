import { and, asc, count, desc, eq, sql, type SQL } from 'drizzle-orm'
import { type AssetKey } from '#domain/asset.ts'
import { type Published } from '#domain/correction.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { type Db, hasEffect, PAGE_SIZE, wordsOf } from '#server/kit/db.ts'
import { recordedColumns } from '#server/predictions/predictions.rows.ts'

export type PublishedFilter = {
  readonly asset: AssetKey | 'all'
  readonly state: 'all' | 'live' | 'withdrawn' | 'frozen' | 'overridden' | 'off-chart'
  readonly q: string
  readonly page: number
}

const outcomeBy = (mode: JudgeMode) =>
  sql<Outcome | null>`case when ${sql.raw(`${mode}_verdict`)} is not null then ${sql.raw(`${mode}_outcome`)} end`
const IS_OVERRIDDEN = sql<boolean>`('overridden' in (touch_reason, close_reason)) is true`
const IS_IN: Readonly<Record<Exclude<PublishedFilter['state'], 'all'>, SQL>> = {
  live: sql`withdrawn_at is null`,
  withdrawn: sql`withdrawn_at is not null`,
  frozen: sql`frozen_at is not null`,
  overridden: IS_OVERRIDDEN,
  'off-chart': sql`exclude_from_chart`,
}

/** One page of published predictions, newest first, including withdrawn ones. */
export async function listPublished(db: Db, { asset, state, q, page }: PublishedFilter) {
  const { type, priceTarget, priceMin, priceMax, timing, direction } = predictions
  const where = and(
    asset === 'all' ? undefined : eq(predictions.asset, asset),
    state === 'all' ? undefined : IS_IN[state],
    ...wordsOf(q).map(
      (word) =>
        sql`(influencers.name || ' ' || predictions.id || ' ' || summary || ' ' || coalesce((
          select string_agg(s.url, ' ') from sources s where s.prediction_id = predictions.id), '')) ilike ${word}`,
    ),
  )
  const isOf = eq(influencers.id, predictions.influencerId)
  const [counted] = await db
    .select({ total: count() })
    .from(predictions)
    .innerJoin(influencers, isOf)
    .where(where)
  const rows = await db
    .select({
      id: predictions.id,
      asset_type: predictions.asset,
      expert_id: influencers.id,
      expert_name: influencers.name,
      prediction_type: type,
      stated: { type, priceTarget, priceMin, priceMax, timing, direction },
      prediction_made: predictions.made,
      target_time: predictions.targetDate,
      touch: outcomeBy('touch'),
      close: outcomeBy('close'),
      overridden: IS_OVERRIDDEN,
      frozen: sql<boolean>`frozen_at is not null`,
      withdrawn: sql<boolean>`withdrawn_at is not null`,
      exclude_from_chart: predictions.excludeFromChart,
      version: predictions.version,
    })
    .from(predictions)
    .innerJoin(influencers, isOf)
    .where(where)
    .orderBy(desc(predictions.made), asc(predictions.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  return { total: counted?.total ?? 0, rows }
}

export async function remarksOf(db: Db, id: string): Promise<string | null> {
  const [row] = await db
    .select({ remarks: predictions.remarks })
    .from(predictions)
    .where(eq(predictions.id, id))
  return row?.remarks ?? null
}

/** Columns set by an edit; sources are separate rows. */
export function columnsOf(prediction: Published): Partial<typeof predictions.$inferInsert> {
  return {
    ...recordedColumns(prediction),
    remarks: prediction.remarks,
    chartValue: prediction.chartValue,
    excludeFromChart: prediction.excludeFromChart,
  }
}

/** Writes a change and raises the version. @returns false if the row's version differs */
export function changePrediction(
  tx: Db,
  id: string,
  version: number,
  set: Partial<typeof predictions.$inferInsert>,
): Promise<boolean> {
  return hasEffect(
    tx
      .update(predictions)
      .set({ ...set, version: version + 1 })
      .where(and(eq(predictions.id, id), eq(predictions.version, version))),
  )
}

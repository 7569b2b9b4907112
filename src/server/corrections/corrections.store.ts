import { PAGE_SIZE, wordsOf } from '#server/kit/paging.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Published } from '#domain/correction.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { recordedColumns } from '#server/predictions/predictions.rows.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { rowsOf } from '#server/kit/rows.ts'

export type PublishedFilter = {
  readonly asset: AssetKey | 'all'
  readonly state: 'all' | 'live' | 'withdrawn' | 'frozen' | 'overridden' | 'off-chart'
  readonly q: string
  readonly page: number
}

const outcome = z.enum(['hit', 'miss', 'pending', 'void']).nullable()
const ListRow = z.object({
  id: z.string(),
  asset: z.enum(['btc', 'mstr', 'naka']),
  influencer_id: z.coerce.number(),
  name: z.string(),
  type: z.enum(PREDICTION_TYPES),
  price_target: z.number().nullable(),
  price_min: z.number().nullable(),
  price_max: z.number().nullable(),
  timing: z.enum(TIMINGS),
  direction: z.enum(DIRECTIONS).nullable(),
  made: z.string(),
  target_date: z.string(),
  touch: outcome,
  close: outcome,
  overridden: z.boolean(),
  frozen: z.boolean(),
  withdrawn: z.boolean(),
  exclude_from_chart: z.boolean(),
  version: z.int(),
})
export type PublishedRow = z.infer<typeof ListRow>

/** One page of what is published, newest first; withdrawn ones too. */
export async function listPublished(
  db: Db,
  filter: PublishedFilter,
): Promise<{ total: number; rows: PublishedRow[] }> {
  const where = whereOf(filter)
  const counted = await db.execute(sql`
    select count(*)::int as n from predictions p join influencers i on i.id = p.influencer_id where ${where}`)
  const found = await db.execute(sql`
    with page as (
      select p.*, i.name from predictions p join influencers i on i.id = p.influencer_id
      where ${where} order by p.made desc, p.id
      limit ${PAGE_SIZE} offset ${(filter.page - 1) * PAGE_SIZE}
    )
    select page.id, page.asset, page.influencer_id, page.name, page.type, page.price_target, page.price_min,
      page.price_max, page.timing, page.direction, page.made::text as made, page.target_date::text as target_date,
      t.outcome as touch, c.outcome as close,
      coalesce(t.change = 'override', false) or coalesce(c.change = 'override', false) as overridden,
      page.frozen_at is not null as frozen, page.withdrawn_at is not null as withdrawn,
      page.exclude_from_chart, page.version
    from page
    left join lateral (${inForce('page', 'touch')}) t on true
    left join lateral (${inForce('page', 'close')}) c on true
    order by page.made desc, page.id`)
  return {
    total: z.array(z.object({ n: z.int() })).parse(rowsOf(counted))[0]?.n ?? 0,
    rows: z.array(ListRow).parse(rowsOf(found)),
  }
}

function inForce(of: 'page' | 'p', mode: 'touch' | 'close'): SQL {
  return sql`select v.outcome, v.change from verdicts v
    where v.prediction_id = ${sql.raw(of)}.id and v.mode = ${mode} order by v.id desc limit 1`
}

function whereOf({ asset, state, q }: PublishedFilter): SQL {
  const parts: SQL[] = [sql`true`]
  if (asset !== 'all') parts.push(sql`p.asset = ${asset}`)
  if (state === 'live') parts.push(sql`p.withdrawn_at is null`)
  if (state === 'withdrawn') parts.push(sql`p.withdrawn_at is not null`)
  if (state === 'frozen') parts.push(sql`p.frozen_at is not null`)
  if (state === 'off-chart') parts.push(sql`p.exclude_from_chart`)
  if (state === 'overridden') {
    parts.push(sql`exists (select from (${inForce('p', 'touch')}) t where t.change = 'override'
      union all select from (${inForce('p', 'close')}) c where c.change = 'override')`)
  }
  for (const word of wordsOf(q)) {
    parts.push(
      sql`(i.name || ' ' || p.id || ' ' || p.summary || ' ' || coalesce((
        select string_agg(s.url, ' ') from sources s where s.prediction_id = p.id), '')) ilike ${word}`,
    )
  }
  return sql.join(parts, sql` and `)
}

/** What only administrators see of a prediction. */
export async function remarksOf(db: Db, id: string): Promise<string | null> {
  const [row] = await db
    .select({ remarks: predictions.remarks })
    .from(predictions)
    .where(eq(predictions.id, id))
  return row?.remarks ?? null
}

/** The columns of an edit; its sources are rows of their own. */
export function columnsOf(given: Published): Partial<typeof predictions.$inferInsert> {
  return {
    ...recordedColumns(given),
    remarks: given.remarks,
    chartValue: given.chartValue,
    excludeFromChart: given.excludeFromChart,
  }
}

/** Writes a change and counts it. @returns false when the row is no longer of this version */
export async function changePrediction(
  tx: Db,
  id: string,
  version: number,
  set: Partial<typeof predictions.$inferInsert>,
): Promise<boolean> {
  const rows = await tx
    .update(predictions)
    .set({ ...set, version: version + 1 })
    .where(and(eq(predictions.id, id), eq(predictions.version, version)))
    .returning({ id: predictions.id })
  return rows.length > 0
}

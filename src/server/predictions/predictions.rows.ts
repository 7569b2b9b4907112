import { sourceOfRow } from '#contracts/prediction-wire.ts'
import { type SourceRow } from '#contracts/source.ts'
import { claimOfRow, columnsOfClaim, predictionType } from '#domain/claim/fields.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { dayFromNumber, isoDay, type DatePrecision } from '#domain/day.ts'
import { type Recorded } from '#domain/claim/prediction.ts'
import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { insertMany } from '#server/kit/insert-many.ts'
import { replaceSources, sourceRowsOf } from '#server/sources/sources.rows.ts'
import { withAddress } from '#domain/claim/given-sources.ts'
import { areSameSources } from '#domain/claim/source.ts'

/** A published prediction as stored, without verdicts. */
export type StoredPrediction = Recorded & {
  readonly id: string
  readonly expert: {
    readonly id: number
    readonly name: string
    readonly slug: string
    readonly handle: string | null
    readonly score: number
    readonly isFirm: boolean
  }
  readonly chartValue: number | null
  readonly excludeFromChart: boolean
  readonly voteScore: number
  readonly version: number
  /** Set while its verdicts are kept as they are. */
  readonly frozenAt: string | null
  /** Set while it is taken off the lists; nothing judges it meanwhile. */
  readonly withdrawn: { readonly at: string; readonly reason: string } | null
  readonly createdAt: string
}

/** What is written of a prediction; the rest has defaults. */
export type NewPrediction = Omit<
  StoredPrediction,
  | 'expert'
  | 'chartValue'
  | 'excludeFromChart'
  | 'voteScore'
  | 'version'
  | 'frozenAt'
  | 'withdrawn'
  | 'createdAt'
> & { readonly influencerId: number; readonly remarks: string | null }

/** All published predictions, in the order they were published. */
export async function loadPredictions(db: Db): Promise<StoredPrediction[]> {
  return select(db, undefined)
}

/** The ids of the published predictions of an asset, in the order they were published. */
export async function idsInOrder(db: Db, asset: AssetKey): Promise<string[]> {
  const rows = await db
    .select({ id: predictions.id })
    .from(predictions)
    .where(eq(predictions.asset, asset))
    .orderBy(asc(predictions.createdAt), asc(predictions.id))
  return rows.map(({ id }) => id)
}

export async function predictionById(db: Db, id: string): Promise<StoredPrediction | null> {
  return (await select(db, eq(predictions.id, id)))[0] ?? null
}

/**
 * Those among these that are on record, in the order they were published.
 *
 * @param experts those that were read before, by id: thousands of predictions share them
 */
export async function predictionsByIds(
  db: Db,
  ids: readonly string[],
  experts: Experts = new Map(),
): Promise<ReadonlyMap<string, StoredPrediction>> {
  if (ids.length === 0) return new Map()
  const rows = await select(db, sql`${predictions.id} = any(${sql.param(ids)}::text[])`, experts)
  return new Map(rows.map((row) => [row.id, row]))
}

/** How many of these ids, each given once, are not on record. */
export async function countUnknown(db: Db, ids: readonly string[]): Promise<number> {
  return ids.length - (await db.$count(predictions, inArray(predictions.id, [...ids])))
}

/** What is written; with `isAddressAlone`, its one source joins those that are stored ({@link withAddress}), else its sources replace them. */
type GivenPrediction = NewPrediction & { readonly isAddressAlone?: boolean }

type Saved = 'added' | 'changed' | 'same'

const Written = z.array(z.object({ id: z.string(), is_new: z.boolean() }))

/**
 * Adds predictions, or brings those of these ids to what is given. One that an administrator has corrected stays as it is.
 *
 * @param tx a transaction, as their sources are further rows
 * @param given each id once
 * @returns for each of them what was done; `same` when nothing was written
 */
export async function savePredictions(
  tx: Db,
  given: readonly GivenPrediction[],
): Promise<ReadonlyMap<string, Saved>> {
  const answer = await insertMany(
    tx,
    predictions,
    given.map((one) => ({
      id: one.id,
      asset: one.asset,
      influencerId: one.influencerId,
      ...recordedColumns(one),
      remarks: one.remarks,
    })),
    sql`on conflict (id) do update set ${sql.raw(COMPARED.map((column) => `${column} = excluded.${column}`).join(', '))}
      where predictions.version = 0 and (${columnList('predictions')}) is distinct from (${columnList('excluded')})
      returning id, xmax = 0 as is_new`,
  )
  const written = new Map(Written.parse(answer).map(({ id, is_new }) => [id, is_new]))
  const stored = await predictionsByIds(
    tx,
    given.flatMap(({ id }) => (written.get(id) ? [] : id)),
  )
  const saved = new Map<string, Saved>()
  const sources: { predictionId: string; given: GivenPrediction['sources'] }[] = []
  for (const one of given) {
    const now = stored.get(one.id)
    const all = sourcesAfter(now?.sources ?? [], one)
    const isWritten = written.has(one.id)
    const isKept = now !== undefined && (now.version > 0 || areSameSources(now.sources, all))
    if (!isWritten && isKept) {
      saved.set(one.id, 'same')
      continue
    }
    sources.push({ predictionId: one.id, given: all })
    saved.set(one.id, written.get(one.id) ? 'added' : 'changed')
  }
  await replaceSources(tx, sources)
  return saved
}

/** A row that names no source at all leaves those that are known. */
function sourcesAfter(
  stored: NewPrediction['sources'],
  { sources, isAddressAlone = false }: GivenPrediction,
): NewPrediction['sources'] {
  if (!isAddressAlone) return sources
  const [first] = sources
  return first ? withAddress(stored, first) : stored
}

const COMPARED = [
  'asset',
  'influencer_id',
  'type',
  'price_target',
  'price_min',
  'price_max',
  'made',
  'made_precision',
  'start_date',
  'target_date',
  'target_precision',
  'deadline_assumed',
  'summary',
  'remarks',
]

function columnList(table: 'predictions' | 'excluded'): SQL {
  return sql.raw(COMPARED.map((column) => `${table}.${column}`).join(', '))
}

/** The columns of what was said and when; the asset never changes, and sources are rows of their own. */
export function recordedColumns(given: Recorded) {
  return {
    type: predictionType(given.said.type),
    ...columnsOfClaim(given.said),
    made: isoDay(given.made),
    madePrecision: given.madePrecision,
    startDate: given.from === null ? null : isoDay(given.from),
    targetDate: isoDay(given.by),
    targetPrecision: given.byPrecision,
    deadlineAssumed: given.deadlineAssumed,
    summary: given.summary,
  }
}

/** A row as the query below gives it: one per prediction, days as numbers since 1970-01-01. */
type Row = Pick<
  typeof predictions.$inferSelect,
  'id' | 'asset' | 'type' | 'summary' | 'version'
> & {
  readonly price_target: number | null
  readonly price_min: number | null
  readonly price_max: number | null
  readonly made: number
  readonly made_precision: DatePrecision
  readonly from: number | null
  readonly by: number
  readonly target_precision: DatePrecision
  readonly deadline_assumed: boolean
  readonly chart_value: number | null
  readonly exclude_from_chart: boolean
  readonly vote_score: number
  readonly frozen_at: string | null
  readonly withdrawn_at: string | null
  readonly withdrawn_reason: string | null
  readonly created_at: string
  readonly sources: readonly SourceRow[]
  readonly influencer_id: number
  readonly name: string
  readonly slug: string
  readonly handle: string | null
  readonly score: number
  readonly is_firm: boolean
}

export type Experts = Map<number, StoredPrediction['expert']>

function expertOf(row: Row, experts: Experts): StoredPrediction['expert'] {
  const { influencer_id: id, name, slug, handle, score, is_firm: isFirm } = row
  const known = experts.get(id)
  if (known?.name === name && known.slug === slug && known.handle === handle) {
    if (known.score === score && known.isFirm === isFirm) return known
  }
  const expert = { id, name, slug, handle, score, isFirm }
  experts.set(id, expert)
  return expert
}

/** The words of the code in place of those of each row, which would be texts of their own. */
const PRECISIONS = { day: 'day', month: 'month', year: 'year' } as const

/** Written by hand: a start reads thousands of rows, which the query builder reads four times as slowly. */
async function select(
  db: Db,
  where: SQL | undefined,
  experts: Experts = new Map(),
): Promise<StoredPrediction[]> {
  const result = await db.execute(sql`
    select predictions.id, predictions.asset, predictions.type, price_target, price_min, price_max,
      made - date '1970-01-01' as made, made_precision, start_date - date '1970-01-01' as from,
      target_date - date '1970-01-01' as by, target_precision, deadline_assumed, summary,
      chart_value, exclude_from_chart, vote_score, predictions.version,
      frozen_at, withdrawn_at, withdrawn_reason, predictions.created_at, ${sourceRowsOf('prediction')} as sources,
      influencers.id::float8 as influencer_id, influencers.name, slug, score, is_firm,
      (select text from influencer_names n where n.influencer_id = influencers.id and n.kind = 'handle' and n.main) as handle
    from predictions join influencers on influencers.id = predictions.influencer_id
    where ${where ?? sql`true`}
    order by predictions.created_at, predictions.id`)
  return (rowsOf(result) as readonly Row[]).map((row) => ({
    id: row.id,
    asset: ASSETS[row.asset].key,
    expert: expertOf(row, experts),
    said: claimOfRow(row),
    made: dayFromNumber(row.made),
    madePrecision: PRECISIONS[row.made_precision],
    from: row.from === null ? null : dayFromNumber(row.from),
    by: dayFromNumber(row.by),
    byPrecision: PRECISIONS[row.target_precision],
    deadlineAssumed: row.deadline_assumed,
    summary: row.summary,
    sources: row.sources.map(sourceOfRow),
    chartValue: row.chart_value,
    excludeFromChart: row.exclude_from_chart,
    voteScore: row.vote_score,
    version: row.version,
    frozenAt: row.frozen_at,
    withdrawn:
      row.withdrawn_at === null ? null : { at: row.withdrawn_at, reason: row.withdrawn_reason ?? '' },
    createdAt: row.created_at,
  }))
}

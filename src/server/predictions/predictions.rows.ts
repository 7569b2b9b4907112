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
import { replaceSources } from '#server/sources/sources.rows.ts'
import { withAddress } from '#domain/claim/given-sources.ts'
import { areSameSources, type Source } from '#domain/claim/source.ts'

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
  return select(db, 'all')
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
  return (await select(db, [id]))[0] ?? null
}

/** Those among these that are on record, in the order they were published. */
export async function predictionsByIds(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPrediction>> {
  if (ids.length === 0) return new Map()
  const rows = await select(db, ids)
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

/** What few predictions have. */
type Rare = {
  readonly chart_value: number | null
  readonly exclude_from_chart: boolean
  readonly vote_score: number
  readonly version: number
  readonly frozen_at: string | null
  readonly withdrawn_at: string | null
  readonly withdrawn_reason: string | null
}

/** Kind, address, date, archived address, quotation, speaker, the day since which it is dead, and its place. */
type SourceCell = readonly [SourceRow['kind'], string, ...(readonly (string | null)[])]

/** A row of `STORED`, days as numbers since 1970-01-01. */
export type StoredRow = Pick<
  typeof predictions.$inferSelect,
  'id' | 'asset' | 'type' | 'summary'
> & {
  readonly influencer_id: number
  readonly price_target: number | null
  readonly price_min: number | null
  readonly price_max: number | null
  readonly made: number
  readonly made_precision: DatePrecision
  readonly from: number | null
  readonly by: number
  readonly target_precision: DatePrecision
  readonly deadline_assumed: boolean
  readonly created_ms: number
  readonly rare: Rare | null
  readonly sources: readonly SourceCell[] | null
}

/**
 * What is read of `predictions`. By hand, and with few columns: a start reads thousands of rows, and each value of each
 * takes its time.
 */
export const STORED = sql`
  predictions.id, asset, type, summary, predictions.influencer_id::float8, price_target, price_min, price_max,
  made - date '1970-01-01' as made, made_precision, start_date - date '1970-01-01' as from,
  target_date - date '1970-01-01' as by, target_precision, deadline_assumed,
  extract(epoch from predictions.created_at)::float8 * 1000 as created_ms,
  case
    when predictions.version = 0 and vote_score = 0 and not exclude_from_chart
      and coalesce(chart_value::text, frozen_at::text, withdrawn_at::text) is null then null
    else json_build_object(
      'chart_value', chart_value, 'exclude_from_chart', exclude_from_chart, 'vote_score', vote_score,
      'version', predictions.version, 'frozen_at', frozen_at::text, 'withdrawn_at', withdrawn_at::text,
      'withdrawn_reason', withdrawn_reason)
  end as rare, cited.sources`

/** Which predictions: those with these ids, from one id to another in the order of the database, or all. */
export type Some = readonly string[] | { readonly from: string; readonly through: string } | 'all'

/** @param column the name of a column of ids */
export function among(some: Some, column: string): SQL {
  const id = sql.raw(column)
  if (some === 'all') return sql`${id} is not null`
  return 'from' in some
    ? sql`${id} between ${some.from} and ${some.through}`
    : sql`${id} = any(${sql.param(some)}::text[])`
}

/** The sources of each of these predictions, a row for each that has any. */
export function citedBy(some: Some, more: SQL = sql``): SQL {
  return sql`
    select prediction_id, json_agg(json_build_array(kind, sources.url, date, archived_url, quotation, speaker,
      to_char(dead_since at time zone 'UTC', 'YYYY-MM-DD'), position)) as sources ${more}
    from sources left join source_checks on source_checks.url = sources.url
    where ${among(some, 'prediction_id')} group by 1`
}

async function select(db: Db, some: Some): Promise<StoredPrediction[]> {
  const result = await db.execute(sql`
    select ${STORED} from predictions
    left join (${citedBy(some)}) cited on cited.prediction_id = predictions.id
    where ${among(some, 'predictions.id')}
    order by predictions.created_at, predictions.id`)
  const rows = rowsOf(result) as readonly StoredRow[]
  const experts = await expertsOf(db, rows)
  return rows.map((row) => storedOf(row, experts))
}

/** People and firms by id: thousands of predictions share them. */
export type Experts = ReadonlyMap<number, StoredPrediction['expert']>

/** Those of these predictions, or all. */
export async function expertsOf(
  db: Db,
  rows: readonly Pick<StoredRow, 'influencer_id'>[] | 'all',
): Promise<Experts> {
  const ids = rows === 'all' ? [] : [...new Set(rows.map((row) => row.influencer_id))]
  if (rows !== 'all' && ids.length === 0) return new Map()
  const result = await db.execute(sql`
    select id::float8, name, slug, score, is_firm as "isFirm",
      (select text from influencer_names n where n.influencer_id = influencers.id and n.kind = 'handle' and n.main) as handle
    from influencers
    where ${rows === 'all' ? sql`true` : sql`id = any(${sql.param(ids)}::bigint[])`}`)
  const experts = rowsOf(result) as readonly StoredPrediction['expert'][]
  return new Map(experts.map((one) => [one.id, one]))
}

/** The words of the code in place of those of each row, which would be texts of their own. */
const PRECISIONS = { day: 'day', month: 'month', year: 'year' } as const

/** @param experts with that of this prediction */
export function storedOf(row: StoredRow, experts: Experts): StoredPrediction {
  const { rare } = row
  const expert = experts.get(row.influencer_id)
  if (!expert) throw new Error(`prediction ${row.id} has no expert`)
  return {
    id: row.id,
    asset: ASSETS[row.asset].key,
    expert,
    said: claimOfRow(row),
    made: dayFromNumber(row.made),
    madePrecision: PRECISIONS[row.made_precision],
    from: row.from === null ? null : dayFromNumber(row.from),
    by: dayFromNumber(row.by),
    byPrecision: PRECISIONS[row.target_precision],
    deadlineAssumed: row.deadline_assumed,
    summary: row.summary,
    sources: sourcesOf(row.sources ?? []),
    chartValue: rare?.chart_value ?? null,
    excludeFromChart: rare?.exclude_from_chart ?? false,
    voteScore: rare?.vote_score ?? 0,
    version: rare?.version ?? 0,
    frozenAt: rare?.frozen_at ?? null,
    withdrawn: rare?.withdrawn_at
      ? { at: rare.withdrawn_at, reason: rare.withdrawn_reason ?? '' }
      : null,
    createdAt: new Date(row.created_ms).toISOString(),
  }
}

function sourcesOf(cells: readonly SourceCell[]): readonly Source[] {
  const inOrder =
    cells.length < 2 ? cells : cells.toSorted((a, b) => Number(a.at(-1)) - Number(b.at(-1)))
  return inOrder.map(
    ([kind, url, date = null, archived = null, quotation = null, speaker = null, dead = null]) =>
      sourceOfRow({
        kind,
        url,
        date,
        archived_url: archived,
        quotation,
        speaker,
        dead_since: dead,
      }),
  )
}

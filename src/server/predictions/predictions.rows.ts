import { sourceOfRow } from '#contracts/prediction-wire.ts'
import { type SourceRow } from '#contracts/source.ts'
import {
  claimOfRow,
  columnsOfClaim,
  predictionType,
  type PredictionType,
} from '#domain/claim/fields.ts'
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

type SourceCells = readonly [
  kind: SourceRow['kind'],
  url: string,
  date: string | null,
  archivedUrl: string | null,
  quotation: string | null,
  speaker: string | null,
  deadSince: string | null,
]

type Nothing<Cells> = { readonly [Cell in keyof Cells]: null }

/** The values of `STORED` in their order, days as numbers since 1970-01-01. */
export type StoredCells = readonly [
  id: string,
  asset: AssetKey,
  type: PredictionType,
  summary: string,
  influencerId: number,
  target: number | null,
  min: number | null,
  max: number | null,
  made: number,
  madePrecision: DatePrecision,
  from: number | null,
  by: number,
  byPrecision: DatePrecision,
  isDeadlineAssumed: boolean,
  createdMs: number,
  rare: Rare | null,
  more: readonly (readonly [...SourceCells, position: number])[] | null,
  ...first: SourceCells | Nothing<SourceCells>,
]

const sourceCells = (of: string, checked: string): SQL =>
  sql.raw(`
  ${of}.kind, ${of}.url, ${of}.date, ${of}.archived_url, ${of}.quotation, ${of}.speaker,
  to_char(${checked}.dead_since at time zone 'UTC', 'YYYY-MM-DD')`)

/**
 * What is read of `predictions`, as a JSON array. By hand, and with few values: a start reads thousands of rows, and taking
 * each apart column by column takes most of its time. With `SOURCES`.
 */
export const STORED = sql`
  predictions.id, asset, type, summary, predictions.influencer_id, price_target, price_min, price_max,
  made - date '1970-01-01', made_precision, start_date - date '1970-01-01',
  target_date - date '1970-01-01', target_precision, deadline_assumed,
  extract(epoch from predictions.created_at)::float8 * 1000,
  case
    when predictions.version = 0 and vote_score = 0 and not exclude_from_chart
      and coalesce(chart_value::text, frozen_at::text, withdrawn_at::text) is null then null
    else json_build_object(
      'chart_value', chart_value, 'exclude_from_chart', exclude_from_chart, 'vote_score', vote_score,
      'version', predictions.version, 'frozen_at', frozen_at::text, 'withdrawn_at', withdrawn_at::text,
      'withdrawn_reason', withdrawn_reason)
  end,
  more.sources, ${sourceCells('first', 'first_check')}`

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

/** Joins the sources of these predictions: most have one, and the few others are gathered. */
export function withSources(some: Some): SQL {
  return sql`
    left join sources first on first.prediction_id = predictions.id and first.position = 0
      and ${among(some, 'first.prediction_id')}
    left join source_checks first_check on first_check.url = first.url
    left join (
      select prediction_id, json_agg(json_build_array(${sourceCells('sources', 'source_checks')}, position)) as sources,
        sum(sources.xmin::text::bigint) as written, sum(extract(epoch from dead_since)) as dead
      from sources left join source_checks on source_checks.url = sources.url
      where position > 0 and ${among(some, 'prediction_id')} group by 1
    ) more on more.prediction_id = predictions.id`
}

async function select(db: Db, some: Some): Promise<StoredPrediction[]> {
  const result = await db.execute(sql`
    select json_build_array(${STORED}) as cells from predictions ${withSources(some)}
    where ${among(some, 'predictions.id')}
    order by predictions.created_at, predictions.id`)
  const rows = (rowsOf(result) as readonly { readonly cells: StoredCells }[]).map(
    ({ cells }) => cells,
  )
  const experts = await expertsOf(db, [
    ...new Set(rows.map(([, , , , influencerId]) => influencerId)),
  ])
  return rows.map((cells) => storedOf(cells, experts))
}

/** People and firms by id: thousands of predictions share them. */
export type Experts = ReadonlyMap<number, StoredPrediction['expert']>

/** Those with these ids, or all. */
export async function expertsOf(db: Db, ids: readonly number[] | 'all'): Promise<Experts> {
  if (ids.length === 0) return new Map()
  const result = await db.execute(sql`
    select id::float8, name, slug, score, is_firm as "isFirm",
      (select text from influencer_names n where n.influencer_id = influencers.id and n.kind = 'handle' and n.main) as handle
    from influencers
    where ${ids === 'all' ? sql`true` : sql`id = any(${sql.param(ids)}::bigint[])`}`)
  const experts = rowsOf(result) as readonly StoredPrediction['expert'][]
  return new Map(experts.map((one) => [one.id, one]))
}

/** The words of the code in place of those of each row, which would be texts of their own. */
const PRECISIONS = { day: 'day', month: 'month', year: 'year' } as const

/** The last text that was made: the rows of one import share it. */
let lastCreated = { ms: NaN, text: '' }

function createdText(ms: number): string {
  if (lastCreated.ms !== ms) lastCreated = { ms, text: new Date(ms).toISOString() }
  return lastCreated.text
}

/** @param experts with that of this prediction */
export function storedOf(cells: StoredCells, experts: Experts): StoredPrediction {
  const [id, asset, type, summary, influencerId, target, min, max, made, madePrecision] = cells
  const [, , , , , , , , , , from, by, byPrecision, deadlineAssumed, createdMs, rare] = cells
  const expert = experts.get(influencerId)
  if (!expert) throw new Error(`prediction ${id} has no expert`)
  return {
    id,
    asset: ASSETS[asset].key,
    expert,
    said: claimOfRow({ type, price_target: target, price_min: min, price_max: max }),
    made: dayFromNumber(made),
    madePrecision: PRECISIONS[madePrecision],
    from: from === null ? null : dayFromNumber(from),
    by: dayFromNumber(by),
    byPrecision: PRECISIONS[byPrecision],
    deadlineAssumed,
    summary,
    sources: sourcesOf(cells),
    chartValue: rare?.chart_value ?? null,
    excludeFromChart: rare?.exclude_from_chart ?? false,
    voteScore: rare?.vote_score ?? 0,
    version: rare?.version ?? 0,
    frozenAt: rare?.frozen_at ?? null,
    withdrawn: rare?.withdrawn_at
      ? { at: rare.withdrawn_at, reason: rare.withdrawn_reason ?? '' }
      : null,
    createdAt: createdText(createdMs),
  }
}

/** The first source, and the others in their order. */
function sourcesOf(cells: StoredCells): readonly Source[] {
  const [kind, url] = [cells[17], cells[18]]
  const more = (cells[16] ?? [])
    .toSorted((a, b) => a[7] - b[7])
    .map(([k, u, date, archived, quotation, speaker, dead]) =>
      sourceOf([k, u, date, archived, quotation, speaker, dead]),
    )
  if (kind === null || url === null) return more
  return [sourceOf([kind, url, cells[19], cells[20], cells[21], cells[22], cells[23]]), ...more]
}

function sourceOf([kind, url, date, archived, quotation, speaker, dead]: SourceCells): Source {
  return sourceOfRow({
    kind,
    url,
    date,
    archived_url: archived,
    quotation,
    speaker,
    dead_since: dead,
  })
}

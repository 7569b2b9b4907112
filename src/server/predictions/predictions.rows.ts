import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { z } from 'zod'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import {
  claimOfColumns,
  claimOfRow,
  columnsOfClaim,
  PREDICTION_TYPES,
  predictionType,
} from '#domain/claim/fields.ts'
import { type Prediction, type Recorded } from '#domain/claim/prediction.ts'
import { withAddress } from '#domain/claim/source-input.ts'
import { areSameSources } from '#domain/claim/source.ts'
import { DATE_PRECISIONS, day, dayFromNumber, isoDay } from '#domain/day.ts'
import { byMode, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { foldName } from '#domain/people/name.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { type Db, insertMany } from '#server/kit/db.ts'
import { iso } from '#server/kit/time.ts'
import { replaceSources, sourcesOfPrediction } from '#server/sources/sources.rows.ts'

type Plain = 'id' | 'chartValue' | 'excludeFromChart' | 'voteScore' | 'createdAt'

/** A published prediction as stored, without verdicts. */
export type StoredPrediction = Recorded &
  Pick<Prediction, Plain> & {
    readonly expert: Prediction['expert'] & { readonly score: number; readonly isFirm: boolean }
    readonly repeats: string | null
    readonly version: number
    /** Null unless its verdicts are frozen. */
    readonly frozenAt: string | null
    /** Null unless it was withdrawn from lists and judging. */
    readonly withdrawn: { readonly at: string; readonly reason: string } | null
    /** The verdicts in force; null before the first. */
    readonly inForce: Readonly<Record<JudgeMode, Ruling | null>>
  }

type Ruling = Pick<Verdict, 'outcome' | 'reason' | 'day'> & { readonly id: number }

/** Inserted columns; the others have defaults. */
export type NewPrediction = Recorded & {
  readonly id: string
  readonly influencerId: number
  readonly remarks: string | null
}

export async function loadPredictions(db: Db): Promise<StoredPrediction[]> {
  return select(db, 'all')
}

/** Ids of an asset's published predictions in order of publication. */
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

/** Existing ids among these, in order of publication. */
export async function predictionsByIds(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPrediction>> {
  if (ids.length === 0) return new Map()
  const rows = await select(db, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Number of these distinct ids that are not on record. */
export async function countUnknown(db: Db, ids: readonly string[]): Promise<number> {
  return ids.length - (await db.$count(predictions, inArray(predictions.id, [...ids])))
}

/**
 * Values to write; with `isAddressAlone` its source joins the stored ones ({@link withAddress}), else its
 * sources replace them.
 */
type PredictionInput = NewPrediction & { readonly isAddressAlone?: boolean }

export type Saved = 'added' | 'changed' | 'same'

const Written = z.array(z.object({ id: z.string(), is_new: z.boolean() }))

/**
 * Adds or updates predictions, except those corrected by an administrator.
 * @param inputs distinct ids
 * @returns `same` if nothing was written
 */
export async function savePredictions(tx: Db, inputs: readonly PredictionInput[]) {
  const rows = inputs.map((one) => {
    const { asset, influencerId, remarks } = one
    return { id: one.id, asset, influencerId, ...recordedColumns(one), remarks }
  })
  // Without the key: setting it would lock even unchanged rows against payments that refer to them.
  const columns = Object.keys(rows[0] ?? {})
    .filter((key) => key !== 'id')
    .map(toSnakeCase)
  const of = (table: 'predictions' | 'excluded') =>
    sql.raw(`(${columns.map((column) => `${table}.${column}`).join(', ')})`)
  const answer = await insertMany(
    tx,
    predictions,
    rows,
    sql`on conflict (id) do update set (${sql.raw(columns.join(', '))}) = ${of('excluded')}
      where predictions.version = 0 and ${of('predictions')} is distinct from ${of('excluded')}
      returning id, xmax = 0 as is_new`,
  )
  const written = new Map(Written.parse(answer).map(({ id, is_new }) => [id, is_new]))
  const stored = await predictionsByIds(
    tx,
    inputs.flatMap(({ id }) => (written.get(id) ? [] : id)),
  )
  const saved = new Map<string, Saved>()
  const sources: { predictionId: string; list: PredictionInput['sources'] }[] = []
  for (const one of inputs) {
    const now = stored.get(one.id)
    const all = sourcesAfter(now?.sources ?? [], one)
    const isWritten = written.has(one.id)
    const isCurrent = now !== undefined && (now.version > 0 || areSameSources(now.sources, all))
    if (!isWritten && isCurrent) {
      saved.set(one.id, 'same')
      continue
    }
    sources.push({ predictionId: one.id, list: all })
    saved.set(one.id, written.get(one.id) ? 'added' : 'changed')
  }
  await replaceSources(tx, sources)
  return saved
}

/** A row without sources keeps the stored ones. */
function sourcesAfter(
  stored: NewPrediction['sources'],
  { sources, isAddressAlone = false }: PredictionInput,
): NewPrediction['sources'] {
  if (!isAddressAlone) return sources
  const [first] = sources
  return first ? withAddress(stored, first) : stored
}

/** Columns of a claim and its dates; the asset never changes, and sources have their own rows. */
export function recordedColumns(prediction: Recorded) {
  return {
    type: predictionType(prediction.statedClaim.type),
    ...columnsOfClaim(prediction.statedClaim),
    made: isoDay(prediction.made),
    madePrecision: prediction.madePrecision,
    startDate: prediction.from === null ? null : isoDay(prediction.from),
    targetDate: isoDay(prediction.by),
    targetPrecision: prediction.byPrecision,
    deadlineAssumed: prediction.deadlineAssumed,
    summary: prediction.summary,
    search: foldName(prediction.summary),
  }
}

const FOLDED_AT_ONCE = 5_000

/** Fills the folded summary of rows older than its column. */
export async function foldSummaries(tx: Db): Promise<void> {
  for (;;) {
    const rows = await tx
      .select({ id: predictions.id, summary: predictions.summary })
      .from(predictions)
      .where(sql`search = '' and summary ~ '\\w'`)
      .limit(FOLDED_AT_ONCE)
    const folded = rows.flatMap(({ id, summary }) => {
      const search = foldName(summary)
      return search === '' ? [] : [{ id, search }]
    })
    if (folded.length === 0) return
    await tx.execute(sql`
      update predictions set search = given.search
      from json_to_recordset(${JSON.stringify(folded)}::json) as given(id text, search text)
      where predictions.id = given.id`)
  }
}

/** A statement alone, for queries that read many; see `STATED`. Days are numbers since 1970-01-01. */
export const StatedRow = z.object({
  id: z.string(),
  asset: z.enum(ASSET_KEYS),
  type: z.enum(PREDICTION_TYPES),
  price_target: z.number().nullable(),
  price_min: z.number().nullable(),
  price_max: z.number().nullable(),
  timing: z.enum(TIMINGS),
  direction: z.enum(DIRECTIONS).nullable(),
  made_precision: z.enum(DATE_PRECISIONS),
  made: z.int(),
  start: z.int().nullable(),
  target: z.int(),
})

export const STATED =
  sql.raw(`predictions.id, asset, type, price_target, price_min, price_max, timing, direction,
  made_precision, made - date '1970-01-01' as made, start_date - date '1970-01-01' as start,
  target_date - date '1970-01-01' as target`)

export function statedOf(row: z.infer<typeof StatedRow>) {
  return {
    asset: row.asset,
    statedClaim: claimOfRow(row),
    made: dayFromNumber(row.made),
    madePrecision: row.made_precision,
    from: row.start === null ? null : dayFromNumber(row.start),
    by: dayFromNumber(row.target),
  }
}

const onRow = <Value>(text: string): SQL<Value> => sql<Value>`${sql.raw(text)}`

/** The verdict in force of each selected prediction, without evidence; null before the first. */
function rulingCells(mode: JudgeMode): SQL<Ruling | null> {
  return onRow(`case when ${mode}_verdict is null then null else json_build_object(
    'id', ${mode}_verdict, 'outcome', ${mode}_outcome, 'reason', ${mode}_reason,
    'day', ${mode}_day - date '1970-01-01') end`)
}

const { id, asset, madePrecision, deadlineAssumed, summary, chartValue } = predictions
const { excludeFromChart, voteScore, repeats, version, frozenAt } = predictions
const { type, priceTarget, priceMin, priceMax, timing, direction } = predictions
const { made, startDate, targetDate, targetPrecision, createdAt } = predictions
const { withdrawnAt, withdrawnReason } = predictions

const STATEMENT = { id, asset, madePrecision, deadlineAssumed, summary, chartValue }
const STATE = { excludeFromChart, voteScore, repeats, version, frozenAt }

const COLUMNS = {
  ...STATEMENT,
  ...STATE,
  stated: { type, priceTarget, priceMin, priceMax, timing, direction },
  dates: { made, startDate, targetDate, targetPrecision, createdAt },
  withdrawn: { at: withdrawnAt, reason: withdrawnReason },
  inForce: byMode(rulingCells),
  expert: {
    id: influencers.id,
    name: influencers.name,
    slug: influencers.slug,
    score: influencers.score,
    isFirm: influencers.isFirm,
    handle: onRow<string | null>(`(select text from influencer_names n
      where n.influencer_id = influencers.id and n.kind = 'handle' and n.main)`),
  },
  sources: sourcesOfPrediction(),
}

async function select(db: Db, ids: readonly string[] | 'all'): Promise<StoredPrediction[]> {
  const rows = await db
    .select(COLUMNS)
    .from(predictions)
    .innerJoin(influencers, eq(influencers.id, predictions.influencerId))
    .where(ids === 'all' ? undefined : sql`predictions.id = any(${sql.param(ids)}::text[])`)
    .orderBy(asc(predictions.createdAt), sql`predictions.id collate "C"`)
  return rows.map(({ stated, dates, withdrawn: { at, reason }, ...row }) => ({
    ...row,
    statedClaim: claimOfColumns(stated),
    made: day(dates.made),
    from: dates.startDate === null ? null : day(dates.startDate),
    by: day(dates.targetDate),
    byPrecision: dates.targetPrecision,
    withdrawn: at === null ? null : { at, reason: reason ?? '' },
    createdAt: iso(dates.createdAt),
  }))
}

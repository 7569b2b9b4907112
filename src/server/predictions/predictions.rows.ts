import { predictionType, claimOfColumns, columnsOfClaim } from '#domain/claim/fields.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type Recorded } from '#domain/claim/prediction.ts'
import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { insertMany } from '#server/kit/insert-many.ts'
import { replaceSources, sourcesOf } from '#server/sources/sources.rows.ts'
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

/** Those among these that are on record, in the order they were published. */
export async function predictionsByIds(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPrediction>> {
  if (ids.length === 0) return new Map()
  const rows = await select(db, sql`${predictions.id} = any(${sql.param(ids)}::text[])`)
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

async function select(db: Db, where: SQL | undefined): Promise<StoredPrediction[]> {
  const rows = await db
    .select({
      row: predictions,
      sources: sourcesOf('prediction'),
      name: influencers.name,
      slug: influencers.slug,
      score: influencers.score,
      isFirm: influencers.isFirm,
      handle: sql<
        string | null
      >`(select text from influencer_names n where n.influencer_id = ${influencers.id} and n.kind = 'handle' and n.main)`,
    })
    .from(predictions)
    .innerJoin(influencers, eq(influencers.id, predictions.influencerId))
    .where(where)
    .orderBy(asc(predictions.createdAt), asc(predictions.id))
  return rows.map(({ row, sources, ...expert }) => ({
    id: row.id,
    asset: row.asset,
    expert: { id: row.influencerId, ...expert },
    said: claimOfColumns(row),
    made: dayOf(row.made),
    madePrecision: row.madePrecision,
    from: row.startDate === null ? null : dayOf(row.startDate),
    by: dayOf(row.targetDate),
    byPrecision: row.targetPrecision,
    deadlineAssumed: row.deadlineAssumed,
    summary: row.summary,
    sources,
    chartValue: row.chartValue,
    excludeFromChart: row.excludeFromChart,
    voteScore: row.voteScore,
    version: row.version,
    frozenAt: row.frozenAt,
    withdrawn:
      row.withdrawnAt === null ? null : { at: row.withdrawnAt, reason: row.withdrawnReason ?? '' },
    createdAt: row.createdAt,
  }))
}

function dayOf(text: string): Day {
  const day = readDay(text)
  if (day === null) throw new Error(`the database holds the date "${text}"`)
  return day
}

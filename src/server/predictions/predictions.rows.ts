import { predictionType, claimOfColumns, columnsOfClaim } from '#domain/claim/fields.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type Recorded } from '#domain/claim/prediction.ts'
import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
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

/** Published predictions, of one asset or all, in the order they were published. */
export async function loadPredictions(db: Db, asset: AssetKey | null): Promise<StoredPrediction[]> {
  return select(db, asset === null ? undefined : eq(predictions.asset, asset))
}

export async function predictionById(db: Db, id: string): Promise<StoredPrediction | null> {
  return (await select(db, eq(predictions.id, id)))[0] ?? null
}

/** How many of these ids, each given once, are not on record. */
export async function countUnknown(db: Db, ids: readonly string[]): Promise<number> {
  return ids.length - (await db.$count(predictions, inArray(predictions.id, [...ids])))
}

/**
 * Adds a prediction, or brings one of this id to what is given. One that an administrator has corrected stays as it is.
 *
 * @param db a transaction, as its sources are further rows
 * @param given with `isAddressAlone`, its one source joins those that are stored ({@link withAddress}), else its sources replace them
 * @returns `same` when nothing was written
 */
export async function savePrediction(
  db: Db,
  given: NewPrediction & { readonly isAddressAlone?: boolean },
): Promise<'added' | 'changed' | 'same'> {
  const values = {
    id: given.id,
    asset: given.asset,
    influencerId: given.influencerId,
    ...recordedColumns(given),
    remarks: given.remarks,
  }
  const { id: _, ...changes } = values
  const rows = await db
    .insert(predictions)
    .values(values)
    .onConflictDoUpdate({
      target: predictions.id,
      set: changes,
      setWhere: sql`${predictions.version} = 0 and (${columnList('predictions')}) is distinct from (${columnList('excluded')})`,
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  const row = rows[0]
  const now = row?.isNew ? null : await predictionById(db, given.id)
  if (!row && (now === null || now.version > 0)) return 'same'
  const all = sourcesAfter(now?.sources ?? [], given)
  if (!row && now && areSameSources(now.sources, all)) return 'same'
  await replaceSources(db, { predictionId: given.id }, all)
  return row?.isNew ? 'added' : 'changed'
}

/** A row that names no source at all leaves those that are known. */
function sourcesAfter(
  stored: NewPrediction['sources'],
  { sources, isAddressAlone = false }: Parameters<typeof savePrediction>[1],
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

import {
  type REVIEW_SORTS,
  type REVIEW_STATUSES,
  type SUBMISSION_ORIGINS,
  type SubmissionRow,
} from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { and, asc, desc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db } from '#server/kit/db.ts'
import { ordersOf, payments, submissions } from '#server/database/schema/submissions.ts'
import { influencers } from '#server/database/schema/predictions.ts'

export type ReviewFilter = {
  readonly asset: AssetKey
  readonly status: (typeof REVIEW_STATUSES)[number]
  /** As `searchWords` gives them; null for everything. */
  readonly words: string | null
  readonly origin: (typeof SUBMISSION_ORIGINS)[number] | null
}

export type ReviewPage = {
  readonly sort: (typeof REVIEW_SORTS)[number]
  readonly dir: 'asc' | 'desc'
  /** Passed over and read from the list's end; the rows come in its order all the same. */
  readonly fromEnd: boolean
  readonly offset: number
  readonly limit: number
}

const COLUMNS = ordersOf<SQL | typeof submissions.createdAt>({
  createdAt: sql`${submissions.createdAt}`,
  targetTime: sql`${submissions.targetTime}`,
  expertName: sql`${submissions.expertName}`,
  paidSats: sql`${submissions.paidSats}`,
})

/** What a list is narrowed by, apart from the values: each shape is one query, built once. */
type Shape = Pick<ReviewPage, 'sort' | 'dir' | 'fromEnd'> & {
  readonly isAll: boolean
  readonly hasWords: boolean
  readonly hasOrigin: boolean
}

type Narrowed = Omit<Shape, 'sort' | 'dir' | 'fromEnd'>

function whereOf({ isAll, hasWords, hasOrigin }: Narrowed): SQL | undefined {
  return and(
    eq(submissions.asset, sql.placeholder('asset')),
    isAll
      ? ne(submissions.status, sql`'unpaid'`)
      : eq(submissions.status, sql.placeholder('status')),
    hasWords
      ? sql`${submissions.search} @@ to_tsquery('simple', ${sql.placeholder('words')})`
      : undefined,
    hasOrigin ? eq(submissions.origin, sql.placeholder('origin')) : undefined,
  )
}

function shapeOf({ status, words, origin }: ReviewFilter) {
  return { isAll: status === 'all', hasWords: words !== null, hasOrigin: origin !== null }
}

/** A moment as calls send it. */
const iso = (column: AnyPgColumn): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The fields of a `SubmissionRow`, as `submissionRow` gives them for a single one. */
const ROW: Readonly<Record<keyof SubmissionRow, SQL | AnyPgColumn>> = {
  id: submissions.id,
  asset_type: submissions.asset,
  origin: submissions.origin,
  status: submissions.status,
  expert_name: submissions.expertName,
  twitter_handle: submissions.twitterHandle,
  nostr_npub: submissions.nostrNpub,
  prediction_type: submissions.predictionType,
  price_prediction: submissions.pricePrediction,
  price_target: submissions.priceTarget,
  price_min: submissions.priceMin,
  price_max: submissions.priceMax,
  target_time: submissions.targetTime,
  prediction_made: submissions.predictionMade,
  made_precision: submissions.madePrecision,
  source_url: submissions.sourceUrl,
  notes: submissions.notes,
  submitter_email: submissions.submitterEmail,
  email: submissions.submitterEmail,
  prediction_outcome: submissions.predictionOutcome,
  admin_comment: submissions.adminComment,
  created_at: iso(submissions.createdAt),
  submission_date: iso(submissions.createdAt),
  existing_influencer_id: submissions.existingInfluencerId,
  existing_influencer_name: influencers.name,
  new_influencer: submissions.newInfluencer,
  ai_metadata: sql`${submissions.aiMetadata}::text`,
  paid_sats: submissions.paidSats,
  paid_at: iso(submissions.paidAt),
  payment_state: sql`case
    when ${submissions.status} = 'unpaid' then 'unpaid'
    when exists (select from payments o where o.submission_id = submissions.id and o.status = 'overpaid') then 'overpaid'
    when ${payments.status} is null then 'none'
    when ${payments.status} = 'paid_late' then 'paid_late'
    else 'paid' end`,
  decided_at: iso(submissions.decidedAt),
  decided_by: submissions.decidedBy,
  prediction_id: submissions.predictionId,
  version: submissions.version,
}

const ROW_JSON = sql`json_build_object(${sql.join(
  Object.entries(ROW).flatMap(([name, value]) => [sql.raw(`'${name}'`), sql`${value}`]),
  sql`, `,
)})`

function pageQuery(db: Db, { sort, dir, fromEnd, ...shape }: Shape) {
  const way = dir === 'asc' ? asc : desc
  const search = (dir === 'asc') === fromEnd ? desc : asc
  // The page is found in an index first; only its rows are read.
  const page = db
    .select({ id: submissions.id })
    .from(submissions)
    .where(whereOf(shape))
    .orderBy(search(COLUMNS[sort]), search(submissions.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .as('page')
  const rows = db
    .select({ json: sql`${ROW_JSON}`.as('json') })
    .from(submissions)
    .innerJoin(page, eq(page.id, submissions.id))
    .leftJoin(influencers, eq(influencers.id, submissions.existingInfluencerId))
    .leftJoin(payments, eq(payments.id, submissions.paymentId))
    .orderBy(way(COLUMNS[sort]), way(submissions.id))
    .as('rows')
  return db
    .select({ text: sql<string>`coalesce(json_agg(${rows.json}), '[]')::text` })
    .from(rows)
    .prepare('')
}

function countQuery(db: Db, shape: Narrowed) {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(submissions)
    .where(whereOf(shape))
    .limit(sql.placeholder('most'))
    .as('some')
  return db
    .select({ count: sql<number>`count(*)::int` })
    .from(some)
    .prepare('')
}

/**
 * The pages of lists. They are what administrators ask for most, so the database writes their JSON, and each query is
 * built once: reading rows and writing them anew cost this process several times what the database took.
 */
export function reviewPages(db: Db) {
  const pages = new Map<string, ReturnType<typeof pageQuery>>()
  const counts = new Map<string, ReturnType<typeof countQuery>>()

  return {
    /** The submissions of a page, as the JSON text of an array of `SubmissionRow`. */
    async page(filter: ReviewFilter, given: ReviewPage): Promise<string> {
      const { sort, dir, fromEnd, ...bounds } = given
      const shape = { ...shapeOf(filter), sort, dir, fromEnd }
      const key = Object.values(shape).join(' ')
      const query = pages.get(key) ?? pageQuery(db, shape)
      pages.set(key, query)
      const [row] = await query.execute({ ...filter, ...bounds })
      return row?.text ?? '[]'
    },

    /** How many a list has, counted up to `most`. */
    async count(filter: ReviewFilter, most: number): Promise<number> {
      const shape = shapeOf(filter)
      const key = Object.values(shape).join(' ')
      const query = counts.get(key) ?? countQuery(db, shape)
      counts.set(key, query)
      const [row] = await query.execute({ ...filter, most })
      return row?.count ?? 0
    },
  }
}

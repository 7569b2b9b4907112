import {
  type REVIEW_SORTS,
  type REVIEW_STATUSES,
  type SUBMISSION_ORIGINS,
  type SubmissionRow,
} from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { and, asc, desc, eq, ne, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db } from '#server/kit/db.ts'
import { ordersOf, submissions } from '#server/database/schema/submissions.ts'
import { selectRows } from './submission-rows.store.ts'

export type ReviewSort = (typeof REVIEW_SORTS)[number]

export type ReviewFilter = {
  readonly asset: AssetKey
  readonly status: (typeof REVIEW_STATUSES)[number]
  /** As `searchWords` gives them; null for everything. */
  readonly words: string | null
  readonly origin: (typeof SUBMISSION_ORIGINS)[number] | null
}

/** A place between two rows of a list, right after this one: what it is ordered by, and its id. */
export type Place = { readonly key: string; readonly id: string }

export type ReviewPage = {
  readonly sort: ReviewSort
  readonly dir: 'asc' | 'desc'
  /** Where it begins, or where it ends; null for the beginning of the list. */
  readonly from: (Place & { readonly way: 'after' | 'before' }) | null
  readonly limit: number
}

export type ListedRow = {
  readonly row: SubmissionRow
  /** What it is ordered by, for the place after it. */
  readonly key: string
}

const COLUMNS = ordersOf<AnyPgColumn>(submissions)

/** What a list is ordered by as a text, to the microsecond, and back. */
const KEYS: Readonly<Record<ReviewSort, { text: SQL<string>; value: (key: Placeholder) => SQL }>> =
  {
    submitted: {
      text: sql`to_char(${submissions.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
      value: (key) => sql`${key}::timestamptz`,
    },
    target: { text: sql`${submissions.targetTime}::text`, value: (key) => sql`${key}::date` },
    expert: { text: sql`${submissions.expertName}`, value: (key) => sql`lower(${key}::text)` },
    paid: { text: sql`${submissions.paidSats}::text`, value: (key) => sql`${key}::bigint` },
  }

/** What distinguishes the queries of two lists, apart from values. */
type Shape = {
  readonly isAll: boolean
  readonly hasWords: boolean
  readonly hasOrigin: boolean
}
type PageShape = Shape & {
  readonly sort: ReviewSort
  readonly dir: 'asc' | 'desc'
  readonly way: 'after' | 'before' | null
}

function shapeOf({ status, words, origin }: ReviewFilter): Shape {
  return { isAll: status === 'all', hasWords: words !== null, hasOrigin: origin !== null }
}

function whereOf({ isAll, hasWords, hasOrigin }: Shape): SQL | undefined {
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

function preparePage(db: Db, { sort, dir, way, ...shape }: PageShape) {
  const isRising = (dir === 'asc') !== (way === 'before')
  const order = isRising ? asc : desc
  // What ends at a place has the row before it, too.
  const compared = sql.raw(`${isRising ? '>' : '<'}${way === 'before' ? '=' : ''}`)
  const { text, value } = KEYS[sort]
  const bound =
    way &&
    sql`(${COLUMNS[sort]}, ${submissions.id}) ${compared} (${value(sql.placeholder('key'))}, ${sql.placeholder('id')}::uuid)`
  return selectRows(db, { key: text })
    .where(and(whereOf(shape), bound ?? undefined))
    .orderBy(order(COLUMNS[sort]), order(submissions.id))
    .limit(sql.placeholder('limit'))
    .prepare('')
}

function prepareCount(db: Db, shape: Shape) {
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

/** Reads lists of submissions. The text of each query is built once. */
export function submissionLists(db: Db) {
  const pages = oncePerShape((shape: PageShape) => preparePage(db, shape))
  const counts = oncePerShape((shape: Shape) => prepareCount(db, shape))
  return {
    /** The submissions of a page in the list's order: an index leads to the first one, however far behind it is. */
    async page(filter: ReviewFilter, { sort, dir, from, limit }: ReviewPage): Promise<ListedRow[]> {
      const way = from?.way ?? null
      const query = pages({ ...shapeOf(filter), sort, dir, way })
      const rows = await query.execute({ ...filter, ...from, limit })
      return way === 'before' ? rows.toReversed() : rows
    },
    /** How many a list has, counted up to `most`. */
    async count(filter: ReviewFilter, most: number): Promise<number> {
      const [row] = await counts(shapeOf(filter)).execute({ ...filter, most })
      return row?.count ?? 0
    },
  }
}

function oncePerShape<S extends Shape, Query>(prepare: (shape: S) => Query): (shape: S) => Query {
  const prepared = new Map<string, Query>()
  return (shape) => {
    const name = JSON.stringify(shape)
    const query = prepared.get(name) ?? prepare(shape)
    prepared.set(name, query)
    return query
  }
}

import {
  type REVIEW_SORTS,
  type REVIEW_STATUSES,
  type SUBMISSION_ORIGINS,
} from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { and, asc, desc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db } from '#server/kit/db.ts'
import { ordersOf, submissions } from '#server/database/schema/submissions.ts'
import { selectReviewed, type ReviewedSubmission } from './review.store.ts'

export type ReviewSort = (typeof REVIEW_SORTS)[number]

export type ReviewFilter = {
  readonly asset: AssetKey
  readonly status: (typeof REVIEW_STATUSES)[number]
  /** As `searchWords` gives them; null for everything. */
  readonly words: string | null
  readonly origin: (typeof SUBMISSION_ORIGINS)[number] | null
}

/** A place between two rows of a list, right after this one: what it is ordered by, as `keyOf` gives it, and its id. */
export type Place = { readonly key: string; readonly id: string }

export type ReviewPage = {
  readonly sort: ReviewSort
  readonly dir: 'asc' | 'desc'
  /** Where it begins, or where it ends; null for the beginning of the list. */
  readonly from: (Place & { readonly way: 'after' | 'before' }) | null
  readonly limit: number
}

const COLUMNS = ordersOf<AnyPgColumn>(submissions)

/** What a submission is ordered by, to the microsecond; a row whose order has been edited is found by what it was. */
export function keyOf(row: ReviewedSubmission, sort: ReviewSort): string {
  const keys = {
    submitted: row.createdAt.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00'),
    target: row.targetTime,
    expert: row.expertName,
    paid: String(row.paidSats),
  }
  return keys[sort]
}

/** The same in a query. */
const VALUES: Readonly<Record<ReviewSort, (key: string) => SQL>> = {
  submitted: (key) => sql`${key}::timestamptz`,
  target: (key) => sql`${key}::date`,
  expert: (key) => sql`lower(${key}::text)`,
  paid: (key) => sql`${key}::bigint`,
}

function whereOf({ asset, status, words, origin }: ReviewFilter): SQL | undefined {
  return and(
    eq(submissions.asset, asset),
    status === 'all' ? ne(submissions.status, 'unpaid') : eq(submissions.status, status),
    words === null ? undefined : sql`${submissions.search} @@ to_tsquery('simple', ${words})`,
    origin === null ? undefined : eq(submissions.origin, origin),
  )
}

/** The submissions of a page in the list's order: an index leads to the first one, however far behind it is. */
export async function submissionsOfPage(
  db: Db,
  filter: ReviewFilter,
  { sort, dir, from, limit }: ReviewPage,
): Promise<ReviewedSubmission[]> {
  const column = COLUMNS[sort]
  const isBackward = from?.way === 'before'
  const isRising = (dir === 'asc') !== isBackward
  const order = isRising ? asc : desc
  // What ends at a place has the row before it, too.
  const compared = sql.raw(`${isRising ? '>' : '<'}${isBackward ? '=' : ''}`)
  const bound =
    from &&
    sql`(${column}, ${submissions.id}) ${compared} (${VALUES[sort](from.key)}, ${from.id}::uuid)`
  const rows = await selectReviewed(db)
    .where(and(whereOf(filter), bound ?? undefined))
    .orderBy(order(column), order(submissions.id))
    .limit(limit)
  return isBackward ? rows.toReversed() : rows
}

/** How many a list has, counted up to `most`. */
export async function countSubmissions(
  db: Db,
  filter: ReviewFilter,
  most: number,
): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(submissions)
    .where(whereOf(filter))
    .limit(most)
    .as('some')
  return db.$count(some)
}

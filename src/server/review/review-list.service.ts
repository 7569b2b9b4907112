import { and, asc, desc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type searchSubmissions } from '#contracts/review.ts'
import { searchWords } from '#domain/review.ts'
import { ordersOf, submissions } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'
import { invalid } from '#server/kit/failure.ts'
import { type ReviewKit } from './edit.service.ts'
import { countByStatus } from './home.service.ts'
import { flagsOf } from './review-flags.service.ts'
import { selectRows } from './review.store.ts'

type SearchQuery = z.output<NonNullable<typeof searchSubmissions.query>>
type Page = z.input<typeof searchSubmissions.reply>

/** Position in a list: the sort key and id of a row. */
type Place = { readonly key: string; readonly id: string; readonly way: 'after' | 'before' }

const COLUMNS = ordersOf<AnyPgColumn>(submissions)

/** Sort key as text, to the microsecond, and its parser. */
const KEYS: Readonly<
  Record<SearchQuery['sort'], { text: SQL<string>; value: (key: string) => SQL }>
> = {
  submitted: {
    text: sql`to_char(${submissions.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    value: (key) => sql`${key}::timestamptz`,
  },
  target: { text: sql`${submissions.targetTime}::text`, value: (key) => sql`${key}::date` },
  expert: { text: sql`${submissions.expertName}`, value: (key) => sql`lower(${key}::text)` },
  paid: { text: sql`${submissions.paidSats}::text`, value: (key) => sql`${key}::bigint` },
}

function whereOf({ asset, status, q, origin }: SearchQuery): SQL | undefined {
  const words = searchWords(q)
  return and(
    eq(submissions.asset, asset),
    // Repeats the condition of the partial index.
    status === 'all' ? ne(submissions.status, sql`'unpaid'`) : eq(submissions.status, status),
    words === null ? undefined : sql`${submissions.search} @@ to_tsquery('simple', ${words})`,
    origin === undefined ? undefined : eq(submissions.origin, origin),
  )
}

/** One page of submissions in the list's order, found by index at any depth. */
async function pageOf(db: Db, query: SearchQuery, from: Place | null) {
  const { sort, dir, size } = query
  const isBackward = from?.way === 'before'
  const isRising = (dir === 'asc') !== isBackward
  const order = isRising ? asc : desc
  // A page before a position includes that row.
  const compared = sql.raw(`${isRising ? '>' : '<'}${isBackward ? '=' : ''}`)
  const { text, value } = KEYS[sort]
  const bound =
    from &&
    sql`(${COLUMNS[sort]}, ${submissions.id}) ${compared} (${value(from.key)}, ${from.id}::uuid)`
  const rows = await selectRows(db, { key: text })
    .where(and(whereOf(query), bound ?? undefined))
    .orderBy(order(COLUMNS[sort]), order(submissions.id))
    // One more row tells whether there is a next page.
    .limit(size + 1)
  return isBackward ? rows.toReversed() : rows
}

const MOST_COUNTED = 2_000

/** The number of matching rows, counted up to `MOST_COUNTED`. */
async function countMatching(db: Db, query: SearchQuery) {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(submissions)
    .where(whereOf(query))
    .limit(MOST_COUNTED)
    .as('some')
  return db.$count(some)
}

const ID_LENGTH = 36

/** @throws AppError when the cursor cannot be parsed */
export async function readPage({ db, record }: ReviewKit, query: SearchQuery): Promise<Page> {
  const { asset, status, size, after, before } = query
  const from = readFrom(query)
  const isPlain = searchWords(query.q) === null && query.origin === undefined
  const [found, { unpaid, ...counted }, matching] = await Promise.all([
    pageOf(db, query, from),
    countByStatus(db).then((all) => all[asset]),
    isPlain ? null : countMatching(db, query),
  ])
  const isMore = found.length > size
  const isBackward = from?.way === 'before'
  const listed = isBackward ? found.slice(-size) : found.slice(0, size)
  const edge = isBackward ? found[0] : listed.at(-1)
  const onward = isMore && edge ? `${edge.row.id},${edge.key}` : null
  const rows = listed.map(({ row }) => row)
  return {
    rows,
    total: matching ?? (status === 'unpaid' ? unpaid : counted[status]),
    counts: counted,
    next: isBackward ? (before ?? null) : onward,
    previous: isBackward ? onward : (after ?? null),
    flags: query.flags === 'yes' ? await flagsOf({ db, record }, rows) : {},
  }
}

/** PostgreSQL has no year 0 and no NUL in texts. */
const isStorable = (text: string): boolean => !text.startsWith('0000') && !text.includes('\0')

const PLACES: Readonly<Record<SearchQuery['sort'], z.ZodType<string>>> = {
  submitted: z.iso.datetime({ offset: true }),
  target: z.iso.date(),
  expert: z.string(),
  paid: z.string().regex(/^\d{1,10}$/),
}

function readFrom({ sort, after, before }: SearchQuery): Place | null {
  const text = after ?? before
  if (text === undefined) return null
  const place = { id: text.slice(0, ID_LENGTH), key: text.slice(ID_LENGTH + 1) }
  const isRead =
    z.uuid().safeParse(place.id).success &&
    PLACES[sort].safeParse(place.key).success &&
    isStorable(place.key)
  const name = after === undefined ? 'before' : 'after'
  if (!isRead || (after !== undefined && before !== undefined)) {
    throw invalid({
      [name]:
        'Please send `next` as `after`, or `previous` as `before`, from a page in the same order.',
    })
  }
  return { ...place, way: name }
}

import { type Day } from '#domain/day.ts'
import { OUTCOMES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { type StatusFilter } from '#domain/listing/selection.ts'
import { byName } from '#domain/people/by-name.ts'
import { type Kit } from '#server/kit/kit.ts'
import { today as todayOf } from '#server/kit/now.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { influencerNames } from '#server/database/schema/predictions.ts'
import { sql, type SQL } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { judgedByIds } from './judged.ts'
import {
  conditionOf,
  isNamed,
  LISTED,
  outcomeOf,
  type ListQuery,
  type Named,
} from './list-query.ts'
import { newestFirst } from './list-order.ts'
import { pricesOnce, type Prices } from './prices.ts'
import { readState, type RecordState } from './record-state.ts'

export type Page = { readonly order?: SQL; readonly limit?: number; readonly offset?: number }

export type ListedPerson = z.infer<typeof Person>

/** Counts and the like of the newest versions. */
const MOST_FIGURES = 300

export type PublicRecord = ReturnType<typeof openRecord>

/** The record, asked in the database: nothing of it is kept here but prices, until they change. */
export function openRecord({
  db,
  readDb,
  clock,
  catchUp,
}: Pick<Kit, 'db' | 'readDb' | 'clock' | 'catchUp'>) {
  let state: RecordState = { version: 0, prices: 0 }
  const pricesAt = pricesOnce(readDb)
  let asking: Promise<RecordState> | null = null
  const figures = new LRUCache<string, Promise<unknown>>({ max: MOST_FIGURES })
  const listeners = new Set<() => void>()
  const today = (): Day => todayOf({ clock })

  function note(found: RecordState): void {
    if (found.version <= state.version) return
    state = found
    for (const listener of listeners) listener()
  }

  /** Takes note of changes that other connections have made. */
  async function refresh(): Promise<void> {
    const found = await readState(db)
    catchUp()
    note(found)
  }

  /** Those of now. */
  async function prices(): Promise<Prices> {
    // Questions that are asked together are answered as of one moment.
    asking ??= readState(readDb).finally(() => {
      asking = null
    })
    const found = await asking
    note(found)
    return pricesAt(found.prices, today())
  }

  /** What a statement answers that has the condition of a query on `LISTED`. */
  async function query<Row>(
    shape: z.ZodType<Row>,
    asked: ListQuery,
    statement: (condition: SQL) => SQL,
  ): Promise<Row[]> {
    const [{ actions }, named] = await Promise.all([prices(), namedBy(asked.words?.words ?? [])])
    const answer = await readDb.execute(statement(conditionOf(asked, actions, named)))
    return z.array(shape).parse(rowsOf(answer))
  }

  async function namedBy(words: readonly string[]): Promise<Named> {
    const found = words.map(async (word) => {
      const rows = await readDb
        .selectDistinct({ id: influencerNames.influencerId })
        .from(influencerNames)
        .where(sql`main and ${isNamed(word)}`)
      return [word, rows.map(({ id }) => id)] as const
    })
    return new Map(await Promise.all(found))
  }

  /** Figures of a query, found once for each version of the record. */
  async function once<Found>(name: string, asked: ListQuery, find: () => Promise<Found>) {
    await prices()
    const key = JSON.stringify([state.version, today(), name, asked])
    const known = figures.get(key) ?? find()
    figures.set(key, known)
    known.catch(() => figures.delete(key))
    // Only `find` of this name is kept under it.
    return known as Promise<Found>
  }

  /** @param rest what follows the condition, such as `group by` */
  function select<Row>(
    shape: z.ZodType<Row>,
    columns: SQL,
    asked: ListQuery,
    rest: SQL = sql``,
  ): Promise<Row[]> {
    return query(
      shape,
      asked,
      (condition) => sql`select ${columns} ${LISTED} where ${condition} ${rest}`,
    )
  }

  async function ids(asked: ListQuery, page: Page = {}): Promise<string[]> {
    const { order = newestFirst(asked.asOf ?? null), limit = null, offset = 0 } = page
    const rest = sql`order by ${order} limit ${limit} offset ${offset}`
    const rows = await select(z.object({ id: z.string() }), sql`predictions.id`, asked, rest)
    return rows.map(({ id }) => id)
  }

  async function byIds(given: readonly string[], asOf?: Day | null): Promise<JudgedPrediction[]> {
    return given.length === 0 ? [] : judgedByIds(readDb, await prices(), given, asOf)
  }

  return {
    today,
    prices,
    query,
    select,
    once,
    ids,
    /** Those on record among these, in their order; withdrawn ones too. */
    byIds,
    /** Another one once a visitor can see anything else. */
    version: (): string => String(state.version),
    refresh,
    /** Whether answers are no older than a version that a page has heard of, perhaps from another process. */
    isNoOlderThan: async (version: string): Promise<boolean> => {
      const wanted = Number(version)
      // Without the database an answer of before is better than none.
      if (!(wanted <= state.version)) await refresh().catch(() => undefined)
      return wanted <= state.version
    },
    /** @returns ends it */
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** One on record, withdrawn or not. */
    find: async (id: string): Promise<JudgedPrediction | null> => (await byIds([id]))[0] ?? null,
    list: async (query: ListQuery, page?: Page): Promise<JudgedPrediction[]> =>
      byIds(await ids(query, page), query.asOf),

    count: (query: ListQuery): Promise<number> =>
      once('count', query, async () => {
        const [row] = await select(z.object({ n: z.int() }), sql`count(*)::int as n`, query)
        return row?.n ?? 0
      }),

    /** How many predictions each filter holds, by each way of judging; void ones count in nothing. */
    counts: (query: ListQuery): Promise<CountsByMode> =>
      once('counts', query, async () => {
        const by = (mode: JudgeMode): SQL => outcomeOf(mode, query.asOf ?? null)
        const rows = await select(
          Counted,
          sql`${by('touch')} as touch, ${by('close')} as close, count(*)::int as n`,
          query,
          sql`group by 1, 2`,
        )
        return { touch: countsIn(rows, 'touch'), close: countsIn(rows, 'close') }
      }),

    /** Everyone with a prediction, those with the most first, then by name. */
    people: (query: ListQuery): Promise<readonly ListedPerson[]> =>
      once('people', query, async () => {
        const people = await select(
          Person,
          sql`influencers.id::float8 as id, slug, name, count(*)::int as predictions`,
          query,
          sql`group by influencers.id`,
        )
        return people.toSorted((a, b) => b.predictions - a.predictions || byName(a.name, b.name))
      }),

    /** The years in which predictions were made, or are due, newest first. */
    years: (query: ListQuery, column: 'made' | 'target_date'): Promise<readonly number[]> =>
      once(column, query, async () => {
        const year = sql`extract(year from predictions.${sql.raw(column)})::int`
        const rest = sql`group by 1 order by 1 desc`
        const rows = await select(z.object({ year: z.int() }), sql`${year} as year`, query, rest)
        return rows.map((row) => row.year)
      }),

    /** The day on which the first one was made; null without any. */
    first: (query: ListQuery): Promise<string | null> =>
      once('first', query, async () => {
        const [row] = await select(First, sql`min(made)::text as first`, query)
        return row?.first ?? null
      }),
  }
}

type Counts = Readonly<{ [Filter in StatusFilter]: number }>
type CountsByMode = Readonly<{ [Mode in JudgeMode]: Counts }>

const First = z.object({ first: z.string().nullable() })
const Counted = z.object({ touch: z.enum(OUTCOMES), close: z.enum(OUTCOMES), n: z.int() })

function countsIn(rows: readonly z.infer<typeof Counted>[], mode: JudgeMode): Counts {
  const of = (outcome: Outcome): number =>
    rows.reduce((sum, row) => sum + (row[mode] === outcome ? row.n : 0), 0)
  const [success, miss, pending] = [of('hit'), of('miss'), of('pending')]
  return { all: success + miss + pending, pending, success, miss }
}

const Person = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  predictions: z.int(),
})

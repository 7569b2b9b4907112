import { sql, type SQL } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { isDuplicate, statementKeyOf, type StatementKey } from '#domain/claim/duplicate.ts'
import { type Day } from '#domain/day.ts'
import { predictionAsOf } from '#domain/judging/as-of.ts'
import { splitFactor } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import {
  OUTCOMES,
  byMode,
  type JudgeMode,
  type Outcome,
  JUDGE_MODES,
  type Verdict,
} from '#domain/judging/verdict.ts'
import { type StatusFilter } from '#domain/listing/selection.ts'
import { byName } from '#domain/people/name.ts'
import { oddsOf } from '#domain/scoring/call-odds.ts'
import {
  type JudgedPrediction,
  judgedPrediction,
  statementOf,
} from '#server/judging/judging.service.ts'
import { verdictsInForce } from '#server/judging/verdicts.rows.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { today as todayOf } from '#server/kit/time.ts'
import { predictionsByIds, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import * as queries from './list-query.ts'
import { pricesOnce, type Prices, barsOn } from './prices.ts'
import { readState, type RecordState } from './record-state.ts'

export type Page = { readonly order?: SQL; readonly limit?: number; readonly offset?: number }

export type ListedPerson = z.infer<typeof Person>

const MOST_FIGURES = 300
/** Lists of people, who may be thousands. */
const MOST_LISTS = 20

export type PublicRecord = ReturnType<typeof openRecord>

/** The record, read from the database; caches prices, and counts per version. */
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
  const lists = new LRUCache<string, Promise<unknown>>({ max: MOST_LISTS })
  const listeners = new Set<() => void>()
  const today = (): Day => todayOf({ clock })

  function note(found: RecordState): void {
    if (found.version <= state.version) return
    catchUp()
    state = found
    for (const listener of listeners) listener()
  }

  /** Updates the version after changes by other connections. */
  async function refresh(): Promise<void> {
    note(await readState(db))
  }

  async function prices(): Promise<Prices> {
    // Concurrent reads share one version.
    asking ??= readState(readDb).finally(() => {
      asking = null
    })
    const found = await asking
    note(found)
    return pricesAt(found.prices, today())
  }

  /** Runs a statement with the condition of a query on `predictions`. */
  async function query<Row>(
    shape: z.ZodType<Row>,
    list: queries.ListQuery,
    statement: (condition: SQL) => SQL,
  ): Promise<Row[]> {
    const [{ actions }, named] = await Promise.all([prices(), namedBy(list.words?.words ?? [])])
    return readRows(readDb, shape)`${statement(queries.conditionOf(list, actions, named))}`
  }

  async function namedBy(words: readonly string[]): Promise<queries.Named> {
    if (words.length === 0) return new Map()
    return once(`named ${words.join(' ')}`, {}, async () => {
      const shape = Person.pick({ id: true }).extend({ word: z.string() })
      const found = await readRows(readDb, shape)`${queries.peopleNamed(words)}`
      const byWord = Map.groupBy(found, ({ word }) => word)
      return new Map([...byWord].map(([word, people]) => [word, people.map(({ id }) => id)]))
    })
  }

  async function once<Found>(
    name: string,
    query: queries.ListQuery,
    find: () => Promise<Found>,
    isList = false,
  ) {
    await prices()
    const cache = isList ? lists : figures
    const key = JSON.stringify([state.version, today(), name, query])
    const known = cache.get(key) ?? find()
    cache.set(key, known)
    known.catch(() => cache.delete(key))
    // Only `find` with this key is cached under it.
    return known as Promise<Found>
  }

  function select<Row>(
    shape: z.ZodType<Row>,
    columns: SQL,
    list: queries.ListQuery,
    rest: SQL = sql``,
  ): Promise<Row[]> {
    return query(
      shape,
      list,
      (condition) => sql`select ${columns} from predictions where ${condition} ${rest}`,
    )
  }

  /** Counts of a query, its years, newest first, and the first day made; void predictions count in no filter. */
  function figuresOf(query: queries.ListQuery): Promise<Figures> {
    const { mode: _mode, ...rest } = query
    const isJudged = query.outcomes !== undefined || query.decided !== undefined
    return once('figures', isJudged ? query : rest, async () => {
      const by = (one: JudgeMode): SQL => queries.outcomeOf(one, query.asOf ?? null)
      const rows = await select(
        Group,
        sql`${by('touch')} as touch, ${by('close')} as close, date_part('year', made)::int as made,
          date_part('year', target_date)::int as due, count(*)::int as n, min(made)::text as first`,
        query,
        sql`group by 1, 2, 3, 4`,
      )
      const years = (of: 'made' | 'due') =>
        [...new Set(rows.map((row) => row[of]))].toSorted((a, b) => b - a)
      return {
        total: rows.reduce((sum, { n }) => sum + n, 0),
        counts: byMode((one) => countsIn(rows, one)),
        made: years('made'),
        due: years('due'),
        first: rows.map(({ first }) => first).toSorted()[0] ?? null,
      }
    })
  }

  async function ids(query: queries.ListQuery, page: Page = {}): Promise<string[]> {
    const { order = queries.newestFirst(query.asOf ?? null), limit = null, offset = 0 } = page
    const rest = sql`order by ${order} limit ${limit} offset ${offset}`
    const rows = await select(z.object({ id: z.string() }), sql`predictions.id`, query, rest)
    return rows.map(({ id }) => id)
  }

  async function byIds(ids: readonly string[], asOf?: Day | null): Promise<JudgedPrediction[]> {
    return ids.length === 0 ? [] : judgedByIds(readDb, await prices(), ids, asOf)
  }

  return {
    today,
    prices,
    query,
    select,
    once,
    ids,
    byIds,
    /** Changes whenever visitors can see something else. */
    version: (): string => String(state.version),
    refresh,
    /** Whether answers are no older than a version known to a page, perhaps from another process. */
    isNoOlderThan: async (version: string): Promise<boolean> => {
      const requested = Number(version)
      // During a database outage an old response is better than none.
      if (!(requested <= state.version)) await refresh().catch(() => undefined)
      return requested <= state.version
    },
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Includes withdrawn predictions. */
    find: async (id: string): Promise<JudgedPrediction | null> => (await byIds([id]))[0] ?? null,
    list: async (query: queries.ListQuery, page?: Page): Promise<JudgedPrediction[]> =>
      byIds(await ids(query, page), query.asOf),

    figures: figuresOf,
    count: async (query: queries.ListQuery): Promise<number> => (await figuresOf(query)).total,

    /** Everyone with a prediction, by number of predictions, then by name. */
    people: (list: queries.ListQuery): Promise<readonly ListedPerson[]> => {
      const find = async () => {
        const people = await query(
          Person,
          list,
          (condition) => sql`
            select id::float8 as id, slug, name, predictions
            from (select influencer_id, count(*)::int as predictions from predictions where ${condition} group by 1) counted
            join influencers on influencers.id = counted.influencer_id`,
        )
        return people.toSorted((a, b) => b.predictions - a.predictions || byName(a.name, b.name))
      }
      return once('people', list, find, true)
    },
  }
}

type Counts = Readonly<{ [Filter in StatusFilter]: number }>
type CountsByMode = Readonly<{ [Mode in JudgeMode]: Counts }>

type Figures = {
  readonly total: number
  /** Number of predictions per filter, by each mode. */
  readonly counts: CountsByMode
  readonly made: readonly number[]
  readonly due: readonly number[]
  /** Null without any. */
  readonly first: string | null
}

const Group = z.object({
  touch: z.enum(OUTCOMES),
  close: z.enum(OUTCOMES),
  made: z.int(),
  due: z.int(),
  n: z.int(),
  first: z.string(),
})

function countsIn(rows: readonly z.infer<typeof Group>[], mode: JudgeMode): Counts {
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

/** Predictions on record with the same statement, newest first. */
export async function sayingSame(
  record: Pick<PublicRecord, 'list'>,
  key: StatementKey,
  days = 0,
): Promise<JudgedPrediction[]> {
  const alike = await record.list({ alike: [key] })
  return alike.filter((one) => isDuplicate(key, statementKeyOf(one), days))
}

/**
 * Predictions in this order, in the form pages show; where the rule would decide otherwise, with the evidence on record.
 * @param asOf a past day, without odds; null for now
 */
export async function judgedByIds(
  db: Db,
  prices: Prices,
  ids: readonly string[],
  asOf: Day | null = null,
): Promise<JudgedPrediction[]> {
  const stored = await predictionsByIds(db, ids)
  const drafts = ids.flatMap((id) => {
    const one = stored.get(id)
    return one ? [{ one, ...rulingOf(one, prices) }] : []
  })
  const ruledByHand = drafts.filter(({ ruled }) => JUDGE_MODES.some((mode) => ruled[mode] === null))
  const idsByHand = ruledByHand.map(({ one }) => one.id)
  const found = await verdictsInForce(db, idsByHand)
  const onRecord = new Map(found.map((one) => [`${one.mode} ${one.predictionId}`, one.verdict]))
  const then = asOf === null ? null : pastJudge(prices, asOf)
  return drafts.map(({ one, factor, ruled }) => {
    const verdicts = byMode((mode) => {
      const found = ruled[mode] ?? onRecord.get(`${mode} ${one.id}`)
      if (!found) throw new Error(`no verdict by ${mode} of ${one.id}`)
      return found
    })
    const { histories } = prices
    const statement = statementOf(one, factor)
    const oddsBy = (mode: JudgeMode) =>
      oddsOf(histories, histories[one.asset], statement, verdicts[mode], mode)
    if (then) return then(judgedPrediction(one, factor, verdicts), one.frozenAt !== null)
    return judgedPrediction(one, factor, verdicts, {
      get touch() {
        return oddsBy('touch')
      },
      get close() {
        return oddsBy('close')
      },
    })
  })
}

function pastJudge(prices: Prices, day: Day) {
  const known = new Map<AssetKey, Series>()
  return (one: JudgedPrediction, isFrozen: boolean): JudgedPrediction => {
    const { asset } = one
    const series = known.get(asset) ?? seriesOf(ASSETS[asset].calendar, barsOn(prices, asset, day))
    known.set(asset, series)
    return predictionAsOf(one, series, day, prices.actions, isFrozen)
  }
}

/** The rule's verdicts; null if the recorded one is shown. */
function rulingOf(one: StoredPrediction, prices: Prices) {
  const factor = splitFactor(one.asset, one.made, prices.actions)
  const statement = statementOf(one, factor)
  const isFrozen = one.frozenAt !== null || one.withdrawn !== null
  const ruled = byMode((mode) => {
    const ruling = one.inForce[mode]
    if (ruling && (isFrozen || ruling.reason === 'overridden')) return null
    const now = judge(prices[one.asset].series, statement, mode, prices.today)
    return !ruling || saysSame(ruling, now) ? now : null
  })
  return { factor, ruled }
}

/** The reason of a pending verdict is computed each time and never recorded. */
function saysSame(
  ruling: Pick<Verdict, 'outcome' | 'reason' | 'day'>,
  now: Pick<Verdict, 'outcome' | 'reason' | 'day'>,
): boolean {
  if (ruling.outcome !== now.outcome) return false
  return now.outcome === 'pending' || (ruling.reason === now.reason && ruling.day === now.day)
}

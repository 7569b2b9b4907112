import { createHash } from 'node:crypto'
import { openTargets } from '#chart/open-targets.ts'
import {
  type DashboardPart,
  type ListedRow,
  type listedCalls,
  type people,
  type targets,
} from '#contracts/dashboard.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { FIRST_ROWS, historyFigures, PAGE_ROWS } from '#domain/listing/history-rows.ts'
import { CARDS, MORE_CARDS, MOST_PEOPLE, MOST_TARGETS } from '#domain/listing/part.ts'
import { questionText, readQuestion, type Question } from '#domain/listing/question.ts'
import { median } from '#domain/median.ts'
import { byName } from '#domain/people/by-name.ts'
import { foldName } from '#domain/people/name.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { drawnIds } from '#server/record/drawn.ts'
import { errorOf, mostSupportedFirst, type Sorted } from '#server/record/list-order.ts'
import { outcomeOf, type ListQuery } from '#server/record/list-query.ts'
import { listedBy, scopeOf, tableOf, type Scope } from '#server/record/table.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { sql } from 'drizzle-orm'
import { barsOn, packBars } from '#server/record/prices.ts'
import { listedRow } from './wire.ts'
import { z } from 'zod'

export type Dashboards = ReturnType<typeof dashboardService>

/** Gives a parameter of an address, or null. */
type Param = (name: string) => string | null

/** What dashboards show. */
export function dashboardService(record: PublicRecord) {
  /** Null for now: a day that is not over is no past one. */
  const pastOf = (past: Day | null): Day | null =>
    past === null || past >= record.today() ? null : past

  async function shownOf(ids: readonly string[], asOf: Day | null): Promise<JudgedPrediction[]> {
    const found = await record.byIds(ids, asOf)
    if (asOf === null) return found
    // What came to the record later is left out.
    return found.map((one) => ({ ...one, createdAt: '', summary: '', voteScore: 0, sources: [] }))
  }

  const rowOf = (one: JudgedPrediction, asOf: Day | null): ListedRow =>
    listedRow(one, asOf ?? record.today())

  /** The packed closes, under a version that stands for these alone. */
  async function closes(asset: AssetKey, past: Day | null) {
    const bars = barsOn(await record.prices(), asset, pastOf(past))
    const packed = packBars(bars)
    const hash = createHash('sha256').update(JSON.stringify(packed))
    return { bars, packed, version: hash.digest('base64url').slice(0, 16) }
  }

  const scopeIn = (asset: AssetKey, { mode, past }: Pick<Question, 'mode' | 'past'>): Scope => ({
    asset,
    mode,
    asOf: pastOf(past),
  })

  async function historyOf(asset: AssetKey, question: Question) {
    const { history, isWholePage } = question
    const base = scopeIn(asset, question)
    const { query, order, sorted } = await tableOf(record, base, history)
    const total = await record.count(query)
    const page = Math.min(history.page, Math.max(0, Math.ceil(total / PAGE_ROWS) - 1))
    const limit = isWholePage ? PAGE_ROWS : FIRST_ROWS
    const [ids, made, due, years, all] = await Promise.all([
      record.ids(query, { order, limit, offset: page * PAGE_ROWS }),
      record.years(base, 'made'),
      record.years(base, 'target_date'),
      history.byYear ? yearsOf(record, query, sorted) : [],
      record.count(base),
    ])
    return { total, page, ids, made, due, years, hasLuck: base.asOf === null && all > 0 }
  }

  async function part(asset: AssetKey, question: Question): Promise<DashboardPart> {
    const { selection, mode, days, past } = question
    const asOf = pastOf(past)
    const base: ListQuery = { asset, asOf }
    const scope = scopeIn(asset, question)
    const listed = listedBy(selection, scope)
    const { experts } = selection
    const [total, first, counts, totals, chosen, cards, listedTotal, drawn, history, prices] =
      await Promise.all([
        record.count(base),
        record.first(base),
        record.counts(scopeOf(selection, scope)),
        record.counts({ ...base, mode: question.mode }),
        experts.length === 0 ? [] : record.people({ ...base, experts }),
        record.ids(listed, { limit: CARDS }),
        record.count(listed),
        drawnIds(record, { asset, selection, mode, days, asOf }),
        historyOf(asset, question),
        closes(asset, past),
      ])
    const all = [...new Set([...cards, ...drawn.ids, ...history.ids])]
    const shown = await shownOf(all, asOf)
    const places = new Map(shown.map(({ id }, place) => [id, place]))
    const placesIn = (ids: readonly string[]) => ids.flatMap((id) => places.get(id) ?? [])
    return {
      question: questionText(question),
      version: record.version(),
      total,
      first,
      prices: pricesOf(prices),
      counts,
      totals,
      chosen: chosen
        .map(({ slug, name, predictions }) => ({ slug, name, predictions }))
        .toSorted((a, b) => byName(a.name, b.name)),
      listed: { total: listedTotal, rows: placesIn(cards) },
      drawn: { total: drawn.total, rows: placesIn(drawn.ids) },
      history: {
        total: history.total,
        rows: figuresOf(shown, history.ids, mode, prices.bars).map((row) => ({
          at: places.get(row.prediction.id) ?? 0,
          price: row.priceThen,
          error: row.error,
          so_far: row.isSoFar,
          luck: row.luck,
        })),
        page: history.page,
        has_luck: history.hasLuck,
        made: [...history.made],
        due: [...history.due],
        years: history.years,
      },
      rows: shown.map((one) => rowOf(one, asOf)),
    }
  }

  return {
    /** What a page shows that was asked for with these parameters. */
    part: (asset: AssetKey, param: Param): Promise<DashboardPart> =>
      part(asset, readQuestion(param)),

    closes,

    /** Further ones of the list beside the chart. */
    async calls(
      asset: AssetKey,
      param: Param,
      skip: number,
    ): Promise<z.infer<typeof listedCalls.reply>> {
      const question = readQuestion(param)
      const query = listedBy(question.selection, scopeIn(asset, question))
      const [total, ids] = await Promise.all([
        record.count(query),
        record.ids(query, { limit: MORE_CARDS, offset: skip }),
      ])
      const asOf = pastOf(question.past)
      return { total, rows: (await shownOf(ids, asOf)).map((one) => rowOf(one, asOf)) }
    },

    /** Where the open ones aim. */
    async targets(
      asset: AssetKey,
      mode: JudgeMode,
      past: Day | null,
    ): Promise<z.infer<typeof targets.reply>> {
      const asOf = pastOf(past)
      const open: ListQuery = { asset, mode, asOf, outcomes: ['pending'], isDrawn: true }
      const [tops, bottoms, all, calls] = await Promise.all([
        record.count({ ...open, kind: 'top' }),
        record.count({ ...open, kind: 'bottom' }),
        record.count(open),
        record.ids(
          { ...open, isAimed: true },
          { order: mostSupportedFirst(asOf), limit: MOST_TARGETS },
        ),
      ])
      const found = openTargets(await shownOf(calls, asOf), mode, asOf ?? record.today())
      const places = new Map<string, number>()
      const placeOf = (name: string): number => {
        const place = places.get(name) ?? places.size
        places.set(name, place)
        return place
      }
      return {
        total: all - tops - bottoms,
        limits: tops + bottoms,
        targets: found.targets.map(({ name, votes, days, prices }) => [
          ...days,
          ...prices,
          votes,
          placeOf(name),
        ]),
        names: [...places.keys()],
      }
    },

    people: (asset: AssetKey, search: string, past: Day | null) =>
      peopleNamed(record, { asset, asOf: pastOf(past) }, search),
  }
}

/** Experts with a part of a name, those with the most predictions first. */
async function peopleNamed(
  record: PublicRecord,
  among: ListQuery,
  search: string,
): Promise<z.infer<typeof people.reply>> {
  const wanted = foldName(search)
  const everyone = await record.people(among)
  const found = everyone.filter(({ name }) => foldName(name).includes(wanted))
  return {
    total: found.length,
    people: found
      .slice(0, MOST_PEOPLE)
      .map(({ slug, name, predictions }) => ({ slug, name, predictions })),
  }
}

function pricesOf({ bars, version }: { bars: readonly AgreedBar[]; version: string }) {
  const [first, last] = [bars[0], bars.at(-1)]
  return {
    version,
    first: first ? isoDay(first.day) : null,
    last: last ? { date: isoDay(last.day), usd: last.close } : null,
  }
}

/** The rows of a page of the table, in its order. */
function figuresOf(
  shown: readonly JudgedPrediction[],
  ids: readonly string[],
  mode: JudgeMode,
  bars: readonly AgreedBar[],
) {
  const byId = new Map(shown.map((one) => [one.id, one]))
  const listed = ids.flatMap((id) => byId.get(id) ?? [])
  return historyFigures(listed, mode, {
    days: bars.map(({ day }) => day),
    closes: bars.map(({ close }) => close),
  })
}

const Year = z.object({
  year: z.int(),
  calls: z.int(),
  decided: z.int(),
  hits: z.int(),
  errors: z.array(z.number()).nullable(),
})

/** The calls of each year in which some were made, newest first. */
async function yearsOf(record: PublicRecord, query: ListQuery, sorted: Sorted) {
  const { asset, mode, asOf, prices } = sorted
  const last = prices[asset].closed.findLast(({ day }) => asOf === null || day <= asOf)
  const isDecided = sql`${outcomeOf(mode, asOf)} in ('hit', 'miss')`
  const rows = await record.select(
    Year,
    sql`extract(year from made)::int as year, count(*)::int as calls,
      (count(*) filter (where ${isDecided}))::int as decided,
      (count(*) filter (where ${outcomeOf(mode, asOf)} = 'hit'))::int as hits,
      array_agg(${errorOf(sorted)}) filter (where ${isDecided} and ${errorOf(sorted)} is not null
        and target_date <= ${last ? isoDay(last.day) : null}::date) as errors`,
    query,
    sql`group by 1 order by 1 desc`,
  )
  return rows.map(({ errors, ...row }) => ({ ...row, error: median(errors ?? []) }))
}

import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { openTargets } from '#chart/open-targets.ts'
import type * as contract from '#contracts/dashboard.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { median } from '#domain/level-figures.ts'
import { FIRST_ROWS, historyFigures, PAGE_ROWS } from '#domain/listing/history-view.ts'
import * as part from '#domain/listing/part.ts'
import { byName, foldName } from '#domain/people/name.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import {
  listedBy,
  scopeOf,
  tableOf,
  type Scope,
  cursorOf,
  listPage,
  drawnIds,
} from '#server/record/list-page.ts'
import {
  errorOf,
  mostSupportedFirst,
  type Sorted,
  outcomeOf,
  type ListQuery,
} from '#server/record/list-query.ts'
import { barsOn, closesOf, packBars } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { listedRow } from './wire.ts'

type Param = (name: string) => string | null

/** Null for now: a day that is not over is not a past day. */
function pastOf(record: PublicRecord, past: Day | null): Day | null {
  return past === null || past >= record.today() ? null : past
}

/** Only odds depend on today, and predictions as of a past day have none. */
function rowsOf(record: PublicRecord, all: readonly JudgedPrediction[]) {
  return all.map((one) => listedRow(one, record.today()))
}

/** Packed closes, with a version of their own. */
export async function packedCloses(record: PublicRecord, asset: AssetKey, past: Day | null) {
  const bars = barsOn(await record.prices(), asset, pastOf(record, past))
  const packed = packBars(bars)
  const hash = createHash('sha256').update(JSON.stringify(packed))
  return { bars, packed, version: hash.digest('base64url').slice(0, 16) }
}

function questionOf(record: PublicRecord, asset: AssetKey, param: Param) {
  const question = part.readQuestion(param)
  const scope: Scope = { asset, mode: question.mode, asOf: pastOf(record, question.past) }
  return { question, scope }
}

async function historyOf(record: PublicRecord, base: Scope, question: part.Question) {
  const { history, isWholePage } = question
  const { query, order, sorted } = await tableOf(record, base, history)
  const [{ total }, all] = await Promise.all([record.figures(query), record.figures(base)])
  const page = Math.min(history.page, Math.max(0, Math.ceil(total / PAGE_ROWS) - 1))
  const limit = isWholePage ? PAGE_ROWS : FIRST_ROWS
  const [ids, years] = await Promise.all([
    record.ids(query, { order, limit, offset: page * PAGE_ROWS }),
    history.byYear ? yearsOf(record, query, sorted) : [],
  ])
  const { made, due } = all
  return { total, page, ids, made, due, years, hasLuck: base.asOf === null && all.total > 0 }
}

export async function dashboardPart(record: PublicRecord, asset: AssetKey, param: Param) {
  const { question, scope } = questionOf(record, asset, param)
  const { selection, days } = question
  const { mode, asOf } = scope
  const base: ListQuery = { asset, asOf }
  const listed = listedBy(selection, scope)
  const { experts } = selection
  const version = record.version()
  const [all, found, chosen, cards, listedTotal, drawn, history, prices] = await Promise.all([
    record.figures(base),
    record.figures(scopeOf(selection, scope)),
    experts.length === 0 ? [] : record.people({ ...base, experts }),
    record.ids(listed, { limit: part.CARDS }),
    record.count(listed),
    drawnIds(record, { ...scope, selection, days }),
    historyOf(record, scope, question),
    packedCloses(record, asset, asOf),
  ])
  const ids = [...new Set([...cards, ...drawn.ids, ...history.ids])]
  const visible = await record.byIds(ids, asOf)
  const places = new Map(visible.map(({ id }, place) => [id, place]))
  const placesIn = (some: readonly string[]) => some.flatMap((id) => places.get(id) ?? [])
  const lastCard = visible[placesIn(cards).at(-1) ?? -1]
  return {
    question: part.questionText(question),
    version,
    total: all.total,
    first: all.first,
    prices: pricesOf(prices),
    counts: found.counts,
    totals: all.counts,
    chosen: chosen
      .map(({ slug, name, predictions }) => ({ slug, name, predictions }))
      .toSorted((a, b) => byName(a.name, b.name)),
    listed: {
      total: listedTotal,
      rows: placesIn(cards),
      next: lastCard && listedTotal > cards.length ? cursorOf(listed, lastCard) : null,
    },
    drawn: { total: drawn.total, rows: placesIn(drawn.ids) },
    history: {
      total: history.total,
      rows: figuresOf(visible, history.ids, mode, prices.bars).map((row) => ({
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
    rows: rowsOf(record, visible),
  }
}

export async function listedPage(
  record: PublicRecord,
  asset: AssetKey,
  param: Param,
  cursor: string | undefined,
): Promise<z.infer<typeof contract.listedCalls.reply>> {
  const { question, scope } = questionOf(record, asset, param)
  const list = listedBy(question.selection, scope)
  const [total, { listed, next }] = await Promise.all([
    record.count(list),
    listPage(record, list, { limit: part.MORE_CARDS, cursor, isByRecording: scope.asOf === null }),
  ])
  return { total, rows: rowsOf(record, listed), next }
}

export async function openTargetsOf(
  record: PublicRecord,
  asset: AssetKey,
  mode: JudgeMode,
  past: Day | null,
): Promise<z.infer<typeof contract.targets.reply>> {
  const asOf = pastOf(record, past)
  const open: ListQuery = { asset, mode, asOf, outcomes: ['pending'], isDrawn: true }
  const [tops, bottoms, all, calls] = await Promise.all([
    record.count({ ...open, kind: 'top' }),
    record.count({ ...open, kind: 'bottom' }),
    record.count(open),
    record.ids(
      { ...open, isAimed: true },
      { order: mostSupportedFirst(asOf), limit: part.MOST_TARGETS },
    ),
  ])
  const listed = await record.byIds(calls, asOf)
  // Votes of a past day are unknown.
  const counted = asOf === null ? listed : listed.map((one) => ({ ...one, voteScore: 0 }))
  const found = openTargets(counted, mode, asOf ?? record.today())
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
}

/** Experts by part of a name, those with the most predictions first. */
export async function peopleNamed(
  record: PublicRecord,
  asset: AssetKey,
  search: string,
  past: Day | null,
): Promise<z.infer<typeof contract.people.reply>> {
  const folded = foldName(search)
  const everyone = await record.people({ asset, asOf: pastOf(record, past) })
  const found = everyone.filter(({ name }) => foldName(name).includes(folded))
  return {
    total: found.length,
    people: found
      .slice(0, part.MOST_PEOPLE)
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

/** Rows of a page of the table, in its order. */
function figuresOf(
  visible: readonly JudgedPrediction[],
  ids: readonly string[],
  mode: JudgeMode,
  bars: readonly AgreedBar[],
) {
  const byId = new Map(visible.map((one) => [one.id, one]))
  const listed = ids.flatMap((id) => byId.get(id) ?? [])
  return historyFigures(listed, mode, closesOf(bars))
}

const Year = z.object({
  year: z.int(),
  calls: z.int(),
  decided: z.int(),
  hits: z.int(),
  errors: z.array(z.number()).nullable(),
})

/** Calls per year made, newest first. */
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

import { type BoardCall } from '#contracts/board.ts'
import { type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import {
  MOST_CALLS,
  type ConsensusRow,
  type YearCallRow,
  type YearCardReply,
  type YearsReply,
} from '#contracts/year.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { dayOf, isoDay, type Day } from '#domain/day.ts'
import { lastTradingDay } from '#domain/judging/calendar.ts'
import { type Series } from '#domain/judging/series.ts'
import { median } from '#domain/level-figures.ts'
import {
  closeAt,
  deadlineError,
  type Consensus,
  yearCard,
  type YearCall,
  yearFinding,
} from '#domain/scoring/year-card.ts'
import { boardCall, callOfRow, dayOfRow } from './scores-wire.ts'

/** All years, and ids of repeated calls, which are in none of them. */
export type YearsFound = YearsReply & { readonly repeats: readonly string[] }

type Call = YearCall & {
  readonly row: BoardCall & Pick<YearCallRow, 'made'>
  readonly name: string
  /** The close of its last day; null before. */
  readonly close: number | null
}

export function yearPages(reply: ScoresReply, series: Readonly<Partial<Record<AssetKey, Series>>>) {
  const cards: Record<string, YearCardReply> = {}
  const all = reply.people.flatMap((person) => person.calls.map((row) => ({ row, person })))
  const [counted, repeated] = [all.filter(isCounted), all.filter((one) => !isCounted(one))]
  const byAsset = Map.groupBy(counted, ({ row }) => row.asset_type)
  const assets = ASSET_KEYS.flatMap((asset) => {
    const prices = series[asset] ?? null
    const due = Map.groupBy(byAsset.get(asset) ?? [], ({ row }) => Number(row.deadline.slice(0, 4)))
    const years = [...due]
      .toSorted(([a], [b]) => b - a)
      .map(([year, these]) => {
        const calls = these.map(({ row, person }) => callOf(row, person, prices))
        const card = cardOf(reply, calls, prices, asset, year)
        cards[cardName(asset, year)] = card
        return { ...card.tally, replayed: card.replayed }
      })
    return years.length === 0 ? [] : { asset, years }
  })
  const repeats = repeated.map(({ row }) => row.id)
  return { years: { as_of: reply.as_of, assets, repeats }, cards }
}

function isCounted({ row }: { readonly row: ScoredCallRow }): boolean {
  return row.repeats === null
}

export function cardName(asset: AssetKey, year: number): string {
  return `${asset} ${String(year)}`
}

export function cardOf(
  reply: ScoresReply,
  calls: readonly Call[],
  series: Series | null,
  asset: AssetKey,
  year: number,
): YearCardReply {
  const through = reply.prices_through[asset] ?? null
  const known = {
    calendar: ASSETS[asset].calendar,
    through: through === null ? null : dayOfRow(through),
  }
  const scored = reply.years.find((one) => one.asset_type === asset && one.year === year)
  const { tally, decided, open, boldest, widest, consensus } = yearCard(year, calls, known)
  const end = lastTradingDay(known.calendar, dayOf(year, 12, 31))
  const isSoFar = known.through === null || known.through < end
  return {
    as_of: reply.as_of,
    tally,
    so_far: isSoFar,
    finding: yearFinding({ asset, tally, isSoFar }),
    replayed: scored?.replayed ?? null,
    price: priceOf(series, year, known.through),
    levels: levelsNamed([...decided, ...open]),
    boldest: boldest && callRow(boldest),
    widest:
      widest && widest.error !== null && widest.close !== null
        ? { ...callRow(widest), error: widest.error, close: widest.close }
        : null,
    consensus: consensus && consensusRow(consensus),
    calls: decided.slice(0, MOST_CALLS).map(callRow),
    open: open.slice(0, MOST_CALLS).map(callRow),
  }
}

function callOf(
  row: ScoredCallRow,
  { slug, name }: { readonly slug: string; readonly name: string },
  series: Series | null,
): Call {
  const { direction, outcome, luck, timeIsUp, repeats } = callOfRow(row)
  const isMinimum = row.label === 'Price by'
  const deadline = dayOfRow(row.deadline)
  const place = { direction, isMinimum, level: { min: row.level_min, max: row.level_max } }
  const close = timeIsUp && series ? closeAt(series, deadline) : null
  const error = close === null ? null : deadlineError(place, close)
  const boardRow = { ...boardCall(row), made: row.made }
  const found = { outcome, luck, timeIsUp, repeats, close, error }
  return { slug, name, ...place, row: boardRow, id: row.id, deadline, ...found }
}

function priceOf(series: Series | null, year: number, through: Day | null): YearCardReply['price'] {
  if (!series || through === null) return null
  const from = series.atOrAfter(dayOf(year, 1, 1))
  const to = series.atOrAfter(Math.min(dayOf(year + 1, 1, 1), through + 1) as Day)
  const bars = series.bars.slice(from, to)
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return null
  const closes = bars.map(({ close }) => close)
  return {
    first: first.close,
    last: last.close,
    low: Math.min(...closes),
    high: Math.max(...closes),
    day: isoDay(last.day),
  }
}

function levelsNamed(calls: readonly Call[]): YearCardReply['levels'] {
  const levels = calls.map(({ level }) => (level.min + level.max) / 2)
  const middle = median(levels)
  return middle === null
    ? null
    : { median: middle, low: Math.min(...levels), high: Math.max(...levels) }
}

function callRow({ row, slug, name, error }: Call): YearCallRow {
  return { ...row, slug, name, error }
}

function consensusRow(consensus: Consensus<Call>): ConsensusRow {
  const { direction, low, high, people, calls } = consensus
  const names = new Map(calls.map(({ slug, name }) => [slug, name]))
  return {
    direction,
    low,
    high,
    people,
    calls: calls.length,
    hits: calls.filter(({ outcome }) => outcome === 'hit').length,
    by: [...names]
      .map(([slug, name]) => ({ slug, name }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .slice(0, MOST_CALLS),
  }
}

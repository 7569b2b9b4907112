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
import { type Consensus } from '#domain/scoring/consensus.ts'
import { closeAt, deadlineError } from '#domain/scoring/deadline-error.ts'
import { tallyByYear, yearCard, type YearCall } from '#domain/scoring/year-card.ts'
import { yearFinding } from '#domain/scoring/year-text.ts'
import { boardCall, callOfRow } from './board.ts'
import { newestScores, readyScores, type NewestOf } from './newest-scores.ts'
import { dayOfRow } from './scores-wire.ts'

/** The bars of an asset; null while none are known. */
type SeriesOf = (asset: AssetKey) => Series | null

type Call = YearCall & {
  /** What is shown of it: a whole row of each call would be most of what memory holds. */
  readonly shown: BoardCall & Pick<YearCallRow, 'made'>
  readonly name: string
  /** The close of its last day; null unless its time is up. */
  readonly close: number | null
}

/** What is made of one state of the scores: a correction of calls or prices makes another one. */
type Made = {
  calls: ReadonlyMap<AssetKey, readonly Call[]> | null
  readonly cards: Map<string, YearCardReply>
}

const made = new WeakMap<ScoresReply, Made>()

/** The card of a year, for its page; null while scores are computed for the first time. */
export async function pageYear(
  scores: NewestOf,
  seriesOf: SeriesOf,
  asset: AssetKey,
  year: number,
): Promise<YearCardReply | null> {
  const reply = await newestScores(scores, 'touch')
  return reply && yearReport(reply, seriesOf, asset, year)
}

/** The same for one that does not wait for scores. */
export function readyYear(
  scores: NewestOf,
  seriesOf: SeriesOf,
  asset: AssetKey,
  year: number,
): YearCardReply | null {
  const reply = readyScores(scores, 'touch')
  return reply && yearReport(reply, seriesOf, asset, year)
}

/** All years, for their page; null while scores are computed for the first time. */
export async function pageYears(scores: NewestOf, seriesOf: SeriesOf): Promise<YearsReply | null> {
  const reply = await newestScores(scores, 'touch')
  return reply && yearsReport(reply, seriesOf)
}

/** The same for one that does not wait for scores. */
export function readyYears(scores: NewestOf, seriesOf: SeriesOf): YearsReply | null {
  const reply = readyScores(scores, 'touch')
  return reply && yearsReport(reply, seriesOf)
}

/** The card of a year; made once for the same scores. */
function yearReport(
  reply: ScoresReply,
  seriesOf: SeriesOf,
  asset: AssetKey,
  year: number,
): YearCardReply {
  const { cards } = madeOf(reply)
  const key = `${asset} ${String(year)}`
  const had = cards.get(key)
  if (had) return had
  const card = cardOf(reply, seriesOf, asset, year)
  // An address of a year without calls must not fill the memory.
  if (card.tally.due > 0) cards.set(key, card)
  return card
}

/** All years in which calls of the assets were or are due. */
function yearsReport(reply: ScoresReply, seriesOf: SeriesOf): YearsReply {
  return {
    as_of: reply.as_of,
    assets: ASSET_KEYS.map((asset) => ({
      asset,
      years: tallyByYear(callsOf(reply, seriesOf, asset), knownOf(reply, asset)).map((tally) => ({
        ...tally,
        replayed: replayedOf(reply, asset, tally.year),
      })),
    })).filter(({ years }) => years.length > 0),
  }
}

function cardOf(
  reply: ScoresReply,
  seriesOf: SeriesOf,
  asset: AssetKey,
  year: number,
): YearCardReply {
  const known = knownOf(reply, asset)
  const { tally, decided, open, boldest, widest, consensus } = yearCard(
    year,
    callsOf(reply, seriesOf, asset),
    known,
  )
  const end = lastTradingDay(known.calendar, dayOf(year, 12, 31))
  const isSoFar = known.through === null || known.through < end
  return {
    as_of: reply.as_of,
    tally,
    so_far: isSoFar,
    finding: yearFinding({ asset, tally, isSoFar }),
    replayed: replayedOf(reply, asset, year),
    price: priceOf(seriesOf(asset), year, known.through),
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

function madeOf(reply: ScoresReply): Made {
  const had = made.get(reply)
  if (had) return had
  const fresh: Made = { calls: null, cards: new Map() }
  made.set(reply, fresh)
  return fresh
}

function replayedOf({ years }: ScoresReply, asset: AssetKey, year: number): number | null {
  return years.find((one) => one.asset_type === asset && one.year === year)?.replayed ?? null
}

function knownOf({ prices_through }: ScoresReply, asset: AssetKey) {
  const through = prices_through[asset] ?? null
  return {
    calendar: ASSETS[asset].calendar,
    through: through === null ? null : dayOfRow(through),
  }
}

function callsOf(reply: ScoresReply, seriesOf: SeriesOf, asset: AssetKey): readonly Call[] {
  const ofReply = madeOf(reply)
  const all = (ofReply.calls ??= Map.groupBy(
    reply.people.flatMap(({ slug, name, calls }) =>
      calls.map((row) => callOf(row, { slug, name }, seriesOf(row.asset_type))),
    ),
    ({ shown }) => shown.asset,
  ))
  return all.get(asset) ?? []
}

function callOf(
  row: ScoredCallRow,
  person: { readonly slug: string; readonly name: string },
  series: Series | null,
): Call {
  const { direction, isMinimum, outcome, luck, timeIsUp } = callOfRow(row)
  const deadline = dayOfRow(row.deadline)
  const place = { direction, isMinimum, level: { min: row.level_min, max: row.level_max } }
  const close = timeIsUp && series ? closeAt(series, deadline) : null
  const error = close === null ? null : deadlineError(place, close)
  const shown = { ...boardCall(row), made: row.made }
  return { ...person, ...place, shown, id: row.id, deadline, outcome, luck, timeIsUp, close, error }
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

function callRow({ shown, slug, name, error }: Call): YearCallRow {
  return { ...shown, slug, name, error }
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

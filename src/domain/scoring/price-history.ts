import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { tradingDaysBetween, type Calendar } from '#domain/judging/calendar.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { type Motion } from './touch.ts'

/** Trading days per year. */
export const DAYS_A_YEAR: Readonly<Record<Calendar, number>> = { 'every-day': 365, 'new-york': 252 }
/** Minimum number of returns to estimate the volatility. */
const LEAST_RETURNS = 90
/** Years of history for the drift; with fewer than `least`, the drift is 0. */
const DRIFT_YEARS = { most: 4, least: 2 }
/** Half of past growth, as nobody knew that it would continue. */
const DRIFT_SHARE = 0.5
const STEEPEST_DRIFT = 1
/** Bounds of an asset's beta to the asset it follows. */
const BETA = { least: 1, most: 2.5 }

/** The complete bars of an asset up to a day, preprocessed so that the volatility of any day is cheap. */
export type PriceHistory = {
  readonly asset: AssetKey
  readonly series: Series
  /** Trading days a year. */
  readonly daysAYear: number
  readonly logs: Float64Array
  readonly squares: Float64Array
}

export type PriceHistories = Readonly<Partial<Record<AssetKey, PriceHistory>>>

/** Preprocesses the bars up to a day, without later or unfinished ones. */
export function priceHistory(asset: AssetKey, bars: readonly AgreedBar[], asOf: Day): PriceHistory {
  const { calendar } = ASSETS[asset]
  const firstMoving = bars.reduce(
    (first, bar) => (bar.moving ? Math.min(first, bar.day) : first),
    Infinity,
  )
  const series = seriesOf(
    calendar,
    bars.filter(({ day, close }) => day <= asOf && day < firstMoving && close > 0),
  )
  const count = series.bars.length
  const logs = Float64Array.from(series.bars, ({ close }) => Math.log(close))
  const squares = new Float64Array(count)
  let square = 0
  for (let i = 0; i < count; i += 1) {
    if (i > 0) square += ((logs[i] ?? 0) - (logs[i - 1] ?? 0)) ** 2
    squares[i] = square
  }
  return { asset, series, daysAYear: DAYS_A_YEAR[calendar], logs, squares }
}

export function positionAt({ series }: PriceHistory, day: Day): number {
  return series.atOrAfter((day + 1) as Day) - 1
}

export function yearsBetween(history: PriceHistory, after: Day, through: Day): number {
  return tradingDaysBetween(history.series.calendar, after, through) / history.daysAYear
}

const motions = new WeakMap<PriceHistories, Map<PriceHistory, Map<number, Motion | null>>>()

/**
 * Annual volatility and market drift as known at a bar's close; the drift is that of the logarithm, upwards.
 * Computed once per bar.
 *
 * @param at the position of the bar
 * @returns null with too little history
 */
export function motionAt(histories: PriceHistories, history: PriceHistory, at: number) {
  const all = motions.get(histories) ?? new Map<PriceHistory, Map<number, Motion | null>>()
  const known = all.get(history) ?? new Map<number, Motion | null>()
  const found = known.get(at)
  if (found !== undefined) return found
  const motion = findMotion(histories, history, at)
  motions.set(histories, all.set(history, known.set(at, motion)))
  return motion
}

function findMotion(histories: PriceHistories, history: PriceHistory, at: number): Motion | null {
  const own = ownMotionAt(history, at)
  const { follows } = ASSETS[history.asset]
  if (!own || !follows) return own
  const other = histories[follows.asset]
  const bar = history.series.bars[at]
  if (!other || !bar || bar.day < follows.from) return own
  const behind = tradingDaysBetween(history.series.calendar, follows.from, bar.day)
  if (behind >= history.daysAYear) return own
  const followed = ownMotionAt(other, positionAt(other, bar.day))
  if (!followed) return own
  const beta = betaAt(history, other, at)
  return {
    sigma: Math.max(own.sigma, beta * followed.sigma),
    drift: bounded(beta * followed.drift, -STEEPEST_DRIFT, STEEPEST_DRIFT),
  }
}

function ownMotionAt({ daysAYear, logs, squares }: PriceHistory, at: number): Motion | null {
  const returns = Math.min(at, daysAYear)
  if (returns < LEAST_RETURNS) return null
  const sum = (squares[at] ?? 0) - (squares[at - returns] ?? 0)
  const sigma = Math.sqrt((daysAYear * Math.max(0, sum)) / returns)
  const past = Math.min(at, DRIFT_YEARS.most * daysAYear)
  if (past < DRIFT_YEARS.least * daysAYear) return { sigma, drift: 0 }
  const growth = ((logs[at] ?? 0) - (logs[at - past] ?? 0)) / (past / daysAYear)
  return { sigma, drift: bounded(DRIFT_SHARE * growth, -STEEPEST_DRIFT, STEEPEST_DRIFT) }
}

/** Slope of last year's log returns on those of another asset over the same days. */
function betaAt(history: PriceHistory, other: PriceHistory, at: number): number {
  let [n, x, y, xx, xy] = [0, 0, 0, 0, 0]
  for (let i = Math.max(1, at - history.daysAYear + 1); i <= at; i += 1) {
    const [before, now] = [history.series.bars[i - 1], history.series.bars[i]]
    if (!before || !now) continue
    const [from, to] = [positionAt(other, before.day), positionAt(other, now.day)]
    if (from < 0 || to <= from) continue
    const theirs = (other.logs[to] ?? 0) - (other.logs[from] ?? 0)
    const ours = (history.logs[i] ?? 0) - (history.logs[i - 1] ?? 0)
    n += 1
    x += theirs
    y += ours
    xx += theirs * theirs
    xy += theirs * ours
  }
  const spread = xx - (x * x) / n
  if (n < LEAST_RETURNS || !(spread > 0)) return BETA.least
  return bounded((xy - (x * y) / n) / spread, BETA.least, BETA.most)
}

function bounded(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

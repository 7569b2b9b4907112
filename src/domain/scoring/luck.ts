import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { levelsOf, type Claim } from '#domain/claim/claim.ts'
import { type Day, addDays } from '#domain/day.ts'
import { treesOf } from '#domain/judging/judge.ts'
import { goalOf, type Direction, type JudgeMode } from '#domain/judging/verdict.ts'
import { yearsBetween, type PriceHistory, motionAt, type PriceHistories } from './price-history.ts'
import {
  endsBelowChance,
  laterChance,
  seenOnceShift,
  staysChance,
  touchChance,
  type Motion,
} from './touch.ts'

export type Attempt = {
  readonly claim: Claim
  readonly direction: Direction
  /** The price when it was made, USD. */
  readonly usd: number
  readonly made: Day
  readonly from: Day
  readonly through: Day
  /** The price is seen only once a day. */
  readonly seenOnce: boolean
}

export function luckOf(history: PriceHistory, attempt: Attempt, motion: Motion): number {
  const { claim, direction, usd, made, through, seenOnce } = attempt
  const { min, max } = levelsOf(claim)
  const all = yearsBetween(history, made, through)
  const wait = Math.min(all, yearsBetween(history, made, (attempt.from - 1) as Day))

  const { sigma, drift } = motion
  const farther = seenOnce ? seenOnceShift(sigma, 1 / history.daysAYear) : 0

  function touches(level: number, isUp: boolean): number {
    const distance = isUp ? Math.log(level / usd) : Math.log(usd / level)
    const towards = { sigma, drift: isUp ? drift : -drift }
    return laterChance(towards, wait, (moved) => {
      const left = distance + (distance > 0 ? farther : 0) - moved
      return touchChance(left, towards, all - wait)
    })
  }

  function isHit(): number {
    switch (direction) {
      case 'up':
        return touches(min, true)
      case 'down':
        return touches(max, false)
      case 'never-above':
        return 1 - touches(max, true)
      case 'never-below':
        return 1 - touches(min, false)
      case 'stays':
        return laterChance(motion, wait, (moved) => {
          const floor = Math.log(usd / min) + farther + moved
          return staysChance(floor, Math.log(max / min) + 2 * farther, motion, all - wait)
        })
      case 'above':
      case 'below':
      case 'inside': {
        const below = (level: number): number => endsBelowChance(Math.log(level / usd), motion, all)
        const goal = goalOf(direction, { min, max })
        return (goal.max === Infinity ? 1 : below(max)) - (goal.min === 0 ? 0 : below(min))
      }
    }
  }

  return Math.min(Math.max(isHit(), LEAST_LUCK), 1 - LEAST_LUCK)
}

/**
 * Whether the price is seen once a day only: by closes; or by touch, where most bars of the window so far (before there
 * is one, the last bar before it) have no highs and lows.
 */
export function isSeenOnce({ series }: PriceHistory, mode: JudgeMode, from: Day, through: Day) {
  if (mode === 'close') return true
  const first = series.atOrAfter(from)
  const last = series.atOrAfter((through + 1) as Day) - 1
  if (last < first) return first > 0 && series.closesOnly(first - 1, first - 1) > 0
  return 2 * series.closesOnly(first, last) > last - first + 1
}

/** Luck never calls anything impossible, or certain. */
export const LEAST_LUCK = 0.001

/** A level to reach by the end of a window that begins at once. */
export type Level = {
  /** The price when it was said, and the level: USD. */
  readonly from: number
  readonly to: number
  /** As known then, a year; `drift` is upwards. */
  readonly motion: Motion
  /** Days of trading in the window, and in a year. */
  readonly days: number
  readonly daysAYear: number
  /** The price is seen only once a day. */
  readonly seenOnce: boolean
}

export type WorkedLuck = {
  readonly years: number
  readonly distance: number
  /** How much farther the level counts because the price is seen once a day; 0 if it is seen continuously. */
  readonly shift: number
  /** Standard deviation of the price move in the window: σ√τ. */
  readonly spread: number
  readonly luck: number
}

export function workedLuck({
  from,
  to,
  motion: { sigma, drift },
  days,
  daysAYear,
  seenOnce,
}: Level): WorkedLuck {
  const years = days / daysAYear
  const distance = Math.abs(Math.log(to / from))
  const shift = seenOnce ? seenOnceShift(sigma, 1 / daysAYear) : 0
  const towards = to < from ? -drift : drift
  return {
    years,
    distance,
    shift,
    spread: sigma * Math.sqrt(years),
    luck: touchChance(distance + shift, { sigma, drift: towards }, years),
  }
}

/** Windows of placebo calls, days. */
const HORIZONS = [30, 90, 180, 365, 730] as const
/** Distances of placebo levels, in units of the expected price move. */
const DISTANCES = [0.25, 0.5, 1, 1.5, 2]
/** Bars per placebo call. */
const EVERY = 7
export const LUCK_TOLERANCE = 0.05

/** Placebo calls of one kind: expected and actual share that came true, 0 to 1. */
type PlaceboRow = {
  readonly asset: AssetKey | null
  readonly horizon: (typeof HORIZONS)[number]
  readonly direction: 'up' | 'down' | null
  readonly calls: number
  readonly expected: number
  readonly happened: number
}

export type LuckTest = {
  readonly calls: number
  readonly rows: readonly PlaceboRow[]
  /** By horizon; `holds` if expected and actual share differ by at most 0.05. */
  readonly horizons: readonly (PlaceboRow & { readonly holds: boolean })[]
}

/**
 * Tests luck's own forecasts: for levels chosen on past days from earlier prices only, compares expected with actual hits.
 * Only ended calls count.
 *
 * @see the methodology page
 */
export function testLuck(histories: PriceHistories, mode: JudgeMode): LuckTest {
  const rows: PlaceboRow[] = []
  for (const asset of ASSET_KEYS) {
    const history = histories[asset]
    if (!history) continue
    for (const horizon of HORIZONS) {
      for (const direction of ['up', 'down'] as const) {
        const row = placebos(histories, history, horizon, direction, mode)
        if (row.calls > 0) rows.push(row)
      }
    }
  }
  const horizons = HORIZONS.map((horizon) => {
    const these = rows.filter((row) => row.horizon === horizon)
    const all = together(these)
    const holds = all.calls > 0 && Math.abs(all.expected - all.happened) <= LUCK_TOLERANCE
    return { asset: null, horizon, direction: null, ...all, holds }
  })
  return { calls: rows.reduce((total, row) => total + row.calls, 0), rows, horizons }
}

type Shares = Pick<PlaceboRow, 'calls' | 'expected' | 'happened'>

/** Combines placebo calls of several kinds; shares are 0 without calls. */
export function together(rows: readonly Shares[]): Shares {
  const calls = rows.reduce((total, row) => total + row.calls, 0)
  const share = (key: 'expected' | 'happened'): number =>
    calls === 0 ? 0 : rows.reduce((total, row) => total + row.calls * row[key], 0) / calls
  return { calls, expected: share('expected'), happened: share('happened') }
}

function placebos(
  histories: PriceHistories,
  history: PriceHistory,
  horizon: PlaceboRow['horizon'],
  direction: 'up' | 'down',
  mode: JudgeMode,
): PlaceboRow {
  const { series, asset } = history
  const end = series.finalThrough
  const isUp = direction === 'up'
  const { highs, lows } = treesOf({ series, mode })
  const tree = isUp ? highs : lows
  let [calls, expected, happened] = [0, 0, 0]
  for (let at = 0; at < series.bars.length; at += EVERY) {
    const bar = series.bars[at]
    const motion = motionAt(histories, history, at)
    if (!bar || !motion || end === null) continue
    const [from, through] = [addDays(bar.day, 1), addDays(bar.day, horizon)]
    if (series.lastSession(through) > end || !series.isComplete(from, through)) continue
    const seenOnce = isSeenOnce(history, mode, from, through)
    const spread = motion.sigma * Math.sqrt(yearsBetween(history, bar.day, through))
    const farthest = tree.max(at + 1, series.atOrAfter(addDays(through, 1)) - 1)
    for (const distance of DISTANCES) {
      const usd = bar.close * Math.exp((isUp ? 1 : -1) * distance * spread)
      const claim = { type: 'target', usd } as const
      const call = { claim, direction, usd: bar.close, made: bar.day, from, through, seenOnce }
      calls += 1
      expected += luckOf(history, call, motion)
      if (farthest >= (isUp ? usd : -usd)) happened += 1
    }
  }
  const all = Math.max(1, calls)
  return { asset, horizon, direction, calls, expected: expected / all, happened: happened / all }
}

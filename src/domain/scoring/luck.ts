import { levelsOf, type Claim } from '#domain/claim/claim.ts'
import { type Day } from '#domain/day.ts'
import { goalOf, type Direction, type JudgeMode } from '#domain/judging/verdict.ts'
import { yearsBetween, type PriceHistory } from './price-history.ts'
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
export function isSeenOnce(
  { series }: PriceHistory,
  mode: JudgeMode,
  from: Day,
  through: Day,
): boolean {
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

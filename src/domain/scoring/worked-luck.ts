import { seenOnceShift, touchChance, type Motion } from './touch.ts'

/** A level that has to be reached by the end of a window that begins at once. */
export type Level = {
  /** The price when it was said, and the level: USD. */
  readonly from: number
  readonly to: number
  /** As known then, a year; `drift` is upwards. */
  readonly motion: Motion
  /** Days of trading in the window, and in a year. */
  readonly days: number
  readonly daysAYear: number
  /** The price is seen once a day only. */
  readonly seenOnce: boolean
}

/** The luck of a call step by step, for a reader who wants to follow it. */
export type WorkedLuck = {
  readonly years: number
  /** |ln(level / price)|. */
  readonly distance: number
  /** How much farther away it counts, as it is seen once a day; 0 when it is watched all the time. */
  readonly shift: number
  /** How far the price is likely to move in the window: σ√τ. */
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

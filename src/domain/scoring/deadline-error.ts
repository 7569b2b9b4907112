import { type LevelRange } from '#domain/claim/claim.ts'
import { type Day } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'
import { goalOf, type Direction } from '#domain/judging/verdict.ts'

/** Where a call said that the price would be. */
export type CalledPlace = {
  readonly direction: Direction
  /** USD, adjusted for splits. */
  readonly level: LevelRange
  readonly isMinimum: boolean
}

/**
 * How far the level of a call was from the close of its last day, as a share of that close: 1.42 for a level 142% too
 * high, −0.3 for one 30% too low, 0 where the price was on the right side of it.
 *
 * @param usd the close, above zero
 */
export function deadlineError({ direction, level }: CalledPlace, usd: number): number {
  const { min, max } = goalOf(direction, level)
  if (usd < min) return min / usd - 1
  return usd > max ? max / usd - 1 : 0
}

/** The last close up to a day; null before the first, and where it is not above zero. */
export function closeAt(series: Series, by: Day): number | null {
  const close = series.bars[series.atOrAfter((by + 1) as Day) - 1]?.close ?? 0
  return close > 0 ? close : null
}

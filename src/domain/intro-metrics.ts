import { addYears, type Day } from './day.ts'
import { levelsOf, type Claim } from './claim/claim.ts'
import { type Outcome } from './judging/verdict.ts'
import { median } from './median.ts'

/** Levels for more than this many years ahead say nothing useful about the price. */
const HORIZON_YEARS = 10

/** Figures of open levels in whole USD; all are 0 when there are no such predictions. */
export type LevelFigures = {
  readonly average: number
  readonly spread: number
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

/**
 * Figures of the levels of pending predictions that end within ten years; a range counts as its middle. Screens show the
 * median and the range: one level of $10,000,000 moves an average far from what most people expect.
 *
 * @see decisions.md §2 and §7, "Averages"
 */
export function levelFigures(
  given: readonly { claim: Claim; by: Day; outcome: Outcome }[],
  today: Day,
): LevelFigures {
  const levels = given
    .filter((one) => one.outcome === 'pending' && one.by <= addYears(today, HORIZON_YEARS))
    .map(({ claim }) => {
      const { min, max } = levelsOf(claim)
      return (min + max) / 2
    })
  const middle = median(levels)
  if (middle === null) return { average: 0, spread: 0, median: 0, lowest: 0, highest: 0 }
  const sum = levels.reduce((total, usd) => total + usd, 0)
  const [lowest, highest] = levels.reduce(
    ([low, high], usd) => [Math.min(low, usd), Math.max(high, usd)],
    [Infinity, -Infinity],
  )
  return {
    average: Math.round(sum / levels.length),
    spread: Math.round(highest - lowest),
    median: Math.round(middle),
    lowest: Math.round(lowest),
    highest: Math.round(highest),
  }
}

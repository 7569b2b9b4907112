import { addYears, type Day } from './day.ts'
import { levelsOf, type Claim } from './claim/claim.ts'
import { type Outcome } from './judging/verdict.ts'

/** Levels for more than this many years ahead say nothing useful about the price. */
const HORIZON_YEARS = 10

/**
 * Average and spread, in whole USD, of the levels of pending predictions that end within ten years; a range counts as
 * its middle. Both are 0 when there are no such predictions.
 *
 * @see decisions.md §2
 */
export function levelFigures(
  given: readonly { claim: Claim; by: Day; outcome: Outcome }[],
  today: Day,
): { average: number; spread: number } {
  const levels = given
    .filter((one) => one.outcome === 'pending' && one.by <= addYears(today, HORIZON_YEARS))
    .map(({ claim }) => {
      const { min, max } = levelsOf(claim)
      return (min + max) / 2
    })
  if (levels.length === 0) return { average: 0, spread: 0 }
  const sum = levels.reduce((total, usd) => total + usd, 0)
  const [lowest, highest] = levels.reduce(
    ([low, high], usd) => [Math.min(low, usd), Math.max(high, usd)],
    [Infinity, -Infinity],
  )
  return { average: Math.round(sum / levels.length), spread: Math.round(highest - lowest) }
}

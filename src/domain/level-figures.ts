import { addYears, type Day } from './day.ts'

/** The median; null if empty. */
export function median(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort()
  const [low, high] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** Levels further ahead than this say nothing useful about the price. */
const HORIZON_YEARS = 10

/** Figures of open levels in whole USD; 0 if there are none. */
export type LevelFigures = {
  readonly average: number
  readonly spread: number
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

/**
 * Figures of open levels that end within ten years. Screens show the median and range: a single $10,000,000 level would
 * distort an average.
 *
 * @param open levels in USD (the middle of a range) and deadlines
 * @see decisions.md §2 and §7, "Averages"
 */
export function levelFigures(
  open: readonly { readonly usd: number; readonly by: Day }[],
  today: Day,
): LevelFigures {
  const levels = open.filter(({ by }) => by <= addYears(today, HORIZON_YEARS)).map(({ usd }) => usd)
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

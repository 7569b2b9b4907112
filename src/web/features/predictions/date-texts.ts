import { readDay, showDay } from '#domain/day.ts'
import { type Prediction } from '#domain/prediction.ts'

/** The target date as lists show it, no more exact than it is known (public-site.md §2 and §8). */
export function targetDate({ by, byPrecision }: Prediction): string {
  return Number.isFinite(by) ? showDay(by, byPrecision) : 'Date not specified'
}

/** A date of a record: `N/A` where there is none, `Invalid Date` where it cannot be read (public-site.md §8). */
export function recordDate(at: string): string {
  if (at.trim() === '') return 'N/A'
  const day = readDay(at)
  return day === null ? 'Invalid Date' : showDay(day)
}

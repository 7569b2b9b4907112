import { showDay } from '#domain/day.ts'
import { type Drawn } from '#domain/claim/prediction.ts'

/** The target date as lists show it, no more exact than it is known (public-site.md §2 and §8). */
export function targetDate({ by, byPrecision }: Drawn): string {
  return Number.isFinite(by) ? showDay(by, byPrecision) : 'Date not specified'
}

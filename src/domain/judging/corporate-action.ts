import { type AssetKey } from '#domain/asset.ts'
import { day, type Day } from '#domain/day.ts'

/** A split: from this day on, one unit of before counts as `ratio` units. */
export type CorporateAction = {
  readonly asset: AssetKey
  readonly day: Day
  readonly ratio: number
}

/** Known from the start; further ones are confirmed by an administrator. */
export const CORPORATE_ACTIONS: readonly CorporateAction[] = [
  { asset: 'mstr', day: day('2024-08-08'), ratio: 10 },
]

/**
 * How many of today's units one unit of that day has become: 10 for a level said before a ten-for-one split. A level
 * said on the day of the split itself is taken in the new units, as prices of that day are.
 */
export function splitFactor(
  asset: AssetKey,
  said: Day,
  actions: readonly CorporateAction[] = CORPORATE_ACTIONS,
): number {
  return actions
    .filter((action) => action.asset === asset && action.day > said)
    .reduce((factor, action) => factor * action.ratio, 1)
}

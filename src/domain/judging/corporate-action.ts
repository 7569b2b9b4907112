import { type AssetKey } from '#domain/asset.ts'
import { day, type Day } from '#domain/day.ts'

/** A split: from this day on, one old unit counts as `ratio` new units. */
export type CorporateAction = {
  readonly asset: AssetKey
  readonly day: Day
  readonly ratio: number
}

/** Splits that ship with the site; an administrator confirms later ones. */
export const CORPORATE_ACTIONS: readonly CorporateAction[] = [
  { asset: 'mstr', day: day('2024-08-08'), ratio: 10 },
]

/**
 * How many of today's units one unit of that day has become: 10 for a level said before a ten-for-one split. A level
 * said on the day of the split counts in the new units, as that day's prices do.
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

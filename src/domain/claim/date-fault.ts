import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { addDays, addYears, showDay, type Day } from '#domain/day.ts'

/** What is wrong with a date, and in which field. */
export type DateFault = { readonly field: 'target_time' | 'start_date'; readonly message: string }

/** No one reading today would live to see the end of a longer prediction. */
const LONGEST_YEARS = 100

/**
 * What is wrong with the dates of a statement; null when they are fine. The deadline must leave at least one bar after
 * the day the prediction was made, or nothing could ever decide it.
 */
export function dateFault(asset: AssetKey, made: Day, from: Day | null, by: Day): DateFault | null {
  if (by <= made) {
    return {
      field: 'target_time',
      message: `The target date (${showDay(by)}) must be after the day the prediction was made (${showDay(made)}).`,
    }
  }
  if (by > addYears(made, LONGEST_YEARS)) {
    return {
      field: 'target_time',
      message: `The target date (${showDay(by)}) is more than ${String(LONGEST_YEARS)} years ahead.`,
    }
  }
  if (from !== null && from > by) {
    return {
      field: 'start_date',
      message: `The start date (${showDay(from)}) is after the target date (${showDay(by)}).`,
    }
  }
  const begin = from !== null && from > made ? from : addDays(made, 1)
  for (let at = begin; at <= by; at = addDays(at, 1)) {
    if (isTradingDay(ASSETS[asset].calendar, at)) return null
  }
  return {
    field: 'target_time',
    message: `${ASSETS[asset].symbol} does not trade between ${showDay(begin)} and ${showDay(by)}.`,
  }
}

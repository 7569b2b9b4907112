import { ASSETS, type AssetKey } from './asset.ts'
import { isTradingDay } from './calendar.ts'
import { addDays, addYears, showDay, type Day } from './day.ts'
import { readPrice } from './price-text.ts'
import { type Claim, type PredictionType } from './prediction.ts'

/** A claim as forms, files and calls carry it: a type and up to three levels in USD. */
export type ClaimFields = {
  readonly prediction_type: PredictionType
  readonly price_target: number | null
  readonly price_min: number | null
  readonly price_max: number | null
  /** Display text, read only where no level is given. */
  readonly price_prediction?: string | null
}

export type FieldName = 'price_target' | 'price_min' | 'price_max' | 'target_time' | 'start_date'

/** What is wrong, and at which field. */
export type FieldFault = { readonly field: FieldName; readonly message: string }

/** What the levels of a type are called, where a message has to name one that is missing (public-site.md §5). */
export const MISSING_LEVEL = {
  target: 'Please enter the price target.',
  min: 'Please enter the minimum price.',
  max: 'Please enter the maximum price.',
  top: 'Please enter the price ceiling/top.',
  bottom: 'Please enter the price floor/bottom.',
} as const
export const NOT_POSITIVE = 'Please enter a price above zero.'
export const MIN_NOT_BELOW_MAX = 'The minimum price must be below the maximum price.'

/**
 * Reads the claim of a form, a file or a call. A top stands in `price_max`, a bottom in `price_min`; either may also
 * stand in `price_target`.
 *
 * @see public-site.md §5, "Payload mapping" and "Chart data rules"
 */
export function readClaim(fields: ClaimFields): Claim | FieldFault {
  const { price_target: target, price_min: min, price_max: max } = fields
  switch (fields.prediction_type) {
    case 'target': {
      const written = target ?? min ?? readPrice(fields.price_prediction ?? '')?.min ?? null
      return level(written, 'price_target', MISSING_LEVEL.target, (usd) => ({
        type: 'target',
        usd,
      }))
    }
    case 'top':
      return level(
        max ?? target,
        max === null ? 'price_target' : 'price_max',
        MISSING_LEVEL.top,
        (usd) => ({
          type: 'top',
          usd,
        }),
      )
    case 'bottom':
      return level(
        min ?? target,
        min === null ? 'price_target' : 'price_min',
        MISSING_LEVEL.bottom,
        (usd) => ({
          type: 'bottom',
          usd,
        }),
      )
    case 'pricetimerange':
      return level(min, 'price_min', MISSING_LEVEL.min, (usd) => ({
        type: 'pricetimerange',
        min: usd,
      }))
    case 'range':
      return range(min, max)
  }
}

export function isFault<T extends object>(read: T | FieldFault): read is FieldFault {
  return 'field' in read && 'message' in read
}

/** The claim as its fields, the way public calls send it. */
export function fieldsOfClaim(claim: Claim): {
  price_target: number | null
  price_min: number | null
  price_max: number | null
} {
  switch (claim.type) {
    case 'target':
      return { price_target: claim.usd, price_min: null, price_max: null }
    case 'top':
      return { price_target: null, price_min: null, price_max: claim.usd }
    case 'bottom':
      return { price_target: null, price_min: claim.usd, price_max: null }
    case 'pricetimerange':
      return { price_target: null, price_min: claim.min, price_max: claim.min }
    case 'range':
      return { price_target: null, price_min: claim.min, price_max: claim.max }
  }
}

/** Nobody who reads a prediction today lives to see the end of a longer one. */
const LONGEST_YEARS = 100

/**
 * What is wrong with the dates of a statement; null when nothing is. A deadline needs at least one bar behind the day
 * the prediction was made, or nothing could ever decide it.
 */
export function dateFault(
  asset: AssetKey,
  made: Day,
  from: Day | null,
  by: Day,
): FieldFault | null {
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

function level(
  usd: number | null,
  field: FieldName,
  missing: string,
  claim: (usd: number) => Claim,
): Claim | FieldFault {
  if (usd === null) return { field, message: missing }
  return isPrice(usd) ? claim(usd) : { field, message: NOT_POSITIVE }
}

function range(min: number | null, max: number | null): Claim | FieldFault {
  if (min === null) return { field: 'price_min', message: MISSING_LEVEL.min }
  if (max === null) return { field: 'price_max', message: MISSING_LEVEL.max }
  if (!isPrice(min)) return { field: 'price_min', message: NOT_POSITIVE }
  if (!isPrice(max)) return { field: 'price_max', message: NOT_POSITIVE }
  return min < max
    ? { type: 'range', min, max }
    : { field: 'price_min', message: MIN_NOT_BELOW_MAX }
}

/** A price that any asset could have: from a hundred-millionth of a dollar to a trillion. */
function isPrice(usd: number): boolean {
  return usd >= 1e-8 && usd <= 1e12
}

import {
  levelsOf,
  makeClaim,
  timingOf,
  timingsOf,
  type Claim,
  type ClaimType,
  type StatedDirection,
  type Timing,
} from './claim.ts'

/**
 * Maps claims to and from the three price fields and type names that forms, files, calls and tables use.
 *
 * @see public-site.md §5, "Payload mapping" and "Chart data rules"
 */

export const PREDICTION_TYPES = ['target', 'range', 'pricetimerange', 'top', 'bottom'] as const
export type PredictionType = (typeof PREDICTION_TYPES)[number]

export const LEVEL_FIELDS = ['price_target', 'price_min', 'price_max'] as const
export type LevelField = (typeof LEVEL_FIELDS)[number]
export type Levels<T = number | null> = Readonly<Record<LevelField, T>>
/** Builds the three fields from `at`. */
export function levelsAt<T>(at: (field: LevelField) => T): Levels<T> {
  return {
    price_target: at('price_target'),
    price_min: at('price_min'),
    price_max: at('price_max'),
  }
}

export const NO_LEVELS: Levels<null> = { price_target: null, price_min: null, price_max: null }

/** Timing and direction; empty for the default timing and for no stated direction. */
export type TermFields = {
  readonly timing?: Timing | null | undefined
  readonly direction?: StatedDirection | null | undefined
}

/** A claim as forms, files and calls carry it: a type, up to three levels in USD, and its terms. */
export type ClaimFields = Levels &
  TermFields & {
    readonly prediction_type: PredictionType
    readonly price_prediction?: string | null
  }

export type ClaimFault = { readonly field: LevelField | 'timing'; readonly message: string }

export const NOT_POSITIVE = 'Please enter a price above zero.'
const WRONG_TIMING: Readonly<Record<ClaimType, string>> = {
  target:
    'A target is reached at any time until the deadline, or on that day: it cannot hold the whole time.',
  range: 'Please choose when it must be true.',
  'by-date': 'Please choose when it must be true.',
  top: 'A top has to hold the whole time, or on that day.',
  bottom: 'A bottom has to hold the whole time, or on that day.',
}
const NOT_RISING = 'The minimum price must be below the maximum price.'

/** The lowest and highest price accepted, USD. */
const LOWEST_USD = 1e-8
export const HIGHEST_USD = 1e12

type Place = {
  readonly form: LevelField
  readonly what: string
  /** Shown if the field is empty (public-site.md §5). */
  readonly missing: string
  readonly fields: readonly [LevelField, ...LevelField[]]
}

function place(form: LevelField, what: string, ...fields: Place['fields']): Place {
  return { form, what, missing: `Please enter the ${what}.`, fields }
}

const MIN = place('price_min', 'minimum price', 'price_min')
const MAX = place('price_max', 'maximum price', 'price_max')

const kind = (type: ClaimType, ...places: readonly Place[]) => ({ type, places })

const KINDS = {
  target: kind('target', place('price_target', 'price target', 'price_target', 'price_min')),
  range: kind('range', MIN, MAX),
  pricetimerange: kind('by-date', MIN),
  top: kind('top', place('price_target', 'price ceiling/top', 'price_max', 'price_target')),
  bottom: kind('bottom', place('price_target', 'price floor/bottom', 'price_min', 'price_target')),
} as const satisfies Readonly<Record<PredictionType, ReturnType<typeof kind>>>

export function claimType(word: PredictionType): ClaimType {
  return KINDS[word].type
}

export function predictionType(type: ClaimType): PredictionType {
  return type === 'by-date' ? 'pricetimerange' : type
}

export function levelFields(type: PredictionType): readonly LevelField[] {
  return KINDS[type].places.map(({ fields }) => fields[0])
}

/** The form fields for a type, low end first, each with its message for an empty value. */
export function levelFormFields(type: PredictionType) {
  return KINDS[type].places
}

/**
 * The values and fields of a type's levels, low end first; null if missing.
 *
 * @param isLenient takes a lone level from any field, as models put it anywhere
 */
export function levelsAmong<T>(type: PredictionType, values: Levels<T | null>, isLenient = false) {
  const { places } = KINDS[type]
  return places.map(({ fields, form }) => {
    const candidates = isLenient && places.length === 1 ? [...fields, ...LEVEL_FIELDS] : fields
    const field = candidates.find((one) => values[one] !== null)
    return field === undefined ? { field: form, value: null } : { field, value: values[field] }
  })
}

/** @param text the levels as text, used if there are none in the fields */
export function readClaim(
  fields: ClaimFields,
  text: { readonly min: number; readonly max: number } | null = null,
): Claim | ClaimFault {
  const found = levelsAmong(fields.prediction_type, fields)
  const isNone = found.every(({ value }) => value === null)
  const written = isNone ? text : null
  const levels = found.map(({ value }, i) => value ?? (i === 0 ? written?.min : written?.max))
  const { type, places } = KINDS[fields.prediction_type]
  for (const [i, usd] of levels.entries()) {
    if (usd === undefined) {
      return { field: places[i]?.form ?? 'price_target', message: places[i]?.missing ?? '' }
    }
    if (!(usd >= LOWEST_USD && usd <= HIGHEST_USD)) {
      return { field: found[i]?.field ?? 'price_target', message: NOT_POSITIVE }
    }
  }
  const [min = NaN, max = min] = levels
  if (type === 'range' && min >= max) return { field: 'price_min', message: NOT_RISING }
  const { timing, direction } = fields
  if (timing && !timingsOf(type).includes(timing)) {
    return { field: 'timing', message: WRONG_TIMING[type] }
  }
  return makeClaim(
    type,
    { min, max },
    { ...(timing && { timing }), ...(direction && { direction }) },
  )
}

export function isFault(read: Claim | ClaimFault): read is ClaimFault {
  return 'field' in read
}

export function fieldsOfClaim(claim: Claim) {
  return {
    prediction_type: predictionType(claim.type),
    ...levelsOnce(claim),
    ...(claim.type === 'by-date' && { price_max: claim.usd }),
    timing: timingOf(claim),
    direction: claim.direction ?? null,
  }
}

/** Each level in one field only, as posts are read: a minimum has no upper end. */
export function levelsOnce(claim: Claim): Levels {
  const { min, max } = levelsOf(claim)
  const [low, high] = levelFields(predictionType(claim.type))
  return levelsAt((field) => (field === low ? min : field === high ? max : null))
}

export function columnsOfClaim(claim: Claim) {
  const { price_target, price_min, price_max, timing, direction } = fieldsOfClaim(claim)
  return { priceTarget: price_target, priceMin: price_min, priceMax: price_max, timing, direction }
}

export function claimOfColumns(row: {
  readonly type: PredictionType
  readonly priceTarget: number | null
  readonly priceMin: number | null
  readonly priceMax: number | null
  readonly timing: Timing
  readonly direction: StatedDirection | null
}): Claim {
  return claimOfRow({
    ...row,
    price_target: row.priceTarget,
    price_min: row.priceMin,
    price_max: row.priceMax,
  })
}

export function claimOfRow(
  row: Levels & {
    readonly type: PredictionType
    readonly timing: Timing
    readonly direction: StatedDirection | null
  },
): Claim {
  const claim = readClaim({ ...row, prediction_type: row.type })
  if (isFault(claim)) throw new Error(`the database holds a ${row.type} whose level cannot be read`)
  return claim
}

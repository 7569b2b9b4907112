import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { addDays, addYears, showDay, type Day } from '#domain/day.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { sentenceCase } from '#domain/price-text.ts'
import {
  makeClaim,
  levelsOf,
  type Claim,
  type LevelRange,
  timingsOf,
  type ClaimType,
  type Timing,
} from './claim.ts'
import {
  levelFormFields,
  claimType,
  fieldsOfClaim,
  HIGHEST_USD,
  isFault,
  LEVEL_FIELDS,
  levelsAt,
  NO_LEVELS,
  NOT_POSITIVE,
  predictionType,
  type ClaimFault,
  type LevelField,
  type Levels,
  type PredictionType,
  type TermFields,
  PREDICTION_TYPES,
} from './fields.ts'
import { labelOf } from './text.ts'
import { readNumber, readPrice, readWrittenClaim } from './written.ts'

/** A level as typed or sent: null and empty clear it, absent leaves it unchanged. */
export type LevelInput = string | number | null | undefined
/** A claim as typed or sent; the default type is `target`. */
export type ClaimInput = Partial<Levels<LevelInput>> &
  TermFields & {
    readonly prediction_type?: PredictionType | null | undefined
    readonly price_prediction?: LevelInput
  }

export const LEVEL_MESSAGES = {
  number: 'Please enter a number, such as 100,000.',
  tooHigh: 'Please enter a price below one trillion dollars.',
} as const

export function formFields(type: PredictionType): readonly LevelField[] {
  return levelFormFields(type).map(({ form }) => form)
}

/** The form field for a call field: a ceiling is `price_max` in calls, but the form has one price field. */
export function formFieldOf(field: string, type: PredictionType): string {
  const isLevel = field === 'price_prediction' || LEVEL_FIELDS.some((level) => level === field)
  if (!isLevel) return field
  const fields = formFields(type)
  return fields.find((one) => one === field) ?? fields[0] ?? field
}

/** A level as a number; null when it is missing or not a number. */
export function readLevel(input: LevelInput): number | null {
  if (typeof input === 'number') return Number.isFinite(input) ? input : null
  return input === null || input === undefined ? null : readNumber(input)
}

function isEmpty(input: LevelInput): boolean {
  return input === null || input === undefined || String(input).trim() === ''
}

/** Reads a claim as typed or sent. @returns the claim, or a message for each invalid field */
export function readClaimInput(
  input: ClaimInput,
):
  | { readonly ok: true; readonly claim: Claim }
  | { readonly ok: false; readonly faults: Partial<Record<ClaimFault['field'], string>> } {
  const type = input.prediction_type ?? 'target'
  const faults: Partial<Record<ClaimFault['field'], string>> = {}
  for (const field of LEVEL_FIELDS) {
    const usd = readLevel(input[field])
    if (!isEmpty(input[field]) && usd === null) faults[field] = LEVEL_MESSAGES.number
    else if (usd !== null && usd >= HIGHEST_USD) faults[field] = LEVEL_MESSAGES.tooHigh
    else if (usd !== null && usd <= 0) faults[field] = NOT_POSITIVE
  }
  if (Object.keys(faults).length === 0) {
    const read = readWrittenClaim({
      prediction_type: type,
      timing: input.timing,
      direction: input.direction,
      ...levelsAt((field) => readLevel(input[field])),
      price_prediction: isEmpty(input.price_prediction) ? null : String(input.price_prediction),
    })
    if (!isFault(read)) return { ok: true, claim: read }
    faults[read.field] = (read.field !== 'timing' && writtenFault(input)) || read.message
  }
  // A range with one bad end may also be missing the other.
  const fields = levelFormFields(type)
  for (const { form, missing } of fields.length > 1 ? fields : []) {
    if (isEmpty(input[form])) faults[form] = missing
  }
  return { ok: false, faults }
}

/** The fault of a level given only as display text; null if valid. */
function writtenFault(input: ClaimInput): string | null {
  if (isEmpty(input.price_prediction) || !LEVEL_FIELDS.every((field) => isEmpty(input[field]))) {
    return null
  }
  const written = readPrice(String(input.price_prediction))
  if (written === null) return LEVEL_MESSAGES.number
  return written.max >= HIGHEST_USD ? LEVEL_MESSAGES.tooHigh : null
}

/** The form values of a type's level fields. */
export function formLevels(type: PredictionType, form: Partial<Levels<LevelInput>>) {
  const used = formFields(type)
  return levelsAt((field) => (used.includes(field) ? form[field] : null))
}

/**
 * Merges an edit of levels. A range keeps an end that is not given; other types have one level, which is replaced.
 *
 * @param stored null if the stored claim is of another type
 */
export function editedLevels(
  type: PredictionType,
  stored: Levels | null,
  input: Partial<Levels<LevelInput>>,
): Levels<LevelInput> {
  if (!namesLevel(input)) return stored ?? NO_LEVELS
  const before = stored && levelFormFields(type).length > 1 ? stored : NO_LEVELS
  return levelsAt((field) => (input[field] === undefined ? before[field] : input[field]))
}

export function namesLevel(input: Partial<Levels<LevelInput>>): boolean {
  return LEVEL_FIELDS.some((field) => input[field] !== undefined)
}

/** Maps the ends of a written price to a type's fields. @param max NaN for a single level, so that a range lacks its upper end */
export function fieldsOfLevels(type: PredictionType, { min, max }: LevelRange): Levels {
  const fields = fieldsOfClaim(makeClaim(claimType(type), { min, max }))
  return levelsAt((field) => (Number.isNaN(fields[field]) ? null : fields[field]))
}

/** The level texts of a form; unused fields are empty. */
export function levelTexts(claim: Claim): Levels<string> {
  const { min, max } = levelsOf(claim)
  const [low, high] = formFields(predictionType(claim.type))
  return levelsAt((field) =>
    field === low ? levelText(min) : field === high ? levelText(max) : '',
  )
}

/** A level as form text, such as `150,000`, which parses to the same number. */
export function levelText(usd: number): string {
  const exact = usd.toLocaleString('en-US', { maximumFractionDigits: 10 })
  // Three digits after the point would be read as thousands.
  const texts = [exact, usd.toFixed(4), usd.toFixed(8)]
  return texts.find((text) => readNumber(text) === usd) ?? exact
}

export type DateFault = { readonly field: 'target_time' | 'start_date'; readonly message: string }

/** Nobody reading today would see the end of a longer prediction. */
const LONGEST_YEARS = 100

/**
 * Checks the dates of a statement; null if valid. At least one bar must fall between the day the prediction was made and
 * the deadline.
 */
export function dateFault(asset: AssetKey, made: Day, from: Day | null, by: Day): DateFault | null {
  const fault = (message: string, field: DateFault['field'] = 'target_time') => ({ field, message })
  const target = `The target date (${showDay(by)})`
  if (by <= made) {
    return fault(`${target} must be after the day the prediction was made (${showDay(made)}).`)
  }
  if (by > addYears(made, LONGEST_YEARS)) {
    return fault(`${target} is more than ${String(LONGEST_YEARS)} years ahead.`)
  }
  if (from !== null && from > by) {
    const message = `The start date (${showDay(from)}) is after the target date (${showDay(by)}).`
    return fault(message, 'start_date')
  }
  const begin = from !== null && from > made ? from : addDays(made, 1)
  for (let at = begin; at <= by; at = addDays(at, 1)) {
    if (isTradingDay(ASSETS[asset].calendar, at)) return null
  }
  const { symbol } = ASSETS[asset]
  return fault(`${symbol} does not trade between ${showDay(begin)} and ${showDay(by)}.`)
}

const MEANINGS: Readonly<Record<ClaimType, string>> = {
  target: 'exact price',
  range: 'min to max',
  'by-date': 'minimum price by a date',
  top: 'price ceiling (never above)',
  bottom: 'price floor (never below)',
}

/** A prediction type and its meaning: `Top: price ceiling (never above)` (public-site.md §9, "Prediction types"). */
export function typeMeaning(type: PredictionType): string {
  return `${labelOf(type)}: ${MEANINGS[claimType(type)]}`
}

export const TYPE_OPTIONS = PREDICTION_TYPES.map((type) => [type, typeMeaning(type)] as const)

export const TIMING_QUESTION = 'When must it be true?'
export const TIMING_NAMES: Readonly<Record<Timing, string>> = {
  by: 'At any time until then',
  at_end: 'On that day',
  throughout: 'The whole time',
}

/** Timing choices of a type; the first is the default. */
export function timingOptions(type: PredictionType): readonly (readonly [Timing, string])[] {
  return timingsOf(claimType(type)).map((timing) => [timing, TIMING_NAMES[timing]] as const)
}

/** `On that day` */
export function timingName(type: PredictionType, timing: Timing | null | undefined): string {
  return TIMING_NAMES[timingIn(type, timing)]
}

export function timingIn(type: PredictionType, timing: Timing | null | undefined): Timing {
  const known = timingsOf(claimType(type))
  return known.find((one) => one === timing) ?? known[0]
}

/** Directions that reviewers can choose. */
export const DIRECTION_OPTIONS = [
  ['', 'As the price says'],
  ['up', 'Up'],
  ['down', 'Down'],
] as const

export function levelInputs(type: PredictionType) {
  return levelFormFields(type).map(({ form, what }) => ({ name: form, label: sentenceCase(what) }))
}

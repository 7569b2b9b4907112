import { readNumber } from '#domain/price-text.ts'
import { makeClaim, levelsOf, type Claim, type LevelRange } from './claim.ts'
import {
  askedLevels,
  claimType,
  fieldsOfClaim,
  HIGHEST_USD,
  isFault,
  LEVEL_FIELDS,
  levelsAt,
  NO_LEVELS,
  NOT_POSITIVE,
  predictionType,
  readClaim,
  type ClaimFault,
  type LevelField,
  type Levels,
  type PredictionType,
  type TermFields,
} from './fields.ts'

/** A level as typed or sent: null and empty clear it, absent leaves it as it is. */
export type GivenLevel = string | number | null | undefined
/** A claim as typed or sent; without a type it is a target. */
export type GivenClaim = Partial<Levels<GivenLevel>> &
  TermFields & {
    readonly prediction_type?: PredictionType | null | undefined
    readonly price_prediction?: GivenLevel
  }

export const LEVEL_MESSAGES = {
  number: 'Please enter a number, such as 100,000.',
  tooHigh: 'Please enter a price below one trillion dollars.',
} as const

/** The fields in which a form asks for the levels of this type, low end first. */
export function formFields(type: PredictionType): readonly LevelField[] {
  return askedLevels(type).map(({ form }) => form)
}

/** The form field that shows a fault of a call's field: a ceiling is `price_max` in calls, but the form's one price field. */
export function formFieldOf(field: string, type: PredictionType): string {
  const isLevel = field === 'price_prediction' || LEVEL_FIELDS.some((level) => level === field)
  if (!isLevel) return field
  const fields = formFields(type)
  return fields.find((one) => one === field) ?? fields[0] ?? field
}

/** A level as a number; null when it is missing or not a number. */
export function readLevel(given: GivenLevel): number | null {
  if (typeof given === 'number') return Number.isFinite(given) ? given : null
  return given === null || given === undefined ? null : readNumber(given)
}

function isEmpty(given: GivenLevel): boolean {
  return given === null || given === undefined || String(given).trim() === ''
}

/** Reads a claim as typed or sent. @returns the claim, or a message for each field that is wrong */
export function readGivenClaim(
  given: GivenClaim,
):
  | { readonly ok: true; readonly claim: Claim }
  | { readonly ok: false; readonly faults: Partial<Record<ClaimFault['field'], string>> } {
  const type = given.prediction_type ?? 'target'
  const faults: Partial<Record<ClaimFault['field'], string>> = {}
  for (const field of LEVEL_FIELDS) {
    const usd = readLevel(given[field])
    if (!isEmpty(given[field]) && usd === null) faults[field] = LEVEL_MESSAGES.number
    else if (usd !== null && usd >= HIGHEST_USD) faults[field] = LEVEL_MESSAGES.tooHigh
    else if (usd !== null && usd <= 0) faults[field] = NOT_POSITIVE
  }
  if (Object.keys(faults).length === 0) {
    const read = readClaim({
      prediction_type: type,
      timing: given.timing,
      direction: given.direction,
      ...levelsAt((field) => readLevel(given[field])),
      price_prediction: isEmpty(given.price_prediction) ? null : String(given.price_prediction),
    })
    if (!isFault(read)) return { ok: true, claim: read }
    faults[read.field] = read.message
  }
  // A range with one bad end may also be missing the other.
  const asked = askedLevels(type)
  for (const { form, missing } of asked.length > 1 ? asked : []) {
    if (isEmpty(given[form])) faults[form] = missing
  }
  return { ok: false, faults }
}

/** The form's values for the levels of this type, without those of its other fields. */
export function formLevels(
  type: PredictionType,
  form: Partial<Levels<GivenLevel>>,
): Levels<GivenLevel> {
  const used = formFields(type)
  return levelsAt((field) => (used.includes(field) ? form[field] : null))
}

/**
 * The levels of a claim after an edit that names some of them. A range keeps the end that is not named; every other type
 * has one level, which the named one replaces.
 *
 * @param stored null when the stored claim is of another type
 */
export function editedLevels(
  type: PredictionType,
  stored: Levels | null,
  given: Partial<Levels<GivenLevel>>,
): Levels<GivenLevel> {
  if (!namesLevel(given)) return stored ?? NO_LEVELS
  const kept = stored && askedLevels(type).length > 1 ? stored : NO_LEVELS
  return levelsAt((field) => (given[field] === undefined ? kept[field] : given[field]))
}

export function namesLevel(given: Partial<Levels<GivenLevel>>): boolean {
  return LEVEL_FIELDS.some((field) => given[field] !== undefined)
}

/** The ends of a written price as the levels of a type. @param max NaN for a single level: a range then lacks its end */
export function fieldsOfLevels(type: PredictionType, { min, max }: LevelRange): Levels {
  const fields = fieldsOfClaim(makeClaim(claimType(type), { min, max }))
  return levelsAt((field) => (Number.isNaN(fields[field]) ? null : fields[field]))
}

/** The texts of a form's level fields; fields the claim does not use are empty. */
export function levelTexts(claim: Claim): Levels<string> {
  const { min, max } = levelsOf(claim)
  const [low, high] = formFields(predictionType(claim.type))
  return levelsAt((field) =>
    field === low ? levelText(min) : field === high ? levelText(max) : '',
  )
}

/** A level as a form field shows it: `150,000`. It reads back as the same number. */
export function levelText(usd: number): string {
  const exact = usd.toLocaleString('en-US', { maximumFractionDigits: 10 })
  // Three digits after the point would be read as thousands.
  const texts = [exact, usd.toFixed(4), usd.toFixed(8)]
  return texts.find((text) => readNumber(text) === usd) ?? exact
}

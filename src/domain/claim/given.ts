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
  type LevelField,
  type Levels,
  type PredictionType,
} from './fields.ts'

/** A level as typed or sent: null and empty clear it, absent says nothing of it. */
export type GivenLevel = string | number | null | undefined
/** A claim as typed or sent; a type that is missing means a target. */
export type GivenClaim = Partial<Levels<GivenLevel>> & {
  readonly prediction_type?: PredictionType | null | undefined
  readonly price_prediction?: GivenLevel
}

export const LEVEL_MESSAGES = {
  number: 'Please enter a number, such as 100,000.',
  tooHigh: 'Please enter a price below one trillion dollars.',
} as const

/** The fields in which a form asks for the levels of this kind, low end first. */
export function formFields(type: PredictionType): readonly LevelField[] {
  return askedLevels(type).map(({ form }) => form)
}

/** Where a form shows what is wrong with a field of a call: a ceiling, which calls carry in `price_max`, is in its one price field. */
export function formFieldOf(field: string, type: PredictionType): string {
  const isLevel = field === 'price_prediction' || LEVEL_FIELDS.some((level) => level === field)
  if (!isLevel) return field
  const fields = formFields(type)
  return fields.find((one) => one === field) ?? fields[0] ?? field
}

/** A level as a number; null where there is none, or what is given is no number. */
export function readLevel(given: GivenLevel): number | null {
  if (typeof given === 'number') return Number.isFinite(given) ? given : null
  return given === null || given === undefined ? null : readNumber(given)
}

function isEmpty(given: GivenLevel): boolean {
  return given === null || given === undefined || String(given).trim() === ''
}

/** Reads a claim as it was typed or sent. @returns the claim, or a message for each field that is wrong */
export function readGivenClaim(
  given: GivenClaim,
):
  | { readonly ok: true; readonly claim: Claim }
  | { readonly ok: false; readonly faults: Partial<Record<LevelField, string>> } {
  const type = given.prediction_type ?? 'target'
  const faults: Partial<Record<LevelField, string>> = {}
  for (const field of LEVEL_FIELDS) {
    const usd = readLevel(given[field])
    if (!isEmpty(given[field]) && usd === null) faults[field] = LEVEL_MESSAGES.number
    else if (usd !== null && usd >= HIGHEST_USD) faults[field] = LEVEL_MESSAGES.tooHigh
    else if (usd !== null && usd <= 0) faults[field] = NOT_POSITIVE
  }
  if (Object.keys(faults).length === 0) {
    const read = readClaim({
      prediction_type: type,
      ...levelsAt((field) => readLevel(given[field])),
      price_prediction: isEmpty(given.price_prediction) ? null : String(given.price_prediction),
    })
    if (!isFault(read)) return { ok: true, claim: read }
    faults[read.field] = read.message
  }
  // A range with one bad end may lack the other altogether.
  const asked = askedLevels(type)
  for (const { form, missing } of asked.length > 1 ? asked : []) {
    if (isEmpty(given[form])) faults[form] = missing
  }
  return { ok: false, faults }
}

/** What a form holds for the levels of this kind; what it holds in other fields is left out. */
export function formLevels(
  type: PredictionType,
  form: Partial<Levels<GivenLevel>>,
): Levels<GivenLevel> {
  const used = formFields(type)
  return levelsAt((field) => (used.includes(field) ? form[field] : null))
}

/**
 * The levels of a claim after an edit that names some of them. A range keeps the end that is not named; any other kind
 * has one level, and the one named is it.
 *
 * @param stored null where it is of another kind
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

/** The ends of a written price as the levels of a kind. @param max NaN where there is one level: a range then lacks its end */
export function fieldsOfLevels(type: PredictionType, { min, max }: LevelRange): Levels {
  const { price_max, ...fields } = fieldsOfClaim(makeClaim(claimType(type), { min, max }))
  return { ...fields, price_max: Number.isNaN(price_max) ? null : price_max }
}

/** The texts of a form's level fields; those that the claim does not use are empty. */
export function levelTexts(claim: Claim): Levels<string> {
  const { min, max } = levelsOf(claim)
  const [low, high] = formFields(predictionType(claim.type))
  return levelsAt((field) =>
    field === low ? levelText(min) : field === high ? levelText(max) : '',
  )
}

/** A level in a field: `150,000`. It reads back as the same number. */
export function levelText(usd: number): string {
  const exact = usd.toLocaleString('en-US', { maximumFractionDigits: 10 })
  // Three digits behind the point would be read as thousands.
  const texts = [exact, usd.toFixed(4), usd.toFixed(8)]
  return texts.find((text) => readNumber(text) === usd) ?? exact
}

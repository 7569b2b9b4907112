import { timingsOf, type ClaimType, type Timing } from './claim.ts'
import { claimType, PREDICTION_TYPES, type LevelField, type PredictionType } from './fields.ts'
import { formFields } from './given.ts'
import { labelOf } from './text.ts'

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

/** The types as forms offer them. */
export const TYPE_OPTIONS = PREDICTION_TYPES.map((type) => [type, typeMeaning(type)] as const)

export const TIMING_QUESTION = 'When must it be true?'
export const TIMING_NAMES: Readonly<Record<Timing, string>> = {
  by: 'At any time until then',
  at_end: 'On that day',
  throughout: 'The whole time',
}

/** When a claim of a type must be true, as forms offer it; the first is the default. */
export function timingOptions(type: PredictionType): readonly (readonly [Timing, string])[] {
  return timingsOf(claimType(type)).map((timing) => [timing, TIMING_NAMES[timing]] as const)
}

/** `On that day` */
export function timingName(type: PredictionType, timing: Timing | null | undefined): string {
  return TIMING_NAMES[timingIn(type, timing)]
}

/** The timing that a form holds, or the default of the type where that is one of another type. */
export function timingIn(type: PredictionType, timing: Timing | null | undefined): Timing {
  const known = timingsOf(claimType(type))
  return known.find((one) => one === timing) ?? known[0]
}

/** The way the words say that the price will move, as reviewers choose it. */
export const DIRECTION_OPTIONS = [
  ['', 'As the price says'],
  ['up', 'Up'],
  ['down', 'Down'],
] as const

const LEVEL_LABELS: Readonly<Record<ClaimType, readonly string[]>> = {
  target: ['Price target'],
  range: ['Minimum price', 'Maximum price'],
  'by-date': ['Minimum price'],
  top: ['Price ceiling/top'],
  bottom: ['Price floor/bottom'],
}

/** The fields that a form shows for the levels of a type, low end first. */
export function levelInputs(
  type: PredictionType,
): readonly { readonly name: LevelField; readonly label: string }[] {
  const labels = LEVEL_LABELS[claimType(type)]
  return formFields(type).map((name, i) => ({ name, label: labels[i] ?? '' }))
}

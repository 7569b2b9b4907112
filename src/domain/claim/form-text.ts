import { type ClaimType } from './claim.ts'
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

import { type SubmissionForm } from '#contracts/submissions.ts'
import { type PredictionType } from '#domain/prediction.ts'

/** The kinds of prediction as the form offers them (public-site.md §9, "Prediction types"). */
export const TYPE_OPTIONS: Readonly<Record<PredictionType, string>> = {
  target: 'Target: exact price',
  top: 'Top: price ceiling (never above)',
  bottom: 'Bottom: price floor (never below)',
  range: 'Range: min to max',
  pricetimerange: 'Price by: minimum price by a date',
}

export type LevelField = 'price_target' | 'price_min' | 'price_max'

/** Which levels each kind asks for, and by what name. */
export const LEVELS: Readonly<
  Record<PredictionType, readonly { readonly name: LevelField; readonly label: string }[]>
> = {
  target: [{ name: 'price_target', label: 'Price target (USD)' }],
  top: [{ name: 'price_target', label: 'Price ceiling/top (USD)' }],
  bottom: [{ name: 'price_target', label: 'Price floor/bottom (USD)' }],
  range: [
    { name: 'price_min', label: 'Minimum price (USD)' },
    { name: 'price_max', label: 'Maximum price (USD)' },
  ],
  pricetimerange: [{ name: 'price_min', label: 'Minimum price (USD)' }],
}

/** In the order of the form, for bringing the first fault into sight. */
export const FIELDS: readonly (keyof SubmissionForm)[] = [
  'expert_name',
  'twitter_handle',
  'nostr_npub',
  'prediction_type',
  'price_target',
  'price_min',
  'price_max',
  'target_time',
  'prediction_made',
  'source_url',
  'notes',
  'submitter_email',
]

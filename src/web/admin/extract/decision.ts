import { type TweetExtraction, type AdminSubmission } from '#contracts/posts.ts'
import {
  DIRECTION_OPTIONS,
  TIMING_QUESTION,
  TYPE_OPTIONS,
  timingIn,
  formFieldOf,
  formFields,
  levelText,
} from '#domain/claim/claim-input.ts'
import { type StatedDirection } from '#domain/claim/claim.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { readNumber, readPrice } from '#domain/claim/written.ts'
import { type Day } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { payloadOf, readSubmission, type SubmissionFields } from '#domain/submission.ts'
import { type FormField } from '#web/admin/kit/admin-form.tsx'
import { levelValues, onlyFields, withClaim } from '#web/claim-form/values.ts'

/** Options of the form (administrator-tools.md §4 and §9). */
const DECISION_STATUSES = ['pending', 'success', 'miss'] as const
const CONFIDENCES = ['low', 'medium', 'high'] as const

/** The decision as the form holds it: texts as typed. */
export type Decision = Readonly<ReturnType<typeof draftOf>>
export type DecisionField = keyof Decision
export type Faults = Readonly<Partial<Record<DecisionField, string>>>

/** In form order; each with its label. */
export const FORM_FIELDS: Readonly<Record<DecisionField, FormField>> = {
  expert_name: { label: 'Expert Name' },
  twitter_handle: { label: 'Twitter Handle', placeholder: '@name' },
  asset_type: {
    label: 'Asset Type',
    options: [
      ['btc', 'bitcoin'],
      ['mstr', 'mstr'],
      ['naka', 'naka'],
    ],
  },
  prediction_type: { label: 'Prediction Type', options: TYPE_OPTIONS },
  price_prediction: { label: 'Price Prediction', placeholder: '$150,000' },
  price_min: { label: 'Price Minimum', is: 'decimal' },
  price_max: { label: 'Price Maximum', is: 'decimal' },
  target_time: { label: 'Target Date', is: 'day', hint: 'The post states none.' },
  prediction_made: { label: 'Prediction Made', is: 'day' },
  timing: { label: TIMING_QUESTION },
  direction: { label: 'Direction', options: DIRECTION_OPTIONS },
  source_url: { label: 'Source URL', is: 'url', placeholder: 'https://' },
  status: { label: 'Status', options: DECISION_STATUSES.map((one) => [one, one]) },
  confidence: { label: 'Confidence', options: CONFIDENCES.map((one) => [one, one]) },
  notes: { label: 'Notes', rows: 4 },
  email: {
    label: 'Email',
    optional: true,
    hint: 'Empty: the address of this site, if it has one.',
  },
}
const FIELDS = Object.keys(FORM_FIELDS) as DecisionField[]

export function draftOf(extraction: TweetExtraction) {
  const type = extraction.prediction_type ?? 'target'
  const status: (typeof DECISION_STATUSES)[number] = 'pending'
  /** Empty: derived from the price. */
  const direction: StatedDirection | '' = extraction.direction ?? ''
  const { price_min, price_max } = levelValues({ ...extraction, prediction_type: type })
  return {
    expert_name: extraction.existing_influencer_name ?? extraction.expert_name ?? '',
    twitter_handle: extraction.twitter_handle ?? '',
    asset_type: extraction.asset_type ?? 'btc',
    prediction_type: type,
    price_prediction: extraction.price_prediction ?? '',
    price_min,
    price_max,
    timing: timingIn(type, extraction.timing),
    direction,
    target_time: extraction.target_time ?? '',
    prediction_made: extraction.prediction_made ?? '',
    source_url: extraction.tweet_url ?? '',
    status,
    confidence: extraction.has_prediction ? extraction.confidence_level : 'medium',
    notes: extraction.prediction_notes,
    email: '',
  }
}

/** Fields for the lowest and highest price that the type has besides its display text (administrator-tools.md §5). */
export function endFields(type: PredictionType): readonly ('price_min' | 'price_max')[] {
  return formFields(type).filter((field) => field !== 'price_target')
}

/** In form order. */
export function shownFields(type: PredictionType): readonly DecisionField[] {
  const ends: readonly DecisionField[] = endFields(type)
  return FIELDS.filter((field) => !/^price_m(?:in|ax)$/.test(field) || ends.includes(field))
}

/**
 * The decision with one field changed. For a range or minimum, display text and levels are kept in sync: only the
 * levels are submitted, so edits to either must not be lost.
 */
export function edited(before: Decision, field: DecisionField, value: string): Decision {
  const after = { ...before, [field]: value }
  const isOpen = field === 'prediction_type' && after.price_min === '' && after.price_max === ''
  if (field === 'price_prediction' || isOpen) return { ...after, ...levelsInText(after) }
  if (field !== 'price_min' && field !== 'price_max' && field !== 'prediction_type') return after
  const follows = before.price_prediction === '' || agrees(before)
  const levels = endFields(after.prediction_type).map((end) => readNumber(after[end]))
  const text = levels.every((usd) => usd !== null) ? levels.map(showUsd).join(' - ') : ''
  return follows && text !== '' ? { ...after, price_prediction: text } : after
}

/** Levels parsed from the display text, for types with level fields. */
function levelsInText({
  prediction_type: type,
  price_prediction: text,
}: Decision): Partial<Decision> {
  const ends = endFields(type)
  const read = readPrice(text)
  if (read === null || ends.length !== new Set([read.min, read.max]).size) return {}
  const texts = [levelText(read.min), levelText(read.max)]
  return Object.fromEntries(ends.map((field, i) => [field, texts[i]]))
}

function agrees(decision: Decision): boolean {
  const levels = levelsInText(decision)
  return endFields(decision.prediction_type).every(
    (field) =>
      levels[field] !== undefined && readNumber(levels[field]) === readNumber(decision[field]),
  )
}

/** In form order (administrator-tools.md §5). */
export function requiredFields(type: PredictionType): readonly DecisionField[] {
  const ends = endFields(type)
  const named = ['expert_name', 'prediction_type', 'price_prediction'] as const
  return [...named, ...ends, 'target_time', 'source_url']
}

/** Faults that block submitting, as a sentence and by field; null if there are none. */
export function refusalOf(
  decision: Decision,
  today: Day,
): { readonly message: string; readonly faults: Faults } | null {
  const required = requiredFields(decision.prediction_type)
  const missing = required.filter((field) => decision[field].trim() === '')
  if (missing.length > 0) {
    const faults = missing.map((field) => [field, `${FORM_FIELDS[field].label} is required.`])
    const labels = missing.map((field) => FORM_FIELDS[field].label).join(', ')
    return {
      message: `Please fill in required fields: ${labels}`,
      faults: Object.fromEntries(faults),
    }
  }
  const faults = faultsOf(decision, today)
  return Object.keys(faults).length > 0
    ? { message: 'Please correct the marked fields.', faults }
    : null
}

/** Faults of a complete decision, worded as in the submit form. */
function faultsOf(decision: Decision, today: Day): Faults {
  const read = readSubmission(fieldsOf(decision), today)
  const faults = read.ok ? {} : placed(read.faults, decision)
  const ends = endFields(decision.prediction_type).length
  if (ends === 0 || agrees(decision) || faults.price_min || faults.price_max) return faults
  const those = ends > 1 ? 'prices as the minimum and the maximum' : 'price as the minimum'
  return { price_prediction: `Please enter the same ${those}.`, ...faults }
}

/** Maps a call's messages to the fields of this form; if two share a field, the first wins. */
export function placed(
  faults: Readonly<Record<string, string | undefined>>,
  { prediction_type: type }: Decision,
): Faults {
  const entries = Object.entries(faults).flatMap(([name, message]) => {
    const formField = name === 'price_prediction' ? name : formFieldOf(name, type)
    const field =
      { price_target: 'price_prediction', submitter_email: 'email' }[formField] ?? formField
    return field in FORM_FIELDS && message !== undefined ? [[field, message]] : []
  })
  return Object.fromEntries(entries.toReversed())
}

/**
 * The body of the call.
 *
 * @param how `card`: index of the prediction in the post; `isAgain`: although it was submitted before
 */
export function submissionOf(
  decision: Decision,
  extraction: TweetExtraction,
  { isNewInfluencer = false, card = 0, isAgain = false } = {},
): AdminSubmission {
  return {
    ...fieldsOf(decision),
    ...(isNewInfluencer ? { new_influencer: true } : {}),
    email: orNull(decision.email),
    status: decision.status,
    ai_metadata: JSON.stringify({
      tweet_proposals: extraction.tweet_proposals,
      accuracy_confidence: decision.confidence,
      accuracy_reasoning: extraction.accuracy_reasoning,
      interpretation_challenges: extraction.interpretation_challenges,
      verification_status: extraction.verification_status,
      grok_used: extraction.grok_used,
      extraction_method: extraction.extraction_method,
    }),
    extraction_id: extraction.extraction_id,
    ...(card === 0 ? {} : { extraction_card: card }),
    ...(isAgain ? { again: true } : {}),
  }
}

function fieldsOf(edited: Decision): SubmissionFields {
  const { confidence: _, status: __, email, ...decision } = edited
  const read = readPrice(decision.price_prediction)
  return payloadOf({
    ...decision,
    twitter_handle: orNull(decision.twitter_handle),
    // A display text with two numbers is not a single level.
    price_target: read !== null && read.min === read.max ? read.min : decision.price_prediction,
    direction: decision.direction || null,
    prediction_made: orNull(decision.prediction_made),
    source_url: orNull(decision.source_url),
    submitter_email: orNull(email),
  })
}

export function changedFields(draft: Decision, decision: Decision): readonly DecisionField[] {
  return FIELDS.filter((field) => draft[field].trim() !== decision[field].trim())
}

/** Manual edits, which are reapplied when the post is read again. */
export function editsOf(draft: Decision, decision: Decision): Partial<Decision> {
  const changed = withClaim(changedFields(draft, decision))
  return onlyFields(decision, (field) => changed.has(field))
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

import { formFieldOf, formFields, levelText } from '#domain/claim/given.ts'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { type AdminSubmission } from '#contracts/posts.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type SaidDirection, type Timing } from '#domain/claim/claim.ts'
import { TIMING_QUESTION, timingIn } from '#domain/claim/form-text.ts'
import { type Day } from '#domain/day.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { readNumber, readPrice, showUsd } from '#domain/price-text.ts'
import { payloadOf, readSubmission, type SubmissionFields } from '#domain/submission.ts'
import { levelValues, onlyFields, withClaim } from '#web/claim-form/values.ts'

/** The final decision on a post as the form holds it: texts as typed. */
export type Decision = {
  readonly expert_name: string
  readonly twitter_handle: string
  readonly asset_type: AssetKey
  readonly prediction_type: PredictionType | ''
  readonly price_prediction: string
  readonly price_min: string
  readonly price_max: string
  readonly timing: Timing
  /** Empty: the price decides. */
  readonly direction: SaidDirection | ''
  readonly target_time: string
  readonly prediction_made: string
  readonly source_url: string
  readonly status: DecisionStatus
  readonly confidence: Confidence
  readonly notes: string
  readonly email: string
}
export type DecisionField = keyof Decision
type DecisionStatus = (typeof DECISION_STATUSES)[number]
type Confidence = (typeof CONFIDENCES)[number]

/** Choices of the form (administrator-tools.md §4 and §9). */
export const DECISION_STATUSES = ['pending', 'success', 'miss'] as const
export const CONFIDENCES = ['low', 'medium', 'high'] as const

export const FIELD_LABELS: Readonly<Record<DecisionField, string>> = {
  expert_name: 'Expert Name',
  twitter_handle: 'Twitter Handle',
  asset_type: 'Asset Type',
  prediction_type: 'Prediction Type',
  price_prediction: 'Price Prediction',
  price_min: 'Price Minimum',
  price_max: 'Price Maximum',
  timing: TIMING_QUESTION,
  direction: 'Direction',
  target_time: 'Target Date',
  prediction_made: 'Prediction Made',
  source_url: 'Source URL',
  status: 'Status',
  confidence: 'Confidence',
  notes: 'Notes',
  email: 'Email',
}

export const DECISION_FIELDS = Object.keys(FIELD_LABELS) as DecisionField[]

export type Faults = Readonly<Partial<Record<DecisionField, string>>>

export const EMPTY_DECISION: Decision = {
  expert_name: '',
  twitter_handle: '',
  asset_type: 'btc',
  prediction_type: 'target',
  price_prediction: '',
  price_min: '',
  price_max: '',
  timing: 'by',
  direction: '',
  target_time: '',
  prediction_made: '',
  source_url: '',
  status: 'pending',
  confidence: 'medium',
  notes: '',
  email: '',
}

/** What was read, as the form's draft; what the post does not say stays empty. */
export function draftOf(extraction: TweetExtraction): Decision {
  const type = extraction.prediction_type ?? 'target'
  const { price_min, price_max } = levelValues({ ...extraction, prediction_type: type })
  return {
    ...EMPTY_DECISION,
    expert_name: extraction.existing_influencer_name ?? extraction.expert_name ?? '',
    twitter_handle: extraction.twitter_handle ?? '',
    asset_type: extraction.asset_type ?? 'btc',
    prediction_type: type,
    price_prediction: extraction.price_prediction ?? '',
    price_min,
    price_max,
    timing: timingIn(type, extraction.timing),
    direction: extraction.direction ?? '',
    target_time: extraction.target_time ?? '',
    prediction_made: extraction.prediction_made ?? '',
    source_url: extraction.tweet_url ?? '',
    confidence: extraction.has_prediction ? extraction.confidence_level : 'medium',
    notes: extraction.prediction_notes,
  }
}

/** The post as if each of its predictions were its main one: the main one first, then the others. */
export function cardsOf(extraction: TweetExtraction): readonly TweetExtraction[] {
  const others = extraction.others.map((one) => ({ ...extraction, ...one }))
  return [extraction, ...others]
}

/** The fields that the type has for its lowest and highest price, beside its display text (administrator-tools.md §5). */
export function endFields(type: PredictionType | ''): readonly ('price_min' | 'price_max')[] {
  return formFields(typeOr(type)).filter((field) => field !== 'price_target')
}

function typeOr(type: PredictionType | ''): PredictionType {
  return type === '' ? 'target' : type
}

/**
 * The decision with one field changed. The display text of a range or a minimum and its levels follow each other: only
 * the levels are submitted, so what is typed in one place must not be lost in the other.
 */
export function edited<Field extends DecisionField>(
  before: Decision,
  field: Field,
  value: Decision[Field],
): Decision {
  const after = { ...before, [field]: value }
  const isOpen = field === 'prediction_type' && after.price_min === '' && after.price_max === ''
  if (field === 'price_prediction' || isOpen) return { ...after, ...levelsSaid(after) }
  if (field !== 'price_min' && field !== 'price_max' && field !== 'prediction_type') return after
  const stated = before.price_prediction
  const follows = stated === '' || agrees(before)
  const text = endsText(after)
  return follows && text !== '' ? { ...after, price_prediction: text } : after
}

/** The levels that the display text names, for a type that has fields for them. */
function levelsSaid({
  prediction_type: type,
  price_prediction: text,
}: Decision): Partial<Decision> {
  const ends = endFields(type)
  const read = readPrice(text)
  if (read === null || ends.length !== new Set([read.min, read.max]).size) return {}
  const texts = [levelText(read.min), levelText(read.max)]
  return Object.fromEntries(ends.map((field, i) => [field, texts[i]]))
}

/** Whether the display text names the very levels of the fields. */
function agrees(decision: Decision): boolean {
  const said = levelsSaid(decision)
  return endFields(decision.prediction_type).every(
    (field) => said[field] !== undefined && readNumber(said[field]) === readNumber(decision[field]),
  )
}

/** The display text of the levels a range or a minimum has in its own fields; empty otherwise. */
function endsText(decision: Decision): string {
  const levels = endFields(decision.prediction_type).map((field) => readNumber(decision[field]))
  return levels.every((usd) => usd !== null) ? levels.map(showUsd).join(' - ') : ''
}

/** The fields that must be filled, in the order of the form (administrator-tools.md §5). */
export function requiredFields(type: Decision['prediction_type']): readonly DecisionField[] {
  return [
    'expert_name',
    'prediction_type',
    'price_prediction',
    ...endFields(type),
    'target_time',
    'source_url',
  ]
}

/** Those of them that are not. */
export function missingFields(decision: Decision): readonly DecisionField[] {
  return requiredFields(decision.prediction_type).filter((field) => decision[field].trim() === '')
}

export function missingText(fields: readonly DecisionField[]): string {
  return `Please fill in required fields: ${fields.map((field) => FIELD_LABELS[field]).join(', ')}`
}

/** What is wrong with a decision that is filled, in the words of the submit form. */
export function faultsOf(decision: Decision, today: Day): Faults {
  const read = readSubmission(fieldsOf(decision), today)
  const faults = read.ok ? {} : placed(read.faults, decision)
  const ends = endFields(decision.prediction_type).length
  if (ends === 0 || agrees(decision) || faults.price_min || faults.price_max) return faults
  const those = ends > 1 ? 'prices as the minimum and the maximum' : 'price as the minimum'
  return { price_prediction: `Please enter the same ${those}.`, ...faults }
}

/** Messages of a call at the fields of this form. */
export function placed(
  faults: Readonly<Record<string, string | undefined>>,
  decision: Decision,
): Faults {
  const found: { [field in DecisionField]?: string } = {}
  for (const [name, message] of Object.entries(faults)) {
    const field = placeOf(name, decision)
    if (field !== null && message !== undefined) found[field] ??= message
  }
  return found
}

function placeOf(name: string, { prediction_type: type }: Decision): DecisionField | null {
  if (name === 'submitter_email') return 'email'
  if (name === 'price_prediction') return name
  const wanted = formFieldOf(name, typeOr(type))
  if (wanted === 'price_target') return 'price_prediction'
  return DECISION_FIELDS.find((field) => field === wanted) ?? null
}

/**
 * The decision as a call carries it (administrator-tools.md §7 and §9).
 *
 * `isNewInfluencer`: it is a new person, although one of this name is on record.
 */
export function submissionOf(
  decision: Decision,
  extraction: TweetExtraction | null,
  {
    isNewInfluencer = false,
    card = 0,
    isAgain = false,
  }: {
    readonly isNewInfluencer?: boolean
    /** Which prediction of the post it is. */
    readonly card?: number
    /** Another submission is wanted although it has been submitted. */
    readonly isAgain?: boolean
  } = {},
): AdminSubmission {
  return {
    ...fieldsOf(decision),
    ...(isNewInfluencer ? { new_influencer: true } : {}),
    email: orNull(decision.email),
    status: decision.status,
    ai_metadata: extraction && JSON.stringify(metadataOf(decision, extraction)),
    extraction_id: extraction?.extraction_id ?? null,
    ...(card === 0 ? {} : { extraction_card: card }),
    ...(isAgain ? { again: true } : {}),
  }
}

function metadataOf(decision: Decision, extraction: TweetExtraction) {
  return {
    tweet_proposals: extraction.tweet_proposals,
    accuracy_confidence: decision.confidence,
    accuracy_reasoning: extraction.accuracy_reasoning,
    interpretation_challenges: extraction.interpretation_challenges,
    verification_status: extraction.verification_status,
    grok_used: extraction.grok_used,
    extraction_method: extraction.extraction_method,
  }
}

function fieldsOf(decision: Decision): SubmissionFields {
  const type = typeOr(decision.prediction_type)
  const read = readPrice(decision.price_prediction)
  return payloadOf({
    asset_type: decision.asset_type,
    expert_name: decision.expert_name,
    twitter_handle: orNull(decision.twitter_handle),
    prediction_type: type,
    // One level is its display text: a text that holds two is not a level.
    price_target: read !== null && read.min === read.max ? read.min : decision.price_prediction,
    price_min: decision.price_min,
    price_max: decision.price_max,
    timing: decision.timing,
    direction: decision.direction || null,
    target_time: decision.target_time,
    prediction_made: orNull(decision.prediction_made),
    source_url: orNull(decision.source_url),
    notes: decision.notes,
    submitter_email: orNull(decision.email),
  })
}

/** The fields in which the decision is not what was drafted. */
export function changedFields(draft: Decision, decision: Decision): readonly DecisionField[] {
  return DECISION_FIELDS.filter((field) => draft[field].trim() !== decision[field].trim())
}

/**
 * The decision after its post has been read again: what was changed by hand stays, the rest is as it is read now.
 *
 * @param before the draft that the decision began with
 */
export function redrafted(decision: Decision, before: Decision, now: Decision): Decision {
  const kept = withClaim(changedFields(before, decision))
  return { ...now, ...onlyFields(decision, (field) => kept.has(field)) }
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

import { formLevels, levelTexts, levelText } from '#domain/claim/given.ts'
import { type AdminPrediction, type EditFields } from '#contracts/corrections.ts'
import {
  type PredictionType,
  LEVEL_FIELDS,
  type Levels,
  readClaim,
  isFault,
  levelsAt,
} from '#domain/claim/fields.ts'
import { readNumber, showLevel } from '#domain/price-text.ts'

/** What the form holds, as texts. */
export type RecordFields = Levels<string> & {
  /** Whose prediction it is. */
  readonly influencer_id: number
  readonly prediction_type: PredictionType
  readonly prediction_made: string
  readonly made_precision: 'day' | 'month' | 'year'
  readonly start_date: string
  readonly target_time: string
  readonly target_precision: 'day' | 'month' | 'year'
  readonly deadline_assumed: boolean
  readonly quote: string
  readonly source_url: string
  readonly remarks: string
  readonly chart_value: string
  readonly exclude_from_chart: boolean
}
export type RecordDraft = Partial<RecordFields>

export const PRECISIONS = [
  ['day', 'to the day'],
  ['month', 'to the month'],
  ['year', 'to the year'],
] as const

/** A prediction as the form shows it. */
export function fieldsOf({ prediction, remarks }: AdminPrediction): RecordFields {
  const said = readClaim(prediction)
  return {
    influencer_id: prediction.influencer_id,
    prediction_type: prediction.prediction_type,
    ...(isFault(said) ? levelsAt(() => '') : levelTexts(said)),
    prediction_made: prediction.prediction_made,
    made_precision: prediction.made_precision,
    start_date: prediction.start_date ?? '',
    target_time: prediction.target_time,
    target_precision: prediction.target_precision,
    deadline_assumed: prediction.deadline_assumed,
    quote: prediction.quote,
    source_url: prediction.source_url ?? '',
    remarks: remarks ?? '',
    chart_value: prediction.chart_value === null ? '' : levelText(prediction.chart_value),
    exclude_from_chart: prediction.exclude_from_chart,
  }
}

/** What differs from what stands; a field typed back to what it was is no change. */
export function changedIn(shown: AdminPrediction, draft: RecordDraft): RecordDraft {
  const stored = fieldsOf(shown)
  return Object.fromEntries(
    Object.entries(draft).filter(([field, value]) => value !== stored[field as keyof RecordFields]),
  )
}

const LEVELS = ['prediction_type', ...LEVEL_FIELDS] as const

/** The edit of a call: only what was changed. A level goes with its type and the others, as they mean nothing alone. */
export function editOf(shown: AdminPrediction, draft: RecordDraft): EditFields {
  const changed = changedIn(shown, draft)
  const {
    prediction_type: _type,
    price_target: _target,
    price_min: _min,
    price_max: _max,
    start_date: start,
    source_url: source,
    remarks,
    chart_value: chart,
    ...rest
  } = changed
  const fields = { ...fieldsOf(shown), ...draft }
  const isLevel = LEVELS.some((field) => changed[field] !== undefined)
  return {
    ...rest,
    ...(start === undefined ? {} : { start_date: start || null }),
    ...(source === undefined ? {} : { source_url: source || null }),
    ...(remarks === undefined ? {} : { remarks: remarks || null }),
    ...(chart === undefined ? {} : { chart_value: chart || null }),
    ...(isLevel ? levelsOf(fields) : {}),
  }
}

function levelsOf({ prediction_type: type, ...fields }: RecordFields): EditFields {
  return { prediction_type: type, ...formLevels(type, fields) }
}

/** `read as $100,000`; null while it is no number. */
export function levelHint(text: string): string | null {
  const usd = text.trim() === '' ? null : readNumber(text)
  return usd === null ? null : `read as ${showLevel(usd)}`
}

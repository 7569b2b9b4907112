import { type AdminPrediction, type EditFields } from '#contracts/corrections.ts'
import { PREDICTION_TYPES, type PredictionType } from '#domain/prediction.ts'
import { readNumber, showClaim } from '#domain/price-text.ts'

/** What the form holds, as texts. */
export type RecordFields = {
  /** Whose prediction it is. */
  readonly influencer_id: number
  readonly prediction_type: PredictionType
  /** The level of a target, a top or a bottom. */
  readonly price: string
  readonly price_min: string
  readonly price_max: string
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

export const TYPE_NAMES: readonly (readonly [PredictionType, string])[] = PREDICTION_TYPES.map(
  (type) => [
    type,
    {
      target: 'Target',
      range: 'Range',
      pricetimerange: 'Price by',
      top: 'Top: never above',
      bottom: 'Bottom: never below',
    }[type],
  ],
)

/** A prediction as the form shows it. */
export function fieldsOf({ prediction, remarks }: AdminPrediction): RecordFields {
  const { price_target: target, price_min: min, price_max: max } = prediction
  const type = prediction.prediction_type
  const single = type === 'top' ? max : type === 'bottom' ? min : target
  return {
    influencer_id: prediction.influencer_id,
    prediction_type: type,
    price: type === 'range' || type === 'pricetimerange' ? '' : levelText(single),
    price_min: type === 'range' || type === 'pricetimerange' ? levelText(min) : '',
    price_max: type === 'range' ? levelText(max) : '',
    prediction_made: prediction.prediction_made,
    made_precision: prediction.made_precision,
    start_date: prediction.start_date ?? '',
    target_time: prediction.target_time,
    target_precision: prediction.target_precision,
    deadline_assumed: prediction.deadline_assumed,
    quote: prediction.quote,
    source_url: prediction.source_url ?? '',
    remarks: remarks ?? '',
    chart_value: levelText(prediction.chart_value),
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

const LEVELS = ['prediction_type', 'price', 'price_min', 'price_max'] as const

/** The edit of a call: only what was changed. A level goes with its type and the others, as they mean nothing alone. */
export function editOf(shown: AdminPrediction, draft: RecordDraft): EditFields {
  const changed = changedIn(shown, draft)
  const {
    prediction_type: _type,
    price: _price,
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

function levelsOf(fields: RecordFields): EditFields {
  const type = fields.prediction_type
  const none = { prediction_type: type, price_target: null, price_min: null, price_max: null }
  switch (type) {
    case 'range':
      return { ...none, price_min: fields.price_min, price_max: fields.price_max }
    case 'pricetimerange':
      return { ...none, price_min: fields.price_min }
    case 'target':
    case 'top':
    case 'bottom':
      return { ...none, price_target: fields.price }
  }
}

/** Messages of the server at the fields of the form. */
export function faultsAt(
  faults: Readonly<Record<string, string>>,
): Partial<Record<keyof RecordFields | 'reason', string>> {
  const { price_target: target, ...rest } = faults
  return { ...rest, ...(target === undefined ? {} : { price: target }) }
}

/** `read as $100,000`; null while it is no number. */
export function levelHint(text: string): string | null {
  const usd = text.trim() === '' ? null : readNumber(text)
  return usd === null ? null : `read as ${showClaim({ type: 'target', usd })}`
}

/** A level in a field: `150,000`. It reads back as the same number. */
function levelText(usd: number | null): string {
  if (usd === null) return ''
  const shown = showClaim({ type: 'target', usd }).replace('$', '')
  const texts = [shown, String(usd), usd.toFixed(4), usd.toFixed(8)]
  return texts.find((text) => readNumber(text) === usd) ?? shown
}

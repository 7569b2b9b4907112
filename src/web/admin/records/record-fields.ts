import { z } from 'zod'
import { AdminPrediction, type EditFields } from '#contracts/corrections.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { timingIn } from '#domain/claim/form-text.ts'
import { formLevels, levelText } from '#domain/claim/given.ts'
import { DATE_PRECISIONS } from '#domain/day.ts'
import { SourceValues, sourceValues } from '#web/claim-form/source-inputs.tsx'
import { changedIn, hasClaim, levelValues, onlyFields } from '#web/claim-form/values.ts'

/** What the form holds, as texts. */
const RecordValues = z.object({
  /** Whose prediction it is. */
  influencer_id: z.number(),
  prediction_type: z.enum(PREDICTION_TYPES),
  price_target: z.string(),
  price_min: z.string(),
  price_max: z.string(),
  timing: z.enum(TIMINGS),
  /** Empty: the price decides. */
  direction: z.enum(['', ...DIRECTIONS]),
  prediction_made: z.string(),
  made_precision: z.enum(DATE_PRECISIONS),
  start_date: z.string(),
  target_time: z.string(),
  target_precision: z.enum(DATE_PRECISIONS),
  deadline_assumed: z.boolean(),
  quote: z.string(),
  sources: SourceValues,
  remarks: z.string(),
  chart_value: z.string(),
  exclude_from_chart: z.boolean(),
})
export type RecordValues = z.infer<typeof RecordValues>
export const RECORD_FIELDS = RecordValues.keyof().options
export const KeptRecordEdit = z.object({ base: AdminPrediction, values: RecordValues })

export const PRECISIONS = [
  ['day', 'to the day'],
  ['month', 'to the month'],
  ['year', 'to the year'],
] as const

/** A prediction as the form shows it. */
export function valuesOf({ prediction, remarks }: AdminPrediction): RecordValues {
  return {
    influencer_id: prediction.influencer_id,
    prediction_type: prediction.prediction_type,
    ...levelValues(prediction),
    timing: prediction.timing,
    direction: prediction.direction ?? '',
    prediction_made: prediction.prediction_made,
    made_precision: prediction.made_precision,
    start_date: prediction.start_date ?? '',
    target_time: prediction.target_time,
    target_precision: prediction.target_precision,
    deadline_assumed: prediction.deadline_assumed,
    quote: prediction.quote,
    sources: sourceValues(prediction.sources),
    remarks: remarks ?? '',
    chart_value: prediction.chart_value === null ? '' : levelText(prediction.chart_value),
    exclude_from_chart: prediction.exclude_from_chart,
  }
}

/** Fields that an edit takes away by null. */
const NULLABLE = ['start_date', 'remarks', 'chart_value']

/** The edit of a call: only what was changed. A level goes with its type and the others, as they mean nothing alone. */
export function editOf(base: AdminPrediction, changes: Partial<RecordValues>): EditFields {
  const values = { ...valuesOf(base), ...changes }
  const changed = changedIn(valuesOf(base), changes)
  const { direction: _, ...others } = changed
  const rest = onlyFields(others, (field) => !hasClaim([field]))
  const taken = Object.entries(rest).filter(([field, value]) => NULLABLE.includes(field) && !value)
  const { prediction_type: type, timing, direction } = values
  return {
    ...rest,
    ...Object.fromEntries(taken.map(([field]) => [field, null])),
    ...(hasClaim(Object.keys(changed))
      ? {
          prediction_type: type,
          ...formLevels(type, values),
          timing: timingIn(type, timing),
          direction: direction || null,
        }
      : {}),
  }
}

import { z } from 'zod'
import { type SourceRow } from '#contracts/predictions.ts'
import { SubmissionRow } from '#contracts/review.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import {
  DIRECTION_OPTIONS,
  levelInputs,
  timingIn,
  timingOptions,
  TIMING_NAMES,
  TIMING_QUESTION,
  TYPE_OPTIONS,
} from '#domain/claim/claim-input.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { LEVEL_FIELDS, levelsAt, PREDICTION_TYPES, type ClaimFields } from '#domain/claim/fields.ts'
import { labelOf } from '#domain/claim/text.ts'
import { truncate } from '#domain/clean-text.ts'
import { DATE_PRECISIONS } from '#domain/day.ts'
import { sentenceCase } from '#domain/price-text.ts'
import { payloadOf } from '#domain/submission.ts'
import { useHints } from '#web/admin/hints.ts'
import { SourceInputs, SourceValues, sourceValues } from '#web/claim-form/source-inputs.tsx'
import {
  changedIn,
  faultsAt,
  hasClaim,
  levelHint,
  levelValues,
  onlyFields,
  withClaim,
} from '#web/claim-form/values.ts'
import { showDate } from '#web/ui/show.ts'
import { type Faults } from '#web/ui/use-change.ts'
import { FormInput, type FormField } from './admin-form.tsx'
import { useEdit } from './use-edit.ts'

type Options = readonly (readonly [string, string])[]

const text = { schema: z.string() } as const
const long = { ...text, rows: 2, optional: true } as const
const level = { ...text, is: 'decimal' } as const
const day = { ...text, is: 'day' } as const
const tick = { schema: z.boolean() } as const
/** @param names short names for running text, if the option labels are longer */
const choice = <Schema extends z.ZodType<string>>(
  schema: Schema,
  options: Options,
  names: Options = options,
) => ({ schema, options, names: Object.fromEntries(names) })
const precision = choice(
  z.enum(DATE_PRECISIONS),
  DATE_PRECISIONS.map((one) => [one, sentenceCase(one)]),
)
const { status, prediction_outcome: outcome } = SubmissionRow.shape

/** Every prediction or submission field that administrators edit: label, form value and input. */
export const FIELDS = {
  expert_name: { label: 'Expert name', ...text },
  prediction_type: {
    label: 'Prediction type',
    ...choice(
      z.enum(PREDICTION_TYPES),
      TYPE_OPTIONS,
      PREDICTION_TYPES.map((type) => [type, labelOf(type)]),
    ),
  },
  /** The level of a target, top or bottom. */
  price_target: { label: 'Price', ...level },
  price_min: { label: 'Minimum price', ...level },
  price_max: { label: 'Maximum price', ...level },
  timing: {
    label: TIMING_QUESTION,
    schema: z.enum(TIMINGS),
    names: TIMING_NAMES,
  },
  /** Empty: derived from the price. */
  direction: { label: 'Direction', ...choice(z.enum(['', ...DIRECTIONS]), DIRECTION_OPTIONS) },
  prediction_made: { label: 'Prediction made', ...day },
  made_precision: { label: 'Date precision', ...precision },
  start_date: { label: 'Start date', ...day, optional: true },
  target_time: { label: 'Target date', ...day },
  end_date: { label: 'End date', ...day },
  target_precision: { label: 'Target date precision', ...precision },
  deadline_assumed: { label: 'Deadline is our assumption', ...tick },
  twitter_handle: { label: 'Twitter handle', ...text, optional: true },
  nostr_npub: { label: 'Nostr key', ...text, optional: true },
  asset_type: {
    label: 'Asset',
    ...choice(
      z.enum(ASSET_KEYS),
      ASSET_KEYS.map((key) => [key, ASSETS[key].pickerLabel]),
    ),
  },
  submitter_email: { label: 'Email of the submitter', ...text, is: 'email', optional: true },
  chart_value: { label: 'Level shown on chart (display only)', ...level, optional: true },
  exclude_from_chart: { label: 'Not on the chart', ...tick },
  quote: { label: 'Public text', ...long },
  sources: { label: 'Sources', schema: SourceValues },
  notes: {
    label: 'Notes of the submitter',
    ...long,
    rows: 4,
    hint: 'For reviewers; never published.',
  },
  remarks: { label: 'Private remarks', ...long },
  /** An id, empty for a new person; each form has its own input. */
  existing_influencer_id: { label: 'Influencer', ...text },
  influencer_id: { label: 'Influencer', schema: z.number() },
  /** Labels of administrator-tools.md §4. */
  status: {
    label: 'Status',
    ...choice(status, [
      ['pending', 'Pending - Awaiting Admin Review'],
      ['approved', 'Approved - Ready for Publication'],
      ['rejected', 'Rejected - Not Suitable'],
    ]),
  },
  prediction_outcome: {
    label: 'Prediction outcome',
    ...choice(outcome, [
      ['pending', 'Pending - Awaiting target date'],
      ['success', 'Success - Hit target'],
      ['miss', 'Miss - Failed'],
      ['partial', 'Partial - Close but not exact'],
      ['ongoing', 'Ongoing - Still in progress'],
    ]),
    hint: 'A note for administrators; the verdict follows the prices.',
  },
  admin_comment: { label: 'Admin comment', ...long },
} as const satisfies Readonly<Record<string, PredictionField>>
export type FieldName = keyof typeof FIELDS

type PredictionField = FormField & {
  readonly schema: z.ZodType
  readonly names?: Readonly<Record<string, string>>
}

const fieldOf = (name: string): PredictionField | undefined =>
  Object.entries<PredictionField>(FIELDS).find(([one]) => one === name)?.[1]

/** The label of a call's field; falls back to its name. */
export const fieldLabel = (name: string): string =>
  fieldOf(name)?.label ?? name.replaceAll('_', ' ')

const CLAIM = [
  'prediction_type',
  'price_target',
  'price_min',
  'price_max',
  'timing',
  'direction',
] as const

export function formSchema<const Names extends readonly FieldName[]>(names: Names) {
  const all = [...CLAIM, ...names].map((name) => [name, FIELDS[name].schema])
  return z.object(
    Object.fromEntries(all) as {
      readonly [Name in Names[number] | (typeof CLAIM)[number]]: (typeof FIELDS)[Name]['schema']
    },
  )
}

/**
 * Form values of a row.
 *
 * @param more values that the form holds in another shape
 */
export function formValues<Schema extends z.ZodType>(
  schema: Schema,
  row: ClaimFields & { readonly sources: readonly SourceRow[] },
  more: Readonly<Record<string, unknown>>,
): z.infer<Schema> {
  const texts = Object.entries(row).map(([name, value]) => [name, value ?? ''])
  const sources = sourceValues(row.sources)
  return schema.parse({ ...Object.fromEntries(texts), ...levelValues(row), sources, ...more })
}

type Claim = Pick<z.infer<ReturnType<typeof formSchema<[]>>>, (typeof CLAIM)[number]>

/** The changed fields as the call expects them. A changed level is sent with its type and the other levels. */
export function editIn<Values extends Claim>(stored: Values, changes: Partial<Values>) {
  const changed = changedIn(stored, changes)
  const others = onlyFields(changed, (field) => !hasClaim([field])) as Omit<
    Partial<Values>,
    keyof Claim
  >
  if (!hasClaim(Object.keys(changed))) return others
  const { prediction_type: type, direction, ...form }: Claim = { ...stored, ...changes }
  const payload = payloadOf({ ...form, prediction_type: type, direction: null })
  return {
    ...others,
    prediction_type: type,
    ...levelsAt((field) => payload[field] ?? null),
    timing: payload.timing,
    direction: direction || null,
  }
}

const LONGEST = 120

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const sources = SourceValues.parse(value)
    return sources
      .map(({ kind, url, date, archived_url, quotation, speaker }) =>
        [kind, url, date, archived_url, quotation, speaker].filter(Boolean).join(', '),
      )
      .join('; ')
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const all = String(value)
  const field = fieldOf(name)
  const text = field?.is === 'day' && all !== '' ? showDate(all) : (field?.names?.[all] ?? all)
  return truncate(text, LONGEST)
}

/** Conflicts between another administrator's changes and the local edits. */
export function staleFields(was: object, theirs: object, mine: object) {
  const [before, after, yours] = [was, theirs, mine].map(
    (values): Readonly<Record<string, unknown>> => ({ ...values }),
  )
  const formatted = (name: string, value: unknown): string => textOf(name, value) || 'empty'
  return Object.keys(changedIn(was, theirs)).map((name) => ({
    name: fieldLabel(name),
    was: formatted(name, before?.[name]),
    theirs: formatted(name, after?.[name]),
    yours: yours && name in yours ? formatted(name, yours[name]) : 'not changed',
  }))
}

/** My changes, without fields that the other administrator also changed. */
export function withoutTheirs<Values extends object>(
  was: Values,
  theirs: Values,
  mine: Partial<Values>,
): Partial<Values> {
  const touched = withClaim(Object.keys(changedIn(was, theirs)))
  return onlyFields(mine, (name) => !touched.has(name)) as Partial<Values>
}

/** Edits a stored prediction or submission, rebased when someone else changes it. */
export function usePredictionEdit<Values extends Claim>(
  row: Values,
  about: string,
  schema: z.ZodType<Values>,
) {
  const { username } = useHints()
  const edit = useEdit(row, { key: `edit ${username} ${about}`, schema })
  const { was, changed } = edit
  const faultsIn = (faults: Faults): Faults => faultsAt(faults, edit.values.prediction_type)
  return {
    ...edit,
    stale: staleFields(was, row, changed),
    takeTheirs: (): void => edit.rebase(row, withoutTheirs(was, row, changed)),
    faultsIn,
    sending: <Answer,>(work: () => Promise<Answer>) => edit.sending(work, faultsIn),
  }
}

/** Inputs for the given fields, in order; of the levels only those that the type uses. */
export function FieldInputs<Values extends Claim & { readonly sources: SourceValues }>({
  values,
  faults,
  fields,
  more = {},
  onChange,
}: {
  readonly values: Values
  readonly faults: Faults
  readonly fields: readonly FieldName[]
  readonly more?: Readonly<Partial<Record<FieldName, Partial<FormField>>>>
  readonly onChange: (part: Readonly<Record<string, unknown>>) => void
}) {
  const type = values.prediction_type
  const levels = Object.fromEntries(levelInputs(type).map(({ name, label }) => [name, label]))
  const byName: Readonly<Record<string, unknown>> = {
    ...values,
    timing: timingIn(type, values.timing),
  }
  return fields.map((name) => {
    if (name === 'sources') {
      return (
        <SourceInputs
          key={name}
          {...{ sources: values.sources, faults }}
          onChange={(sources) => onChange({ sources })}
        />
      )
    }
    const { schema: _schema, names: _names, ...field }: PredictionField = FIELDS[name]
    if (LEVEL_FIELDS.some((one) => one === name) && !(name in levels)) return null
    const value = byName[name]
    return (
      <div key={name} className={field.rows === undefined ? undefined : 'whole'}>
        <FormInput
          name={name}
          field={{
            ...field,
            label: levels[name] ?? field.label,
            ...(field.is === 'decimal' && { hint: levelHint(String(value)) }),
            ...(name === 'timing' && { options: timingOptions(type) }),
            ...more[name],
          }}
          value={typeof value === 'boolean' ? value : String(value)}
          fault={faults[name]}
          onChange={(next) => onChange({ [name]: next })}
        />
      </div>
    )
  })
}

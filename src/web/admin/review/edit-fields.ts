import { z } from 'zod'
import { SubmissionRow, type SubmissionEdit } from '#contracts/review.ts'
import { levelsAt } from '#domain/claim/fields.ts'
import { payloadOf } from '#domain/submission.ts'
import { SourceValues, sourceValues } from '#web/claim-form/source-inputs.tsx'
import { changedIn, hasClaim, levelValues, onlyFields, withClaim } from '#web/claim-form/values.ts'

/** In the place of an influencer's number: a new person, even if one of this name is on record. */
export const NEW_INFLUENCER = 'new'

const { asset_type, prediction_type, timing, direction, prediction_outcome, status } =
  SubmissionRow.shape
const text = z.string()

/** What the edit form holds: texts as typed, and what was chosen. */
const EditValues = z.object({
  asset_type,
  expert_name: text,
  twitter_handle: text,
  nostr_npub: text,
  prediction_type,
  /** The level of a target, a top or a bottom. */
  price_target: text,
  price_min: text,
  price_max: text,
  timing,
  /** Empty: the price decides. */
  direction: z.union([direction.unwrap(), z.literal('')]),
  target_time: text,
  sources: SourceValues,
  notes: text,
  submitter_email: text,
  prediction_outcome,
  admin_comment: text,
  /** A number as text, empty, or `NEW_INFLUENCER`. */
  existing_influencer_id: text,
  status,
})
export type EditValues = z.infer<typeof EditValues>
export type EditField = keyof EditValues
export const EDIT_FIELDS = EditValues.keyof().options
export const KeptSubmissionEdit = z.object({ base: SubmissionRow, values: EditValues })

/** The fields that were changed and not saved yet. */
export type Changes = Partial<EditValues>

/** How each field is called on screen. */
export const FIELD_NAMES: Readonly<Record<EditField | 'prediction_made', string>> = {
  asset_type: 'Asset',
  expert_name: 'Expert name',
  twitter_handle: 'Twitter handle',
  nostr_npub: 'Nostr key',
  prediction_type: 'Prediction type',
  price_target: 'Price',
  price_min: 'Minimum price',
  price_max: 'Maximum price',
  timing: 'When it must be true',
  direction: 'Direction',
  target_time: 'Target date',
  sources: 'Sources',
  notes: 'Notes',
  submitter_email: 'E-mail of the submitter',
  prediction_outcome: 'Prediction outcome',
  admin_comment: 'Admin comment',
  existing_influencer_id: 'Influencer',
  status: 'Status',
  prediction_made: 'Prediction made',
}

/** A submission as the form shows it. */
export function valuesOf(row: SubmissionRow): EditValues {
  return {
    asset_type: row.asset_type,
    expert_name: row.expert_name,
    twitter_handle: row.twitter_handle ?? '',
    nostr_npub: row.nostr_npub ?? '',
    prediction_type: row.prediction_type,
    ...levelValues(row),
    timing: row.timing,
    direction: row.direction ?? '',
    target_time: row.target_time,
    sources: sourceValues(row.sources),
    notes: row.notes,
    submitter_email: row.submitter_email ?? '',
    prediction_outcome: row.prediction_outcome,
    admin_comment: row.admin_comment ?? '',
    existing_influencer_id: row.new_influencer
      ? NEW_INFLUENCER
      : (row.existing_influencer_id?.toString() ?? ''),
    status: row.status,
  }
}

/** The edit of a call: only what was changed. A level goes with its type and the others, as they mean nothing alone. */
export function editOf(row: SubmissionRow, changes: Changes): z.input<typeof SubmissionEdit> {
  const changed = changedIn(valuesOf(row), changes)
  const { status: _, direction: _way, existing_influencer_id: influencer, ...others } = changed
  const rest = {
    ...onlyFields(others, (field) => !hasClaim([field])),
    ...(influencer === undefined ? {} : influencerIn(row, influencer)),
  }
  if (!hasClaim(Object.keys(changed))) return rest
  const values = { ...valuesOf(row), ...changes }
  const type = values.prediction_type
  const { timing, direction } = values
  const payload = payloadOf({
    prediction_type: type,
    ...levelsAt((field) => values[field]),
    timing,
  })
  return {
    ...rest,
    prediction_type: type,
    ...levelsAt((field) => payload[field]),
    timing: payload.timing,
    direction: direction || null,
  }
}

/** A chosen influencer as an edit has it: the number, and whether a new person is meant where that changes. */
function influencerIn(row: SubmissionRow, chosen: string): z.input<typeof SubmissionEdit> {
  const isNew = chosen === NEW_INFLUENCER
  return {
    existing_influencer_id: isNew ? '' : chosen,
    ...(isNew || row.new_influencer ? { new_influencer: isNew } : {}),
  }
}

export type Difference = {
  readonly field: EditField | 'prediction_made'
  readonly before: string
  readonly after: string
}

/** What another administrator changed between two states of a submission. */
export function differences(before: SubmissionRow, after: SubmissionRow): Difference[] {
  const [one, other] = [
    { ...valuesOf(before), prediction_made: before.prediction_made ?? '' },
    { ...valuesOf(after), prediction_made: after.prediction_made ?? '' },
  ]
  return (Object.keys(FIELD_NAMES) as Difference['field'][])
    .filter((field) => shownValue(one[field]) !== shownValue(other[field]))
    .map((field) => ({ field, before: shownValue(one[field]), after: shownValue(other[field]) }))
}

/** A value in a line of text; of sources all that is said of them. */
export function shownValue(value: string | SourceValues): string {
  if (typeof value === 'string') return value
  return value
    .map(({ kind, url, date, archived_url, quotation, speaker }) =>
      [kind, url, date, archived_url, quotation, speaker].filter(Boolean).join(', '),
    )
    .join('; ')
}

/** My changes to the fields that the other administrator did not touch. */
export function withoutTheirs(base: SubmissionRow, now: SubmissionRow, changes: Changes): Changes {
  const theirs = withClaim(differences(base, now).map(({ field }) => field))
  return onlyFields(changes, (field) => !theirs.has(field))
}

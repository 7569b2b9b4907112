import { levelTexts, formFieldOf } from '#domain/claim/given.ts'
import { LEVEL_FIELDS, readClaim, isFault, levelsAt } from '#domain/claim/fields.ts'
import { type z } from 'zod'
import { type SubmissionEdit, type SubmissionRow } from '#contracts/review.ts'
import { readNumber, showLevel } from '#domain/price-text.ts'
import { payloadOf } from '#domain/submission.ts'

/** In the place of an influencer's number: somebody new, whoever has the name. */
export const NEW_INFLUENCER = 'new'

/** What the edit form holds: texts as typed, and what was chosen. */
export type EditFields = {
  readonly asset_type: SubmissionRow['asset_type']
  readonly expert_name: string
  readonly twitter_handle: string
  readonly nostr_npub: string
  readonly prediction_type: SubmissionRow['prediction_type']
  /** The level of a target, a top or a bottom. */
  readonly price_target: string
  readonly price_min: string
  readonly price_max: string
  readonly target_time: string
  readonly source_url: string
  readonly notes: string
  readonly submitter_email: string
  readonly prediction_outcome: SubmissionRow['prediction_outcome']
  readonly admin_comment: string
  /** A number as text, empty, or `NEW_INFLUENCER`. */
  readonly existing_influencer_id: string
  readonly status: SubmissionRow['status']
}
export type EditField = keyof EditFields

/** The fields that somebody has changed and not saved yet. */
export type Draft = Partial<EditFields>

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
  target_time: 'Target date',
  source_url: 'Source',
  notes: 'Notes',
  submitter_email: 'E-mail of the submitter',
  prediction_outcome: 'Prediction outcome',
  admin_comment: 'Admin comment',
  existing_influencer_id: 'Influencer',
  status: 'Status',
  prediction_made: 'Prediction made',
}

const LEVELS: readonly EditField[] = ['prediction_type', ...LEVEL_FIELDS]

/** A submission as the form shows it. */
export function fieldsOf(row: SubmissionRow): EditFields {
  const claim = readClaim(row)
  return {
    asset_type: row.asset_type,
    expert_name: row.expert_name,
    twitter_handle: row.twitter_handle ?? '',
    nostr_npub: row.nostr_npub ?? '',
    prediction_type: row.prediction_type,
    ...(isFault(claim) ? levelsAt(() => '') : levelTexts(claim)),
    target_time: row.target_time,
    source_url: row.source_url ?? '',
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

/** A level as it is read: `$100,000` for `100.000`; null while it is none. */
export function readBack(text: string): string | null {
  const usd = readNumber(text)
  return usd === null ? null : showLevel(usd)
}

/** What differs from the submission; a field typed back to what it was is no change. */
export function changedIn(row: SubmissionRow, draft: Draft): Draft {
  const stored = fieldsOf(row)
  return Object.fromEntries(
    Object.entries(draft).filter(([field, value]) => value !== stored[field as EditField]),
  )
}

/** The edit of a call: only what was changed. A level goes with its type and the others, as they mean nothing alone. */
export function editOf(row: SubmissionRow, draft: Draft): z.input<typeof SubmissionEdit> {
  const changed = changedIn(row, draft)
  const {
    status: _,
    existing_influencer_id: influencer,
    ...others
  } = Object.fromEntries(
    Object.entries(changed).filter(([field]) => !LEVELS.some((level) => level === field)),
  ) as Draft
  const rest = { ...others, ...(influencer === undefined ? {} : influencerIn(row, influencer)) }
  if (!LEVELS.some((field) => changed[field] !== undefined)) return rest
  const fields = { ...fieldsOf(row), ...draft }
  const type = fields.prediction_type
  const payload = payloadOf({ prediction_type: type, ...levelsAt((field) => fields[field]) })
  return { ...rest, prediction_type: type, ...levelsAt((field) => payload[field]) }
}

/** A chosen influencer as an edit has it: the number, and whether somebody new is meant where that changes. */
function influencerIn(row: SubmissionRow, chosen: string): z.input<typeof SubmissionEdit> {
  const isNew = chosen === NEW_INFLUENCER
  return {
    existing_influencer_id: isNew ? '' : chosen,
    ...(isNew || row.new_influencer ? { new_influencer: isNew } : {}),
  }
}

/** Messages of the server at the fields of the form. */
export function faultsAt(
  faults: Readonly<Record<string, string>>,
  type: EditFields['prediction_type'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(faults).map(([field, message]) => [formFieldOf(field, type), message]),
  )
}

export type Difference = {
  readonly field: EditField | 'prediction_made'
  readonly before: string
  readonly after: string
}

/** What somebody else has changed of a submission between two looks at it. */
export function differences(before: SubmissionRow, after: SubmissionRow): Difference[] {
  const [one, other] = [
    { ...fieldsOf(before), prediction_made: before.prediction_made ?? '' },
    { ...fieldsOf(after), prediction_made: after.prediction_made ?? '' },
  ]
  return (Object.keys(FIELD_NAMES) as Difference['field'][])
    .filter((field) => one[field] !== other[field])
    .map((field) => ({ field, before: one[field], after: other[field] }))
}

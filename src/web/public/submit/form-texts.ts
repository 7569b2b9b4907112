import { LEVEL_FIELDS } from '#domain/claim/fields.ts'
import { type SubmissionForm } from '#contracts/submissions.ts'

/** In the order of the form, for bringing the first fault into sight. */
export const FIELDS: readonly (keyof SubmissionForm)[] = [
  'expert_name',
  'twitter_handle',
  'nostr_npub',
  'prediction_type',
  ...LEVEL_FIELDS,
  'target_time',
  'timing',
  'prediction_made',
  'source_url',
  'notes',
  'submitter_email',
]

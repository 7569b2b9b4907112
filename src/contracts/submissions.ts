import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { formFieldOf } from '#domain/claim/claim-input.ts'
import { TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { type Day } from '#domain/day.ts'
import { MESSAGES, payloadOf, readSubmission, SAID_TODAY } from '#domain/submission.ts'
import { StatedTerms, VerdictRow, Precision, Terms } from './predictions.ts'
import { get, post } from './route.ts'

const level = z.union([z.string().max(60), z.number()]).nullish()
// The domain checks the values with the form's messages; this only refuses what no form would send.
const text = z.string().max(20_000).nullish()

/** A submission in a call; see `readSubmission` for the checks and their messages. */
export const SubmissionData = z
  .object({
    asset_type: z.enum(ASSET_KEYS).nullish(),
    expert_name: text,
    twitter_handle: text,
    nostr_npub: text,
    prediction_type: z.enum(PREDICTION_TYPES).nullish(),
    price_prediction: level,
    price_target: level,
    price_min: level,
    price_max: level,
    ...StatedTerms.shape,
    target_time: text,
    prediction_made: text,
    submitter_email: text,
    source_url: text,
    notes: text,
  })
  .meta({ id: 'SubmissionData' })
export type SubmissionData = z.infer<typeof SubmissionData>

const typed = z.string().default('')

/** Values of the submit form, as typed; at first those it opens with (public-site.md §5; decisions.md §8 for its date). */
export const SubmissionForm = z.object({
  asset_type: z.enum(ASSET_KEYS),
  expert_name: typed,
  twitter_handle: typed,
  nostr_npub: typed,
  prediction_type: z.enum(PREDICTION_TYPES).default('target'),
  price_target: typed,
  price_min: typed,
  price_max: typed,
  /** Replaced by the default of the prediction type if the type does not offer it. */
  timing: z.enum(TIMINGS).default('by'),
  target_time: typed,
  /** A day, a month or a year; `today` is the day of the submission. */
  prediction_made: z.string().default(SAID_TODAY),
  submitter_email: typed,
  source_url: typed,
  notes: typed,
})
export type SubmissionForm = z.infer<typeof SubmissionForm>

export function emptyForm(asset: SubmissionForm['asset_type']): SubmissionForm {
  return SubmissionForm.parse({ asset_type: asset })
}

/**
 * The schema of the submit form: issues are at the form's own fields, with the messages of the specification. Its
 * output is the `submissionData` of a call.
 */
export function submissionForm(today: Day) {
  return SubmissionForm.transform((form, context) => {
    const payload = payloadOf(form)
    const read = readSubmission(payload, today)
    // Calls may leave out the day; in the form an empty one was cleared by the visitor.
    const isUndated = form.prediction_made.trim() === ''
    if (read.ok && !isUndated) return payload
    const faults = {
      ...(read.ok ? {} : read.faults),
      ...(isUndated ? { prediction_made: MESSAGES.made } : {}),
    }
    for (const [field, message] of Object.entries(faults)) {
      context.addIssue({
        code: 'custom',
        path: [formFieldOf(field, form.prediction_type)],
        message,
      })
    }
    return z.NEVER
  })
}

export const SimilarPrediction = z.object({
  id: z.string(),
  expert_name: z.string(),
  price_prediction: z.string(),
  target_time: z.iso.date(),
})

export const previewSubmission = post('/api/v1/submissions/preview', 'public', {
  summary:
    'Checks a submission without storing it: its errors, the rule that will judge it, and similar predictions.',
  body: z.object({
    submissionData: SubmissionData,
    receipts: z
      .array(z.string().regex(/^[\w-]{20,80}$/))
      .max(50)
      .nullish(),
  }),
  reply: z.object({
    /** Messages by field; empty when it can be paid. */
    fields: z.record(z.string(), z.string()),
    /** The level as it will be shown; null while there are faults. */
    price_prediction: z.string().nullable(),
    rule: z.string().nullable(),
    /** The verdict by the prices known today: `void` when it is already true or already broken. */
    verdict: VerdictRow.nullable(),
    /** The number of today's units per unit, if it was said before a split; otherwise 1. */
    split_factor: z.number(),
    duplicates: z.array(SimilarPrediction),
    /**
     * Submissions that say the same and have been paid, but are not published: the visitor's own, each with its
     * receipt, and only whether others wait for review.
     */
    waiting: z.object({
      own: z.array(
        z.object({ receipt: z.string(), status: z.enum(['pending', 'approved', 'rejected']) }),
      ),
      others: z.boolean(),
    }),
  }),
})

export const listExperts = get('/api/v1/experts', 'public', {
  open: true,
  summary: 'All people and firms with predictions on record, by name.',
  reply: z.array(z.object({ name: z.string(), slug: z.string(), x_handle: z.string().nullable() })),
})

export const AdminSubmitted = z.object({
  success: z.literal(true),
  submission: z.object({ id: z.string() }),
  message: z.string(),
  /** Our addition: it had been submitted exactly so before, and nothing was changed. */
  unchanged: z.boolean().optional(),
})
const unpaid = { body: z.unknown(), reply: AdminSubmitted } as const
const summary =
  'Submits a prediction without paying; for signed-in administrators. Everyone else gets 402 and how to submit.'

export const submitBtc = post('/api/submissions', 'public', { ...unpaid, summary })
export const submitMstr = post('/api/mstr/submissions', 'public', { ...unpaid, summary })
export const submitNaka = post('/api/naka/predictions', 'public', { ...unpaid, summary })

const usd = z.number().nullable()

/** A submission for receipts and administrators. Levels as said, USD. */
export const Submitted = z.object({
  asset_type: z.enum(ASSET_KEYS),
  expert_name: z.string(),
  twitter_handle: z.string().nullable(),
  nostr_npub: z.string().nullable(),
  prediction_type: z.enum(PREDICTION_TYPES),
  price_prediction: z.string(),
  price_target: usd,
  price_min: usd,
  price_max: usd,
  ...Terms.shape,
  target_time: z.iso.date(),
  prediction_made: z.iso.date().nullable(),
  made_precision: Precision,
  source_url: z.string().nullable(),
  notes: z.string(),
})
export type Submitted = z.infer<typeof Submitted>

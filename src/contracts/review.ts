// Over 400 lines: all calls of the review, which its server and its screens use together.

import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { PUBLIC_TEXT_KINDS } from '#domain/claim/prediction.ts'
import { INVOICE_STATUSES } from '#domain/money/invoice.ts'
import { NOTICE_EVENTS, NOTICE_STATUSES } from '#domain/publishing/following.ts'
import { OUTCOME_NOTES, SUBMISSION_STATUSES } from '#domain/submission.ts'
import { ToDo } from './accounts.ts'
import { Done, Packed, uuidIn } from './fields.ts'
import { Precision, PredictionRow, SourceInputs, SourceRow } from './predictions.ts'
import { get, post, put } from './route.ts'
import { SimilarPrediction, SubmissionData, Submitted } from './submissions.ts'

const moment = z.iso.datetime()
const date = z.iso.date()

export const LONGEST_COMMENT = 2_000
export const MOST_AT_ONCE = 200
/** How long a decision can be undone, milliseconds; the server allows a little more for the network. */
export const UNDO_MS = 10_000

const SUBMISSION_ORIGINS = ['visitor', 'admin', 'extraction'] as const
/** `none`: nothing had to be paid; `overpaid`: sats were paid twice and must be paid back. */
const PAYMENT_STATES = ['none', 'unpaid', 'paid', 'paid_late', 'overpaid'] as const
export const REVIEW_SORTS = ['submitted', 'target', 'expert', 'paid'] as const
const REVIEW_STATUSES = ['all', 'pending', 'approved', 'rejected', 'unpaid'] as const

/** A submission as administrators see it (administrator-tools.md §3). Levels as said, USD. */
export const SubmissionRow = z
  .object({
    id: z.uuid(),
    origin: z.enum(SUBMISSION_ORIGINS),
    status: z.enum(SUBMISSION_STATUSES),
    ...Submitted.shape,
    /** Best first; `source_url` is the address of the first one. */
    sources: z.array(SourceRow),
    submitter_email: z.string().nullable(),
    email: z.string().nullable(),
    prediction_outcome: z.enum(OUTCOME_NOTES),
    admin_comment: z.string().nullable(),
    created_at: moment,
    submission_date: moment,
    existing_influencer_id: z.int().nullable(),
    existing_influencer_name: z.string().nullable(),
    new_influencer: z.boolean(),
    /** JSON text; see administrator-tools.md §3. */
    ai_metadata: z.string().nullable(),
    paid_sats: z.int(),
    paid_at: moment.nullable(),
    payment_state: z.enum(PAYMENT_STATES),
    decided_at: moment.nullable(),
    decided_by: z.string().nullable(),
    prediction_id: z.string().nullable(),
    /** To be sent with an edit: an edit of an older version is refused with 409. */
    version: z.int(),
  })
  .meta({ id: 'Submission' })
export type SubmissionRow = z.infer<typeof SubmissionRow>

const StatusCounts = z.object({
  pending: z.int(),
  approved: z.int(),
  rejected: z.int(),
  all: z.int(),
})

const text = z.string().max(20_000).nullish()
const comment = z.string().max(20_000).nullish()
const version = z.int32().min(0).nullish()
const CHOOSE = 'Please choose from the list.'
const influencerId = z
  .union([z.int(CHOOSE).positive(CHOOSE), z.string().regex(/^\d{0,15}$/, CHOOSE)], CHOOSE)
  .nullish()

/** True: a new person, even if one of this name is on record; not together with the id of an influencer. */
const newInfluencer = z.boolean().nullish()

const levels = SubmissionData.pick({
  prediction_type: true,
  price_prediction: true,
  price_target: true,
  price_min: true,
  price_max: true,
  timing: true,
  direction: true,
}).shape

const edited = {
  ...SubmissionData.shape,
  /** Sent, it replaces the whole list and `source_url` is ignored. */
  sources: SourceInputs.nullish(),
  email: text,
  prediction_outcome: z.enum(OUTCOME_NOTES).nullish(),
  admin_comment: comment,
  existing_influencer_id: influencerId,
  new_influencer: newInfluencer,
}

/**
 * The edited fields of a submission: absent ones stay, null and empty clear. Levels may be texts as typed. Other fields
 * (`status`, `origin`, `paid_sats` …) are refused.
 */
export const SubmissionEdit = z.strictObject({ ...edited, version }).meta({ id: 'SubmissionEdit' })
export type SubmissionEdit = z.infer<typeof SubmissionEdit>

const approval = {
  /** Null or empty: the person noted with the submission, else the one with this handle or name, else a new one. */
  influencer_id: influencerId,
  new_influencer: newInfluencer,
  remember_name: z.boolean().nullish(),
  admin_comment: comment,
  /** Days as 2026-11-20. See `namedStart` in domain/review.ts for the start date. */
  start_date: text,
  end_date: text,
  made_precision: Precision.nullish(),
  target_precision: Precision.nullish(),
  /** The public text. Empty or absent: it is published without one; the notes of a submission are never published. */
  quote: text,
  quote_kind: z.enum(PUBLIC_TEXT_KINDS).nullish(),
}
export const ApproveBody = z
  .object({ ...levels, ...approval, version })
  .meta({ id: 'ApproveSubmission' })
export type ApproveBody = z.infer<typeof ApproveBody>

export const DryRunBody = z.strictObject({ ...edited, ...approval, version })
export type DryRunBody = z.infer<typeof DryRunBody>

const Changed = Done.extend({ submission: SubmissionRow })
export const NO_SUBMISSION = 'There is no submission with this ID.'
const params = uuidIn(NO_SUBMISSION)
const MOST_Q = 200
const LONGEST_PLACE = 1_000

export const listSubmissions = get('/api/admin/prediction_submissions', 'read', {
  summary:
    'Submissions of an asset (default btc), newest first, at most 250; the header x-total-count has the total.',
  query: z.object({
    /** Empty means the same as absent. */
    status: z.enum(['all', 'pending', 'approved', 'rejected', '']).default('all'),
    asset: z.enum([...ASSET_KEYS, '']).default('btc'),
  }),
  reply: z.array(SubmissionRow),
})
export const TOTAL_HEADER = 'x-total-count'

const REVIEW_FLAGS = [
  'link',
  'duplicate',
  'already-true',
  'already-broken',
  'window-over',
  'other-day',
  'other-handle',
  'new-person',
  'before-split',
  'paid-late',
  'paid-twice',
  'paid-too-little',
  'not-paid',
] as const
export type ReviewFlag = (typeof REVIEW_FLAGS)[number]

export const searchSubmissions = get('/api/v1/admin/submissions', 'read', {
  summary: 'One page of the submissions of an asset, with the number in each status.',
  // Strict: the former parameter `page` is rejected instead of always returning the first page.
  query: z.strictObject({
    asset: z.enum(ASSET_KEYS).default('btc'),
    /** `all` are those in review or decided; `unpaid` ones wait for their sats. */
    status: z.enum(REVIEW_STATUSES).default('pending'),
    q: z.string().max(MOST_Q).default(''),
    origin: z.enum(SUBMISSION_ORIGINS).optional(),
    sort: z.enum(REVIEW_SORTS).default('submitted'),
    dir: z.enum(['asc', 'desc']).default('desc'),
    /** `next` of a page: the rows after it. Without `after` and `before` it is the first page. */
    after: z.string().max(LONGEST_PLACE).optional(),
    /** `previous` of a page: the rows before it. */
    before: z.string().max(LONGEST_PLACE).optional(),
    size: z.coerce.number().int().min(1).max(200).default(25),
    /** `yes` also returns the flags of each row. */
    flags: z.enum(['yes', 'no']).default('no'),
  }),
  reply: z.object({
    rows: z.array(SubmissionRow),
    /** Cursor of the next page; null at the end. Stable when rows come and go. */
    next: z.string().nullable(),
    /** Cursor of the previous page; null at the beginning. */
    previous: z.string().nullable(),
    total: z.int(),
    counts: StatusCounts,
    flags: z.record(z.string(), z.array(z.enum(REVIEW_FLAGS))),
  }),
})

const Suggestion = z.object({
  id: z.int(),
  name: z.string(),
  predictions: z.int(),
  why: z.enum(['chosen', 'handle', 'name', 'alias', 'similar']),
  sentence: z.string(),
  /** False if only the handle matches, or the name is only similar. Such a person is never used unless chosen. */
  is_sure: z.boolean(),
})

/** Published predictions and pending submissions. */
const Duplicate = SimilarPrediction.extend({ kind: z.enum(['prediction', 'submission']) })

export const oneSubmission = get('/api/v1/admin/submissions/:id', 'read', {
  summary: 'One submission with everything needed to decide it, and its history.',
  params,
  reply: z.object({
    submission: SubmissionRow,
    /** Best first; approving without a choice uses the first sure one, else it creates a new influencer. */
    suggestions: z.array(Suggestion),
    duplicates: z.array(Duplicate),
    /** Every attempt to pay it, oldest first. */
    payments: z.array(
      z.object({
        id: z.uuid(),
        status: z.enum(INVOICE_STATUSES),
        sats: z.int(),
        wallet: z.string(),
        created_at: moment,
        paid_at: moment.nullable(),
        counts: z.boolean(),
        last_error: z.string().nullable(),
      }),
    ),
    /** Newest first, at most 100. */
    audit: z.array(
      z.object({
        id: z.int(),
        at: moment,
        username: z.string(),
        action: z.string(),
        before: z.record(z.string(), z.unknown()).nullable(),
        after: z.record(z.string(), z.unknown()).nullable(),
        reason: z.string().nullable(),
      }),
    ),
    notices: z.array(
      z.object({
        event: z.enum(NOTICE_EVENTS),
        status: z.enum(NOTICE_STATUSES),
        attempts: z.int(),
        created_at: moment,
        sent_at: moment.nullable(),
        last_error: z.string().nullable(),
      }),
    ),
    /** How its submitter is notified; null if not at all. */
    told_by: z.enum(['email', 'lightning']).nullable(),
    /** How long the asking administrator can still undo the last decision, milliseconds; 0 for not at all. */
    undo_ms: z.int(),
  }),
})

/** Warnings about a submission, and whether each needs a closer look. */
const GRAVE_WARNINGS = {
  'already-true': true,
  'already-broken': true,
  'window-over': true,
  'deadline-before-made': true,
  'no-reference': false,
  split: false,
  'start-shortens': true,
  'source-older': true,
  'own-post-younger': true,
  'post-younger': false,
  link: true,
  duplicate: true,
  'new-influencer': false,
  'other-name': true,
  'other-handle': true,
  'new-handle': false,
} as const
type WarningCode = keyof typeof GRAVE_WARNINGS
const WARNING_CODES = Object.keys(GRAVE_WARNINGS) as WarningCode[]

export const isGraveWarning = ({ code }: { readonly code: WarningCode }): boolean =>
  GRAVE_WARNINGS[code]

export const dryRun = post('/api/v1/admin/submissions/:id/dry-run', 'review', {
  summary:
    'Previews what approving with these fields would publish, and how it would be judged now; nothing is stored.',
  params,
  body: DryRunBody,
  reply: z.object({
    /** Messages by field; empty when it can be approved. */
    fields: z.record(z.string(), z.string()),
    /** The influencer it would belong to; null while there are faults. */
    influencer: z
      .object({
        id: z.int().nullable(),
        name: z.string(),
        is_new: z.boolean(),
        /** `Creates a new influencer: Jane Doe.` */
        sentence: z.string(),
      })
      .nullable(),
    warnings: z.array(
      z.object({ code: z.enum(WARNING_CODES), message: z.string(), use_day: date.optional() }),
    ),
    /** The prediction as it would be published, with its verdicts; null while there are faults. */
    prediction: PredictionRow.nullable(),
    /** To draw it. */
    prices: Packed.nullable(),
  }),
})

/** 400 `invalid` names the fields; 409 `conflict` names in `fields` what another person has changed in the meantime. */
export const editSubmission = put('/api/admin/prediction_submissions/:id/update', 'review', {
  summary: 'Saves edited fields of a submission.',
  params,
  body: SubmissionEdit,
  reply: Changed,
})

export const savePredictionDate = put(
  '/api/admin/prediction_submissions/:id/prediction-date',
  'review',
  {
    summary: 'Saves the day a prediction was made.',
    params,
    body: z.strictObject({ prediction_made: text, version }),
    reply: Changed,
  },
)

const decide = {
  summary:
    'Sets the status: `rejected` needs admin_comment, `pending` reopens a rejected one, `approved` publishes with all defaults.',
  params,
  body: z.strictObject({
    status: z.enum(['pending', 'approved', 'rejected']),
    admin_comment: comment,
    version,
  }),
  reply: Changed,
} as const
export const decideSubmission = put('/api/admin/prediction_submissions/:id', 'review', decide)
export const decideSubmissionToo = put('/api/admin/submissions/:id', 'review', decide)

const approve = {
  summary:
    'Publishes a pending submission as a prediction with its first verdicts. 409 says who decided it first.',
  params,
  body: ApproveBody,
  reply: Changed.extend({
    prediction_id: z.string(),
    influencer: z.object({ id: z.int(), name: z.string(), created: z.boolean() }),
  }),
} as const
const approveAt = (path: `/${string}`) => post(path, 'review', approve)
export const approveSubmission = approveAt('/api/admin/prediction_submissions/:id/approve')
/** 404 when the submission is of another asset. */
export const approveMstr = approveAt('/api/admin/mstr_prediction_submissions/:id/approve')
export const approveNaka = approveAt('/api/admin/naka_prediction_submissions/:id/approve')

const Results = Done.extend({
  results: z.array(
    z.object({
      id: z.uuid(),
      ok: z.boolean(),
      /** Why it was not done; null when it was. */
      error: z.string().nullable(),
    }),
  ),
})
const ids = z.array(z.uuid(NO_SUBMISSION)).min(1, 'Please choose at least one.').max(MOST_AT_ONCE)
const versions = z.record(z.string(), version).optional()

export const bulkApprove = post('/api/v1/admin/submissions/bulk-approve', 'review', {
  summary:
    'Publishes several pending submissions with all defaults. One that needs a closer look stays pending, and its result says why.',
  body: z.strictObject({ ids, versions }),
  reply: Results,
})

export const bulkReject = post('/api/v1/admin/submissions/bulk-reject', 'review', {
  summary: 'Rejects several pending submissions for one reason; returns a result for each.',
  body: z.strictObject({ ids, versions, reason: z.string().max(20_000).nullish() }),
  reply: Results,
})

export const bulkUndo = post('/api/v1/admin/submissions/bulk-undo', 'review', {
  summary:
    'Undoes your decision on several submissions, within 10 seconds after the call that decided them.',
  body: z.strictObject({ ids }),
  reply: Results,
})

export const undoDecision = post('/api/v1/admin/submissions/:id/undo', 'review', {
  summary:
    'Undoes your approval or rejection within 10 seconds, and unpublishes the prediction. 409 if it is too late.',
  params,
  reply: Changed,
})

const influencers = {
  summary: 'All people and firms on record, by name, with their aliases.',
  reply: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      handle: z.string().nullable(),
      aliases: z.array(z.string()),
    }),
  ),
} as const
export const listInfluencers = get('/api/admin/influencers', 'read', influencers)
export const listInfluencersToo = get('/admin/influencers', 'read', influencers)

export const adminHome = get('/api/v1/admin/home', 'read', {
  summary: 'Items that await a decision, today’s decisions, and failures.',
  reply: z.object({
    at: moment,
    waiting: z.array(
      z.object({
        asset_type: z.enum(ASSET_KEYS),
        pending: z.int(),
        oldest_at: moment.nullable(),
      }),
    ),
    to_do: ToDo,
    /** The oldest pending submissions of all assets, at most 10. */
    oldest: z.array(SubmissionRow),
    /** Decisions of this UTC day. */
    decided_today: z.object({
      approved: z.int(),
      rejected: z.int(),
      by: z.array(z.object({ username: z.string(), approved: z.int(), rejected: z.int() })),
      /** Latest first, at most 10. */
      latest: z.array(SubmissionRow),
    }),
    /** Latest first, at most 50. */
    failed: z.array(
      z.object({
        kind: z.enum(['queue', 'source', 'payment']),
        id: z.string(),
        submission_id: z.uuid().nullable(),
        at: moment.nullable(),
        /** The event, in a sentence without secrets. */
        text: z.string(),
      }),
    ),
  }),
})

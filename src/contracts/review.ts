// Over 400 lines: all calls of the review, which its server and its screens use together.
import { ASSET_KEYS } from '#domain/asset.ts'
import { INVOICE_STATUSES } from '#domain/money/invoice.ts'
import { NOTICE_EVENTS, NOTICE_STATUSES } from '#domain/publishing/notice.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { PUBLIC_TEXT_KINDS } from '#domain/claim/public-text.ts'
import { OUTCOME_NOTES, SUBMISSION_STATUSES } from '#domain/submission.ts'
import { z } from 'zod'
import { uuidIn } from './address.ts'
import { GivenTerms, Precision, PredictionRow, VerdictRow } from './predictions.ts'
import { defineRoute } from './route.ts'
import { SourceInputs, SourceRow } from './source.ts'
import { Submitted } from './submitted.ts'

const moment = z.iso.datetime()
const date = z.iso.date()

export const LONGEST_COMMENT = 2_000
export const MOST_AT_ONCE = 200
/** How long a decision can be undone, milliseconds; the server allows a little more for the network. */
export const UNDO_MS = 10_000

export const SUBMISSION_ORIGINS = ['visitor', 'admin', 'extraction'] as const
/** `none`: nothing had to be paid; `overpaid`: sats were paid twice and must be paid back. */
const PAYMENT_STATES = ['none', 'unpaid', 'paid', 'paid_late', 'overpaid'] as const
export const REVIEW_SORTS = ['submitted', 'target', 'expert', 'paid'] as const
export const REVIEW_STATUSES = ['all', 'pending', 'approved', 'rejected', 'unpaid'] as const

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
    /** The same value under its second name. */
    email: z.string().nullable(),
    prediction_outcome: z.enum(OUTCOME_NOTES),
    admin_comment: z.string().nullable(),
    created_at: moment,
    /** The same value under its second name. */
    submission_date: moment,
    existing_influencer_id: z.int().nullable(),
    existing_influencer_name: z.string().nullable(),
    /** Noted as a new person, even if one of this name is on record. */
    new_influencer: z.boolean(),
    /** JSON text; see administrator-tools.md §3. */
    ai_metadata: z.string().nullable(),
    paid_sats: z.int(),
    paid_at: moment.nullable(),
    payment_state: z.enum(PAYMENT_STATES),
    decided_at: moment.nullable(),
    decided_by: z.string().nullable(),
    /** The published prediction it became. */
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
const level = z.union([z.string().max(60), z.number()]).nullish()
const comment = z.string().max(20_000).nullish()
const version = z.int32().min(0).nullish()
const CHOOSE = 'Please choose from the list.'
const influencerId = z
  .union([z.int(CHOOSE).positive(CHOOSE), z.string().regex(/^\d{0,15}$/, CHOOSE)], CHOOSE)
  .nullish()

/** True: a new person, even if one of this name is on record; not together with the id of an influencer. */
const newInfluencer = z.boolean().nullish()

const levels = {
  prediction_type: z.enum(PREDICTION_TYPES).nullish(),
  /** The level is read from it only if no level is sent. */
  price_prediction: level,
  price_target: level,
  price_min: level,
  price_max: level,
  ...GivenTerms.shape,
}

const edited = {
  ...levels,
  asset_type: z.enum(ASSET_KEYS).nullish(),
  expert_name: text,
  twitter_handle: text,
  nostr_npub: text,
  target_time: text,
  prediction_made: text,
  /** The whole list. */
  sources: SourceInputs.nullish(),
  /** The address of the best source alone; not read where `sources` is given. */
  source_url: text,
  notes: text,
  submitter_email: text,
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

/** What approving adds to the submission. */
const approval = {
  /** Null or empty: the person noted with the submission, else the one with this handle or name, else a new one. */
  influencer_id: influencerId,
  new_influencer: newInfluencer,
  admin_comment: comment,
  /** Days as 2026-11-20. See docs/decisions/0013-review.md for what a start date does. */
  start_date: text,
  end_date: text,
  made_precision: Precision.nullish(),
  target_precision: Precision.nullish(),
  /** The public text. Empty or absent: it is published without one; the notes of a submission are never published. */
  quote: text,
  /** What the public text is: our summary (unless named), or the person's own words. */
  quote_kind: z.enum(PUBLIC_TEXT_KINDS).nullish(),
}
export const ApproveBody = z
  .object({ ...levels, ...approval, version })
  .meta({ id: 'ApproveSubmission' })
export type ApproveBody = z.infer<typeof ApproveBody>

/** The whole detail form: the edited fields and what approving adds. */
export const DryRunBody = z.strictObject({ ...edited, ...approval, version })
export type DryRunBody = z.infer<typeof DryRunBody>

const Done = z.object({ success: z.literal(true), message: z.string() })
const Changed = Done.extend({ submission: SubmissionRow })
const NO_SUBMISSION = 'There is no submission of this number.'
const params = uuidIn(NO_SUBMISSION)
const MOST_Q = 200
const LONGEST_PLACE = 1_000

/** Daily closes packed for a chart; see `PackedPrices` of the pages. */
const Packed = z.object({
  first: z.int(),
  steps: z.array(z.int()),
  closes: z.array(z.number()),
})

export const listSubmissions = defineRoute({
  method: 'GET',
  path: '/api/admin/prediction_submissions',
  access: 'read',
  summary:
    'Submissions of an asset (btc unless named), newest first, at most 250; the header x-total-count says how many there are.',
  query: z.object({
    /** Empty means the same as absent. */
    status: z.enum(['all', 'pending', 'approved', 'rejected', '']).default('all'),
    asset: z.enum([...ASSET_KEYS, '']).default('btc'),
  }),
  reply: z.array(SubmissionRow),
})
export const TOTAL_HEADER = 'x-total-count'

/** What speaks for a closer look at a submission that waits. */
const REVIEW_FLAGS = [
  'link',
  'duplicate',
  'already-true',
  'already-broken',
  'window-over',
  'other-day',
  'other-handle',
  'new-person',
  'paid-late',
  'paid-twice',
  'paid-too-little',
  'not-paid',
] as const
export type ReviewFlag = (typeof REVIEW_FLAGS)[number]

export const searchSubmissions = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/submissions',
  access: 'read',
  summary: 'One page of the submissions of an asset, with how many there are of each status.',
  // Strict: a page by number, as it once was, is refused instead of being the first one again and again.
  query: z.strictObject({
    asset: z.enum(ASSET_KEYS).default('btc'),
    /** `all` are those in review or decided; `unpaid` ones wait for their sats. */
    status: z.enum(REVIEW_STATUSES).default('pending'),
    /** Words from expert, handle, level, source, notes and e-mail; each matches from its beginning. */
    q: z.string().max(MOST_Q).default(''),
    origin: z.enum(SUBMISSION_ORIGINS).optional(),
    sort: z.enum(REVIEW_SORTS).default('submitted'),
    dir: z.enum(['asc', 'desc']).default('desc'),
    /** `next` of a page: the rows after it. Without `after` and `before` it is the first page. */
    after: z.string().max(LONGEST_PLACE).optional(),
    /** `previous` of a page: the rows before it. */
    before: z.string().max(LONGEST_PLACE).optional(),
    size: z.coerce.number().int().min(1).max(200).default(25),
    /** `yes` for the flags of the rows, too. */
    flags: z.enum(['yes', 'no']).default('no'),
  }),
  reply: z.object({
    rows: z.array(SubmissionRow),
    /** Where the page after this one begins; null at the list's end. Rows that come and go do not move it. */
    next: z.string().nullable(),
    /** Where the page before this one ends; null at the list's beginning. */
    previous: z.string().nullable(),
    /** On all pages together, with these filters. */
    total: z.int(),
    /** Of the asset, without the filters. */
    counts: StatusCounts,
    /** Of those that wait, by id, where they were asked for. */
    flags: z.record(z.string(), z.array(z.enum(REVIEW_FLAGS))),
  }),
})

/** A person on record who may be meant. */
const Suggestion = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  x_handle: z.string().nullable(),
  predictions: z.int(),
  why: z.enum(['chosen', 'handle', 'name', 'alias']),
  /** Why, in a sentence. */
  sentence: z.string(),
  /** False: the handle matches, but the name does not. Such a person is never used unless chosen. */
  is_sure: z.boolean(),
})

const Duplicate = z.object({
  kind: z.enum(['prediction', 'submission']),
  id: z.string(),
  expert_name: z.string(),
  price_prediction: z.string(),
  target_time: date,
  status: z.enum(['published', 'pending', 'approved', 'rejected']),
  created_at: moment,
})

export const oneSubmission = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/submissions/:id',
  access: 'read',
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
        /** This one brought the submission into review. */
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
    /** How its submitter wants to be notified; null for not at all. */
    told_by: z.enum(['email', 'lightning']).nullable(),
    /** How long the asking administrator can still undo the last decision, milliseconds; 0 for not at all. */
    undo_ms: z.int(),
  }),
})

const WARNING_CODES = [
  'already-true',
  'already-broken',
  'window-over',
  'deadline-before-made',
  'no-reference',
  'split',
  'start-shortens',
  'source-older',
  'own-post-younger',
  'post-younger',
  'link',
  'duplicate',
  'new-influencer',
  'other-name',
  'other-handle',
  'new-handle',
] as const
type WarningCode = (typeof WARNING_CODES)[number]

/** What speaks against publishing it as it is. */
const GRAVE_WARNINGS: ReadonlySet<WarningCode> = new Set([
  'already-true',
  'already-broken',
  'window-over',
  'deadline-before-made',
  'start-shortens',
  'source-older',
  'own-post-younger',
  'link',
  'duplicate',
  'other-name',
  'other-handle',
])
export const isGraveWarning = ({ code }: { readonly code: WarningCode }): boolean =>
  GRAVE_WARNINGS.has(code)

export const dryRun = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/submissions/:id/dry-run',
  access: 'review',
  summary:
    'What approving with these fields would publish, and how it would be judged now; nothing is stored.',
  params,
  body: DryRunBody,
  reply: z.object({
    /** Messages by field; empty when it can be approved. */
    fields: z.record(z.string(), z.string()),
    /** Each level as it was read: `100.000` is shown as $100,000. */
    numbers: z.array(
      z.object({
        field: z.enum(['price_target', 'price_min', 'price_max', 'price_prediction']),
        given: z.string(),
        usd: z.number(),
        shown: z.string(),
      }),
    ),
    /** The level as screens would show it; null while there are faults. */
    price_prediction: z.string().nullable(),
    /** The influencer it would belong to. */
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
      z.object({
        code: z.enum(WARNING_CODES),
        message: z.string(),
        /** The source's day, where the prediction may have been made on that. */
        use_day: date.optional(),
      }),
    ),
    /** The rule that would judge it, in words; null while there are faults. */
    rule: z.string().nullable(),
    verdicts: z.object({ touch: VerdictRow, close: VerdictRow }).nullable(),
    sentences: z.object({ touch: z.string(), close: z.string() }).nullable(),
    /** `said $1,800 = $180 today`; null without a split since. */
    split_note: z.string().nullable(),
    /** The prediction as it would be published, to draw it. */
    prediction: PredictionRow.nullable(),
    prices: Packed.nullable(),
  }),
})

/** 400 `invalid` names the fields; 409 `conflict` names in `fields` what another person has changed in the meantime. */
export const editSubmission = defineRoute({
  method: 'PUT',
  path: '/api/admin/prediction_submissions/:id/update',
  access: 'review',
  summary: 'Saves edited fields of a submission.',
  params,
  body: SubmissionEdit,
  reply: Changed,
})

export const savePredictionDate = defineRoute({
  method: 'PUT',
  path: '/api/admin/prediction_submissions/:id/prediction-date',
  access: 'review',
  summary: 'Saves the day a prediction was made.',
  params,
  body: z.strictObject({ prediction_made: text, version }),
  reply: Changed,
})

const decide = {
  method: 'PUT',
  access: 'review',
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
export const decideSubmission = defineRoute({
  ...decide,
  path: '/api/admin/prediction_submissions/:id',
})
export const decideSubmissionToo = defineRoute({ ...decide, path: '/api/admin/submissions/:id' })

const approve = {
  method: 'POST',
  access: 'review',
  summary:
    'Publishes a pending submission as a prediction with its first verdicts. 409 says who decided it before.',
  params,
  body: ApproveBody,
  reply: Changed.extend({
    prediction_id: z.string(),
    influencer: z.object({ id: z.int(), name: z.string(), created: z.boolean() }),
  }),
} as const
export const approveSubmission = defineRoute({
  ...approve,
  path: '/api/admin/prediction_submissions/:id/approve',
})
/** 404 when the submission is of another asset. */
export const approveMstr = defineRoute({
  ...approve,
  path: '/api/admin/mstr_prediction_submissions/:id/approve',
})
export const approveNaka = defineRoute({
  ...approve,
  path: '/api/admin/naka_prediction_submissions/:id/approve',
})

export const bulkReject = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/submissions/bulk-reject',
  access: 'review',
  summary: 'Rejects several pending submissions for one reason; the answer has a result for each.',
  body: z.strictObject({
    ids: z.array(z.uuid(NO_SUBMISSION)).min(1, 'Please choose at least one.').max(MOST_AT_ONCE),
    /** By id: a submission edited since then is not rejected, and its result says so. */
    versions: z.record(z.string(), version).optional(),
    reason: z.string().max(20_000).nullish(),
  }),
  reply: Done.extend({
    results: z.array(
      z.object({
        id: z.uuid(),
        ok: z.boolean(),
        /** Why it was not rejected; null when it was. */
        error: z.string().nullable(),
      }),
    ),
  }),
})

export const undoDecision = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/submissions/:id/undo',
  access: 'review',
  summary:
    'Undoes your approval or rejection within 10 seconds and unpublishes the prediction. 409 when it is too late.',
  params,
  reply: Changed,
})

export const reviewHere = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/review/here',
  access: 'read',
  summary:
    'Says which submission a page is at, every ten seconds; the answer has how many wait and who else is where.',
  body: z.strictObject({
    /** Distinguishes the pages of one administrator. */
    tab: z.string().min(1).max(60),
    /** Null: none. */
    submission_id: z.uuid(NO_SUBMISSION).nullable(),
  }),
  reply: z.object({
    /** How many submissions of each asset wait. */
    waiting: z.array(z.object({ asset_type: z.enum(ASSET_KEYS), pending: z.int() })),
    /** How many posts wait for a decision; null for those who do not see posts. */
    posts_to_decide: z.int().nullable(),
    /** Other administrators who look at a submission; gone within 30 seconds of leaving it. */
    others: z.array(z.object({ submission_id: z.uuid(), username: z.string() })),
  }),
})

const influencers = {
  method: 'GET',
  access: 'read',
  summary: 'All people and firms on record, by name, with their aliases.',
  reply: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      handle: z.string().nullable(),
      /** Further names and handles. */
      aliases: z.array(z.string()),
    }),
  ),
} as const
export const listInfluencers = defineRoute({ ...influencers, path: '/api/admin/influencers' })
export const listInfluencersToo = defineRoute({ ...influencers, path: '/admin/influencers' })

export const adminHome = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/home',
  access: 'read',
  summary: 'What waits, what was decided today, and what has failed.',
  reply: z.object({
    at: moment,
    waiting: z.array(
      z.object({
        asset_type: z.enum(ASSET_KEYS),
        counts: StatusCounts,
        oldest_at: moment.nullable(),
      }),
    ),
    /** Reported errors that wait for a decision. */
    open_reports: z.int(),
    /** The submissions that have waited longest, of all assets, at most 10. */
    oldest: z.array(SubmissionRow.extend({ waits_ms: z.int() })),
    /** Of this UTC day. */
    decided_today: z.object({
      approved: z.int(),
      rejected: z.int(),
      by: z.array(z.object({ username: z.string(), approved: z.int(), rejected: z.int() })),
      /** Latest first, at most 10. */
      latest: z.array(SubmissionRow),
    }),
    /** Of people, to the record about them; null for those who may not see them. */
    replies: z.object({ waiting: z.int(), overdue: z.int() }).nullable(),
    /** Latest first, at most 50. */
    failed: z.array(
      z.object({
        kind: z.enum(['notice', 'queue', 'source', 'payment']),
        /** Of the notice, the queue item or the payment; all price sources that fail are one row. */
        id: z.string(),
        /** The submission concerned. */
        submission_id: z.uuid().nullable(),
        at: moment.nullable(),
        /** What happened, in a sentence without secrets. */
        text: z.string(),
      }),
    ),
  }),
})

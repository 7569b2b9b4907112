import { ASSET_KEYS } from '#domain/asset.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { z } from 'zod'
import {
  GivenTerms,
  HistoryRow,
  OutcomeSchema,
  Precision,
  PredictionRow,
  VerdictRow,
} from './predictions.ts'
import { defineRoute } from './route.ts'
import { SourceInputs } from './source.ts'

/** The most characters of a reason, which is shown in public beside what it explains. */
const LONGEST_REASON = 1_000

export const Done = z.object({ success: z.literal(true), message: z.string() })
/** A reason, trimmed; empty when there is none. */
export const Reason = z.string().trim().max(LONGEST_REASON).default('')
export const PageNumber = z.coerce.number().int().min(1).max(1_000_000).default(1)
export const Search = z.string().max(200).default('')
const NO_PREDICTION = 'There is no such prediction.'
const Id = z.object({ id: z.string().min(1, NO_PREDICTION).max(200, NO_PREDICTION) })
/** The version an edit started from; an edit of an older version is refused. */
export const Version = z.int32().min(0)
const date = z.iso.date()
/** The numbers of open reports about the prediction that the change answers: it accepts them. */
const Reports = z.array(z.int().min(1)).max(50).optional()

export const PREDICTION_STATES = [
  'all',
  'live',
  'withdrawn',
  'frozen',
  'overridden',
  'off-chart',
] as const

export const listPublished = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/predictions',
  access: 'read',
  summary: 'Published predictions, newest first, 50 a page; withdrawn ones too.',
  query: z.object({
    asset: z.enum(['all', ...ASSET_KEYS]).default('all'),
    state: z.enum(PREDICTION_STATES).default('all'),
    /** Words from the name, the text, the source or the id. */
    q: Search,
    page: PageNumber,
  }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    pages: z.int(),
    rows: z.array(
      z.object({
        id: z.string(),
        asset_type: z.enum(ASSET_KEYS),
        expert_id: z.int(),
        expert_name: z.string(),
        prediction_type: z.enum(PREDICTION_TYPES),
        price_prediction: z.string(),
        prediction_made: date,
        target_time: date,
        touch: OutcomeSchema.nullable(),
        close: OutcomeSchema.nullable(),
        overridden: z.boolean(),
        frozen: z.boolean(),
        withdrawn: z.boolean(),
        exclude_from_chart: z.boolean(),
        version: z.int(),
      }),
    ),
  }),
})

/** A published prediction with all that only administrators see. */
export const AdminPrediction = z
  .object({
    prediction: PredictionRow,
    version: z.int(),
    /** Private notes from its import. */
    remarks: z.string().nullable(),
    frozen_at: z.string().nullable(),
    withdrawn_at: z.string().nullable(),
    withdrawn_reason: z.string().nullable(),
    /** Whether an administrator set the verdict in force. */
    overridden: z.object({ touch: z.boolean(), close: z.boolean() }),
    /** What the rule alone gives now, whatever is in force. */
    by_rule: z.object({ touch: VerdictRow, close: VerdictRow }),
    rule: z.string(),
    sentences: z.object({ touch: z.string(), close: z.string() }),
    history: z.array(HistoryRow),
  })
  .meta({ id: 'AdminPrediction' })
export type AdminPrediction = z.infer<typeof AdminPrediction>

export const onePublished = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/predictions/:id',
  access: 'read',
  summary: 'One published prediction with its version, history and both verdicts.',
  params: Id,
  reply: AdminPrediction,
})

/** A level as typed (`$100k`, `100.000`) or as a number; null removes it. */
const Level = z.union([z.number(), z.string().max(60)]).nullable()

/** Fields that are not named stay as they are; other ones are refused. */
const Edit = {
  influencer_id: z.int().positive(),
  prediction_type: z.enum(PREDICTION_TYPES),
  price_target: Level,
  price_min: Level,
  price_max: Level,
  ...GivenTerms.shape,
  prediction_made: z.string().max(40),
  made_precision: Precision,
  start_date: z.string().max(40).nullable(),
  target_time: z.string().max(40),
  target_precision: Precision,
  deadline_assumed: z.boolean(),
  quote: z.string().max(5_000),
  /** The whole list. */
  sources: SourceInputs,
  /** The address of the best source alone; not read where `sources` is given. */
  source_url: z.string().max(2_000).nullable(),
  remarks: z.string().max(5_000).nullable(),
  chart_value: Level,
  exclude_from_chart: z.boolean(),
} as const
export const EditFields = z.strictObject(Edit).partial()
export type EditFields = z.infer<typeof EditFields>

const Change = z.object({
  field: z.string(),
  /** Its name for people. */
  label: z.string(),
  before: z.string(),
  after: z.string(),
})

export const dryRunEdit = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/predictions/:id/dry-run',
  access: 'publish',
  summary: 'What an edit would change, and the verdicts it would bring. Nothing is written.',
  params: Id,
  body: EditFields,
  reply: z.object({
    /** A message for each field that is wrong; if there is one, the rest of the answer is empty. */
    fields: z.record(z.string(), z.string()),
    changes: z.array(Change),
    /** The statement changes and is judged again. */
    rejudged: z.boolean(),
    /** The level as read: `100.000` comes back as $100,000. */
    price_prediction: z.string().nullable(),
    before: z.object({ touch: VerdictRow, close: VerdictRow }).nullable(),
    after: z.object({ touch: VerdictRow, close: VerdictRow }).nullable(),
    sentences: z.object({ touch: z.string(), close: z.string() }).nullable(),
    warnings: z.array(z.string()),
  }),
})

const Changed = Done.extend({ prediction: AdminPrediction })

export const editPublished = defineRoute({
  method: 'PUT',
  path: '/api/v1/admin/predictions/:id',
  access: 'publish',
  summary:
    'Changes a published prediction. The reason and the changes are public; 409 when another person was faster.',
  params: Id,
  body: EditFields.extend({ version: Version, reason: Reason, reports: Reports }),
  reply: Changed,
})

const withReason = {
  params: Id,
  body: z.strictObject({ version: Version, reason: Reason, reports: Reports }),
}

export const withdrawPublished = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/predictions/:id/withdraw',
  access: 'publish',
  summary:
    'Removes a prediction from lists, charts and track records; its page stays and says why.',
  ...withReason,
  reply: Changed,
})

export const restorePublished = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/predictions/:id/restore',
  access: 'publish',
  summary: "Restores a withdrawn prediction, judged by today's prices.",
  ...withReason,
  reply: Changed,
})

export const freezePublished = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/predictions/:id/freeze',
  access: 'publish',
  summary: 'Keeps its verdicts as they are, whatever prices come.',
  ...withReason,
  reply: Changed,
})

export const thawPublished = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/predictions/:id/thaw',
  access: 'publish',
  summary: 'Ends a freeze; the verdicts follow the prices again.',
  ...withReason,
  reply: Changed,
})

const Modes = z.enum([...JUDGE_MODES, 'both'])

export const overrideVerdict = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/predictions/:id/override',
  access: 'publish',
  summary: 'Sets a verdict by hand. The reason is public in the history.',
  params: Id,
  body: z.strictObject({
    version: Version,
    mode: Modes.default('both'),
    outcome: OutcomeSchema,
    reason: Reason,
    reports: Reports,
  }),
  reply: Changed,
})

export const liftOverride = defineRoute({
  method: 'DELETE',
  path: '/api/v1/admin/predictions/:id/override',
  access: 'publish',
  summary: 'Lets the rule decide again.',
  params: Id,
  body: z.strictObject({
    version: Version,
    mode: Modes.default('both'),
    reason: Reason,
    reports: Reports,
  }),
  reply: Changed,
})

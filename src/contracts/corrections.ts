import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { Done, PageNumber, Reason, Search, Version, paging, numberIn } from './fields.ts'
import {
  StatedTerms,
  HistoryRow,
  OutcomeSchema,
  Precision,
  PredictionRow,
  VerdictRow,
  SourceInputs,
  GoalpostState,
} from './predictions.ts'
import { del, get, post, put } from './route.ts'

const NO_PREDICTION = 'There is no such prediction.'
const PredictionId = z.string().min(1, NO_PREDICTION).max(200, NO_PREDICTION)
const Id = z.object({ id: PredictionId })
const date = z.iso.date()
/** Numbers of open reports about the prediction, which the change accepts. */
const Reports = z.array(z.int().min(1)).max(50).optional()

export const PREDICTION_STATES = [
  'all',
  'live',
  'withdrawn',
  'frozen',
  'overridden',
  'off-chart',
] as const

export const listPublished = get('/api/v1/admin/predictions', 'read', {
  summary: 'Published predictions, including withdrawn ones, newest first, 50 a page.',
  query: z.object({
    asset: z.enum(['all', ...ASSET_KEYS]).default('all'),
    state: z.enum(PREDICTION_STATES).default('all'),
    q: Search,
    page: PageNumber,
  }),
  reply: z.object({
    ...paging,
    rows: z.array(
      z.object({
        id: z.string(),
        asset_type: z.enum(ASSET_KEYS),
        expert_name: z.string(),
        price_prediction: z.string(),
        prediction_made: date,
        target_time: date,
        touch: OutcomeSchema.nullable(),
        close: OutcomeSchema.nullable(),
        overridden: z.boolean(),
        frozen: z.boolean(),
        withdrawn: z.boolean(),
        exclude_from_chart: z.boolean(),
      }),
    ),
  }),
})

export const AdminPrediction = z
  .object({
    prediction: PredictionRow,
    version: z.int(),
    remarks: z.string().nullable(),
    frozen_at: z.string().nullable(),
    withdrawn_at: z.string().nullable(),
    withdrawn_reason: z.string().nullable(),
    overridden: z.object({ touch: z.boolean(), close: z.boolean() }),
    /** Verdicts by the rule, ignoring overrides. */
    by_rule: z.object({ touch: VerdictRow, close: VerdictRow }),
    rule: z.string(),
    sentences: z.object({ touch: z.string(), close: z.string() }),
    history: z.array(HistoryRow),
  })
  .meta({ id: 'AdminPrediction' })
export type AdminPrediction = z.infer<typeof AdminPrediction>

export const onePublished = get('/api/v1/admin/predictions/:id', 'read', {
  summary: 'One published prediction with its version, history and both verdicts.',
  params: Id,
  reply: AdminPrediction,
})

/** A level as typed (`$100k`, `100.000`) or as a number; null removes it. */
const Level = z.union([z.number(), z.string().max(60)]).nullable()

/** Omitted fields stay unchanged; unknown fields are rejected. */
const Edit = {
  influencer_id: z.int().positive(),
  prediction_type: z.enum(PREDICTION_TYPES),
  price_target: Level,
  price_min: Level,
  price_max: Level,
  ...StatedTerms.shape,
  prediction_made: z.string().max(40),
  made_precision: Precision,
  start_date: z.string().max(40).nullable(),
  target_time: z.string().max(40),
  target_precision: Precision,
  deadline_assumed: z.boolean(),
  quote: z.string().max(5_000),
  sources: SourceInputs,
  /** Address of the best source; ignored if `sources` is given. */
  source_url: z.string().max(2_000).nullable(),
  remarks: z.string().max(5_000).nullable(),
  chart_value: Level,
  exclude_from_chart: z.boolean(),
} as const
export const EditFields = z.strictObject(Edit).partial()
export type EditFields = z.infer<typeof EditFields>

const Change = z.object({
  field: z.string(),
  label: z.string(),
  before: z.string(),
  after: z.string(),
})

export const dryRunEdit = post('/api/v1/admin/predictions/:id/dry-run', 'publish', {
  summary: 'Previews the changes and verdicts of an edit; nothing is stored.',
  params: Id,
  body: EditFields,
  reply: z.object({
    /** A message for each invalid field; if there is one, the rest is empty. */
    fields: z.record(z.string(), z.string()),
    changes: z.array(Change),
    /** With its new verdicts; null if it is not judged again. */
    prediction: PredictionRow.nullable(),
    warnings: z.array(z.string()),
  }),
})

const Changed = Done.extend({ prediction: AdminPrediction })
const reasoned = { version: Version, reason: Reason, reports: Reports }

export const editPublished = put('/api/v1/admin/predictions/:id', 'publish', {
  summary:
    'Changes a published prediction. The reason and the changes are public; 409 if somebody else changed it first.',
  params: Id,
  body: EditFields.extend(reasoned),
  reply: Changed,
})

const changeState = (verb: 'withdraw' | 'restore' | 'freeze' | 'thaw', summary: string) =>
  post(`/api/v1/admin/predictions/:id/${verb}`, 'publish', {
    summary,
    params: Id,
    body: z.strictObject(reasoned),
    reply: Changed,
  })

export const withdrawPublished = changeState(
  'withdraw',
  'Removes a prediction from lists, charts and track records; its page stays and says why.',
)
export const restorePublished = changeState(
  'restore',
  "Restores a withdrawn prediction, judged by today's prices.",
)
export const freezePublished = changeState(
  'freeze',
  'Freezes its verdicts: later prices don’t change them.',
)
export const thawPublished = changeState(
  'thaw',
  'Ends a freeze; the verdicts follow the prices again.',
)

const Modes = z.enum([...JUDGE_MODES, 'both'])

export const overrideVerdict = post('/api/v1/admin/predictions/:id/override', 'publish', {
  summary: 'Sets a verdict by hand. The reason is public in the history.',
  params: Id,
  body: z.strictObject({ ...reasoned, mode: Modes.default('both'), outcome: OutcomeSchema }),
  reply: Changed,
})

export const liftOverride = del('/api/v1/admin/predictions/:id/override', 'publish', {
  summary: 'Lets the rule decide again.',
  params: Id,
  body: z.strictObject({ ...reasoned, mode: Modes.default('both') }),
  reply: Changed,
})

const GoalpostPair = z
  .object({
    earlier: PredictionRow,
    later: PredictionRow,
    state: GoalpostState,
    /** By how much the deadline moved: `1 year and 6 months`. */
    delay: z.string(),
    /** False once a call was corrected, so that the pair no longer qualifies. */
    is_shown: z.boolean(),
    decided: z.object({ who: z.string(), at: z.string() }).nullable(),
  })
  .meta({ id: 'GoalpostPair' })
export type GoalpostPair = z.infer<typeof GoalpostPair>

export const listGoalposts = get('/api/v1/admin/goalposts', 'read', {
  summary:
    'Pairs of calls whose later one may revise the earlier one, with their decisions, by person, 50 a page.',
  query: z.object({
    state: z.enum(['all', ...GoalpostState.options]).default('suggested'),
    page: PageNumber,
  }),
  reply: z.object({
    ...paging,
    counts: z.object({ all: z.int(), suggested: z.int(), confirmed: z.int(), cut: z.int() }),
    rows: z.array(GoalpostPair),
  }),
})

const GoalpostDecision = z.strictObject({
  earlier: PredictionId,
  later: PredictionId,
  state: GoalpostState,
  /** The state shown to the caller; if it has changed, nothing is done. */
  was: GoalpostState,
})
export type GoalpostDecision = z.infer<typeof GoalpostDecision>

export const decideGoalpost = put('/api/v1/admin/goalposts', 'review', {
  summary:
    'Decides whether a call revises an earlier one: `confirmed`, `cut`, or `suggested` to revert the decision.',
  body: GoalpostDecision,
  reply: Done,
})

const ExpertId = numberIn('There is no such person or firm.')

export const AdminExpert = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    is_firm: z.boolean(),
    firm: z.string().nullable(),
    aliases: z.array(z.string()),
    handles: z.array(z.string()),
    unconfirmed_handles: z.array(z.string()),
    /** Confirmed Nostr keys as npubs; the first is displayed. */
    npubs: z.array(z.string()),
    old_slugs: z.array(z.string()),
    predictions: z.int(),
    version: z.int(),
  })
  .meta({ id: 'AdminExpert' })
export type AdminExpert = z.infer<typeof AdminExpert>

export const listExpertsAdmin = get('/api/v1/admin/experts', 'read', {
  summary: 'People and firms by name, 50 a page.',
  query: z.object({ q: Search, page: PageNumber }),
  reply: z.object({ ...paging, rows: z.array(AdminExpert) }),
})

export const oneExpertAdmin = get('/api/v1/admin/experts/:id', 'read', {
  summary: 'One person or firm; a merged one names its successor.',
  params: ExpertId,
  reply: AdminExpert.extend({
    merged_into: z.int().nullable(),
    named_npubs: z.array(z.object({ npub: z.string(), prediction_id: z.string() })),
  }),
})

export const likelyDuplicates = get('/api/v1/admin/expert-duplicates', 'read', {
  summary: 'Pairs with similar names or handles that may be the same, the most similar first.',
  reply: z.object({
    pairs: z.array(z.object({ first: AdminExpert, second: AdminExpert, why: z.string() })),
  }),
})

const Names = z.array(z.string().trim().min(1).max(120)).max(40)

export const editExpert = put('/api/v1/admin/experts/:id', 'publish', {
  summary:
    'Changes names, handles, Nostr keys and kind of a person or firm; absent fields stay. A new name gives a new address, to which the old one redirects.',
  params: ExpertId,
  body: z.strictObject({
    version: Version,
    name: z.string().trim().min(1, 'Please enter a name.').max(120).optional(),
    aliases: Names.optional(),
    handles: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
    /** Handles from submissions to confirm; handles entered here are confirmed. */
    confirm_handles: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
    npubs: z.array(z.string().trim().min(1).max(100)).max(5).optional(),
    is_firm: z.boolean().optional(),
    /** Empty for none. */
    firm: z.string().trim().max(120).optional(),
    reason: Reason,
  }),
  reply: Done.extend({ expert: AdminExpert }),
})

export const mergeExpert = post('/api/v1/admin/experts/:id/merge', 'publish', {
  summary:
    'Merges a person or firm into another, with all predictions, names, handles and Nostr keys; the old page redirects.',
  params: ExpertId,
  body: z.strictObject({ version: Version, into: z.int().positive(), reason: Reason }),
  reply: Done.extend({
    expert: AdminExpert,
    moved: z.object({ predictions: z.int(), submissions: z.int(), names: z.int() }),
    said_twice: z.array(z.object({ kept: z.string(), moved: z.string() })),
  }),
})

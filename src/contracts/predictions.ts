import { z } from 'zod'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { SOURCE_KINDS } from '#domain/claim/source.ts'
import { DATE_PRECISIONS } from '#domain/day.ts'
import { VERDICT_DIRECTIONS, VERDICT_REASONS } from '#domain/judging/verdict.ts'
import { NO_LUCK } from '#domain/scoring/touch.ts'
import { textIn, RecordVersion, CalendarDay, PredictionParams } from './fields.ts'
import { CORRECTION_KINDS } from './public-logs.ts'
import { PublicReply } from './replies.ts'
import { get } from './route.ts'
import { RecordSummary } from './signed-record.ts'

export const SourceRow = z
  .object({
    /** The person's own post or video, a filing, an interview, a report, or a repost of one of these. */
    kind: z.enum(SOURCE_KINDS),
    url: z.string(),
    /** `2024-08-08`, or `2024-08` or `2024` when no more is known. */
    date: z.string().nullable(),
    archived_url: z.string().nullable(),
    quotation: z.string().nullable(),
    speaker: z.string().nullable(),
    /** Since when the link has been dead; null if it works or was not checked. */
    dead_since: z.iso.date().nullable(),
  })
  .meta({ id: 'Source' })
export type SourceRow = z.infer<typeof SourceRow>

// The domain checks the values with its messages; this only refuses what no form would send.
const text = z.string().max(20_000).nullish()

/** A source in an edit; see `readSources` for the checks and their messages. */
export const SourceInput = z.strictObject({
  kind: z.enum(SOURCE_KINDS).nullish(),
  url: z.string().max(20_000),
  date: text,
  archived_url: text,
  /** True: a person has confirmed that the archived address shows the same page, if it does not name it itself. */
  archive_checked: z.boolean().nullish(),
  /** At most 400 characters, and only with its speaker. */
  quotation: text,
  speaker: text,
  /** Accepted and ignored. */
  dead_since: text,
})

/**
 * The sources of an edit, which replace the current ones. The limit exceeds the domain's, so that its message is
 * shown.
 */
export const SourceInputs = z.array(SourceInput).max(100)

const date = z.iso.date()
const usd = z.number()
const chance = z.number().min(0).max(1)
export const Precision = z.enum(DATE_PRECISIONS)
export const NoLuckSchema = z.enum(NO_LUCK)
export const OutcomeSchema = z.enum(['hit', 'miss', 'pending', 'void'])

/** Only while the day is not over: `close` is then the last price seen. */
const moving = z.literal(true).exactOptional()

const DatedPrice = z.object({ date, usd, moving })

/** Timing, and the direction stated by the source. */
export const Terms = z.object({
  timing: z.enum(TIMINGS),
  direction: z.enum(DIRECTIONS).nullable(),
})
export const StatedTerms = z.object({
  timing: z.enum(TIMINGS, 'Please choose when it must be true.').nullish(),
  direction: z.enum(DIRECTIONS).nullish(),
})

/** One verdict with its evidence; prices in USD, adjusted for splits. See /methodology for the rules. */
export const VerdictRow = z
  .object({
    mode: z.enum(['touch', 'close']),
    rule: z.int(),
    outcome: OutcomeSchema,
    reason: z.enum(VERDICT_REASONS),
    date: date.nullable(),
    level_min: usd,
    level_max: usd,
    direction: z.enum(VERDICT_DIRECTIONS),
    reference: DatedPrice.nullable(),
    window_from: date,
    window_to: date,
    /** For a void verdict that depends on the day: two possible days and their results. */
    possible_days: z
      .array(z.object({ date, outcome: OutcomeSchema, direction: z.enum(VERDICT_DIRECTIONS) }))
      .optional(),
    bar: z
      .object({
        date,
        open: usd.nullable(),
        high: usd.nullable(),
        low: usd.nullable(),
        close: usd,
        source: z.string(),
        moving,
      })
      .nullable(),
    nearest: DatedPrice.nullable(),
    unconfirmed: DatedPrice.nullable(),
    close_only: z.boolean(),
    some_closes_only: z.boolean(),
  })
  .meta({ id: 'Verdict' })
export type VerdictRow = z.infer<typeof VerdictRow>

/** Odds of a prediction by one mode; see /methodology. */
export const OddsRow = z
  .object({
    /** Chance of a hit when it was made; null with the reason in `no_luck`. */
    luck: chance.nullable(),
    no_luck: NoLuckSchema.nullable(),
    /** Volatility and drift of the logarithm a year, as known when it was made; null without luck. */
    sigma: z.number().nonnegative().nullable(),
    drift: z.number().nullable(),
    /** Remaining distance as of the last close; null unless open with known prices. */
    left: z
      .object({
        date,
        usd,
        /** The required or allowed price change as a share: 0.38 is up by 38%. */
        change: z.number(),
        /** Days until the deadline. */
        days: z.int().positive(),
        /** The chance that it comes true from there; null with more than two years to go. */
        chance: chance.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Odds' })
export type OddsRow = z.infer<typeof OddsRow>

/** A published prediction in the shape of public-site.md §3 and §7, with our evidence added. */
export const PredictionRow = z
  .object({
    id: z.string(),
    asset_type: z.enum(ASSET_KEYS),
    influencer_id: z.int(),
    influencer: z.object({
      id: z.int(),
      name: z.string(),
      slug: z.string(),
      score: z.number(),
      is_firm: z.boolean(),
      x_handle: z.string().nullable(),
    }),
    price_prediction: z.string(),
    price_target: usd.nullable(),
    price_min: usd.nullable(),
    price_max: usd.nullable(),
    prediction_type: z.enum(PREDICTION_TYPES),
    ...Terms.shape,
    target_time: date,
    start_date: date.nullable(),
    end_date: date.nullable(),
    prediction_date: date,
    prediction_made: date,
    made_precision: Precision,
    target_precision: Precision,
    deadline_assumed: z.boolean(),
    /** By touch. A void prediction is `pending` here; see `verdicts`. */
    success_status: z.enum(['success', 'miss', 'pending']),
    quote: z.string(),
    source_url: z.string().nullable(),
    sources: z.array(SourceRow),
    only_reposts: z.boolean(),
    vote_score: z.int(),
    /** The id of the first prediction of the same thesis by the same person; this one then counts nowhere. */
    repeats: z.string().nullable(),
    created_at: z.string(),
    exclude_from_chart: z.boolean(),
    chart_value: usd.nullable(),
    /** How many of today's units one unit of that day is: 10 after a ten-for-one split. */
    split_factor: z.number().positive(),
    verdicts: z.object({ touch: VerdictRow, close: VerdictRow }),
    odds: z.object({ touch: OddsRow, close: OddsRow }).optional(),
  })
  .meta({ id: 'Prediction' })
export type PredictionRow = z.infer<typeof PredictionRow>

export const AssetPredictionRow = PredictionRow.extend({
  influencer_name: z.string(),
  influencer_score: z.number(),
  target_price: usd.nullable(),
  notes: z.string(),
}).meta({ id: 'AssetPrediction' })
export type AssetPredictionRow = z.infer<typeof AssetPredictionRow>

export const PredictionList = z.array(PredictionRow)
export const PredictionEnvelope = z.object({
  success: z.literal(true),
  data: z.array(AssetPredictionRow),
})

export const MOST_LISTED = 500

export const ListCursor = z.string().max(400, 'Please take it from the link to the next page.')

const PartOfList = z.object({
  limit: z.coerce
    .number('Please give a number.')
    .int('Please give a whole number.')
    .min(1, 'Please ask for at least 1.')
    .max(MOST_LISTED, `Please ask for at most ${String(MOST_LISTED)} at once.`)
    .optional(),
  /** Start of a page, from the link to it. */
  cursor: ListCursor.optional(),
  v: RecordVersion.optional(),
})

const list = {
  open: true,
  callsAMinute: null,
  summary:
    'All published predictions of the asset, newest first, with both verdicts. With `limit`, one page; the `Link` header leads to the next.',
  query: PartOfList,
} as const

export const btcPredictions = get('/api/predictions', 'public', { ...list, reply: PredictionList })
const enveloped = { ...list, reply: PredictionEnvelope }
export const mstrPredictions = get('/api/mstr/predictions', 'public', enveloped)
const nakaPredictions = get('/api/naka/predictions', 'public', enveloped)

export const predictionsOf: Readonly<
  Record<AssetKey, typeof btcPredictions | typeof mstrPredictions>
> = { btc: btcPredictions, mstr: mstrPredictions, naka: nakaPredictions }

/** One event in the history of a prediction, newest last. */
export const HistoryRow = z.object({
  at: z.string(),
  kind: z.enum(['published', 'judged', ...CORRECTION_KINDS]),
  text: z.string(),
  verdict: VerdictRow.nullable(),
})
export type HistoryRow = z.infer<typeof HistoryRow>

/** State of a revision: suggested by the rule until a person confirms or cuts it. */
export const GoalpostState = z.enum(['suggested', 'confirmed', 'cut'])

/** A thesis that one person repeated with later deadlines before its level was reached. See docs/decisions. */
export const GoalpostsRow = z
  .object({
    delay_days: z.int().positive(),
    /** The same in calendar years and months: `3 years and 2 months`. */
    delay: z.string(),
    /** Oldest first, two or more. */
    calls: z.array(
      z.object({
        id: z.string(),
        /** `$250,000` */
        price_prediction: z.string(),
        prediction_made: date,
        made_precision: Precision,
        target_time: date,
        target_precision: Precision,
        outcome: OutcomeSchema,
        /** Why it counts as a revision of the previous call; null for the first. */
        link: GoalpostState.exclude(['cut']).nullable(),
      }),
    ),
  })
  .meta({ id: 'Goalposts' })
export type GoalpostsRow = z.infer<typeof GoalpostsRow>

export const onePrediction = get('/api/v1/predictions/:id', 'public', {
  open: true,
  summary: 'One prediction with its verdicts, their evidence, its history and its revisions.',
  params: PredictionParams,
  query: z.object({ v: RecordVersion.optional() }),
  reply: z.object({
    prediction: PredictionRow,
    rule: z.string(),
    sentences: z.object({ touch: z.string(), close: z.string() }),
    /** Removed from lists, charts and track records, and why; null when not withdrawn. */
    withdrawn: z.object({ at: z.string(), reason: z.string() }).nullable(),
    /** Its signed record; null while nothing is signed. */
    record: RecordSummary.nullable(),
    /** The series of revisions that it is part of. */
    goalposts: GoalpostsRow.nullable(),
    history: z.array(HistoryRow),
    /** Replies of the person, oldest first. */
    replies: z.array(PublicReply),
  }),
})

const ExpertRow = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  x_handle: z.string().nullable(),
  is_firm: z.boolean(),
  /** The person's firm; without an address if the firm has no call on record. */
  firm: z.object({ name: z.string(), slug: z.string().nullable() }).nullable(),
  /** People who speak for a firm, by name. */
  people: z.array(z.object({ name: z.string(), slug: z.string() })),
  predictions: z.int(),
})

export const oneExpert = get('/api/v1/experts/:slug', 'public', {
  open: true,
  summary: 'One person or firm with all their published predictions of all assets, newest first.',
  params: z.object({ slug: textIn('There is no expert at this address.') }),
  reply: z.object({
    expert: ExpertRow,
    predictions: z.array(PredictionRow),
    goalposts: z.array(GoalpostsRow),
    /** Replies to their page, oldest first. */
    replies: z.array(PublicReply),
  }),
})

export const assets = get('/api/v1/assets', 'public', {
  open: true,
  summary: 'The assets, the range of their prices and the number of their predictions.',
  reply: z.array(
    z.object({
      key: z.enum(ASSET_KEYS),
      symbol: z.string(),
      name: z.string(),
      route: z.string(),
      first_bar: date.nullable(),
      last_bar: date.nullable(),
      bars: z.int(),
      predictions: z.int(),
      sources: z.array(z.string()),
    }),
  ),
})

export const introMetrics = get('/api/intro/metrics', 'public', {
  callsAMinute: null,
  open: true,
  summary: 'Figures of the landing page: levels of pending Bitcoin predictions, USD.',
  reply: z.object({
    success: z.literal(true),
    data: z.object({
      totalPredictions: z.int(),
      averagePrediction: z.number(),
      predictionSpread: z.number(),
      medianPrediction: z.number(),
      lowestPrediction: z.number(),
      highestPrediction: z.number(),
    }),
  }),
})

/**
 * A prediction as it was at the end of a past day: with the verdicts of that day and levels in its units. What came
 * to the record later is left out: our summary, its sources, votes and odds, what it repeats, and when it was
 * recorded here.
 */
export const PastPredictionRow = PredictionRow.omit({
  created_at: true,
  quote: true,
  vote_score: true,
  repeats: true,
  source_url: true,
  sources: true,
  only_reposts: true,
  odds: true,
}).meta({ id: 'PastPrediction' })
export type PastPredictionRow = z.infer<typeof PastPredictionRow>

export const pastPrediction = get('/api/v1/predictions/:id/past', 'public', {
  summary: 'One prediction as of the end of a past day, without anything known only later.',
  params: PredictionParams,
  query: z.object({ day: CalendarDay, v: RecordVersion.optional() }),
  reply: PastPredictionRow,
})

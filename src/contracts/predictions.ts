import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { DATE_PRECISIONS } from '#domain/day.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { VERDICT_DIRECTIONS, VERDICT_REASONS } from '#domain/judging/verdict.ts'
import { NO_LUCK } from '#domain/scoring/odds.ts'
import { z } from 'zod'
import { textIn } from './address.ts'
import { RecordSummary } from './attestation.ts'
import { RecordVersion } from './record-version.ts'
import { defineRoute } from './route.ts'
import { ShownReply } from './shown-reply.ts'
import { SourceRow } from './source.ts'

const date = z.iso.date()
const usd = z.number()
const chance = z.number().min(0).max(1)
export const Precision = z.enum(DATE_PRECISIONS)
export const NoLuckSchema = z.enum(NO_LUCK)
export const OutcomeSchema = z.enum(['hit', 'miss', 'pending', 'void'])

/** Only while the day is not over: `close` is then the last price seen. */
const moving = z.literal(true).optional()

const DatedPrice = z.object({ date, usd, moving })

/** When it must be true, and the way the source says the price would move; null where it does not say. */
export const Terms = z.object({
  timing: z.enum(TIMINGS),
  direction: z.enum(DIRECTIONS).nullable(),
})
/** The same in what is sent: without a timing, that of the type. */
export const GivenTerms = z.object({
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
    /** Of a void that depends on the day it was said: two possible days, and what follows from each. */
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

/** What luck says of a prediction by one way of judging; see /methodology for the method. */
export const OddsRow = z
  .object({
    /** The chance of a hit when it was made; null where `no_luck` says why. */
    luck: chance.nullable(),
    no_luck: NoLuckSchema.nullable(),
    /** Volatility and drift of the logarithm a year, as known when it was made; null without luck. */
    sigma: z.number().nonnegative().nullable(),
    drift: z.number().nullable(),
    /** What is left of it, as of the last close; null unless it is open and its prices are known. */
    left: z
      .object({
        date,
        usd,
        /** By what share the price has to change, or may change: 0.38 is up by 38 %. */
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
    /** Levels as said, before any split since. */
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
    /** The address of the best source. */
    source_url: z.string().nullable(),
    /** Best first: by kind, then those with an archived copy, then by date; an address that was given alone stays first. */
    sources: z.array(SourceRow),
    /** True where there are sources, and all of them repeat what someone else published. */
    only_reposts: z.boolean(),
    vote_score: z.int(),
    created_at: z.string(),
    exclude_from_chart: z.boolean(),
    chart_value: usd.nullable(),
    /** How many of today's units one unit of that day is: 10 after a ten-for-one split. */
    split_factor: z.number().positive(),
    verdicts: z.object({ touch: VerdictRow, close: VerdictRow }),
    /** Left out where a statement is only being tried. */
    odds: z.object({ touch: OddsRow, close: OddsRow }).optional(),
  })
  .meta({ id: 'Prediction' })
export type PredictionRow = z.infer<typeof PredictionRow>

/** The same with additional names that the stock and token calls use. */
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

/** The most predictions that one page of a list has. */
export const MOST_LISTED = 500

const PartOfList = z.object({
  limit: z.coerce
    .number('Please give a number.')
    .int('Please give a whole number.')
    .min(1, 'Please ask for at least 1.')
    .max(MOST_LISTED, `Please ask for at most ${String(MOST_LISTED)} at once.`)
    .optional(),
  /** Where a page begins, as the link to it says. */
  cursor: z.string().max(400, 'Please take it from the link to the next page.').optional(),
  v: RecordVersion.optional(),
})

const list = {
  method: 'GET',
  access: 'public',
  open: true,
  summary:
    'All published predictions of the asset, newest first, with both verdicts. With `limit` a page of them; the header `Link` leads to the next one.',
  query: PartOfList,
} as const

export const btcPredictions = defineRoute({
  ...list,
  path: '/api/predictions',
  reply: PredictionList,
})
export const mstrPredictions = defineRoute({
  ...list,
  path: '/api/mstr/predictions',
  reply: PredictionEnvelope,
})
const nakaPredictions = defineRoute({
  ...list,
  path: '/api/naka/predictions',
  reply: PredictionEnvelope,
})

/** The call for the predictions of an asset. */
export const predictionsOf: Readonly<
  Record<AssetKey, typeof btcPredictions | typeof mstrPredictions>
> = { btc: btcPredictions, mstr: mstrPredictions, naka: nakaPredictions }

/** One event in the history of a prediction, newest last. */
export const HistoryRow = z.object({
  at: z.string(),
  kind: z.enum([
    'published',
    'judged',
    'changed',
    'overridden',
    'edited',
    'frozen',
    'thawed',
    'withdrawn',
    'restored',
  ]),
  /** What happened, in a sentence. */
  text: z.string(),
  verdict: VerdictRow.nullable(),
})
export type HistoryRow = z.infer<typeof HistoryRow>

/** What is known of a call as a revision of another one: the rule alone suggests it until a person confirms or cuts it. */
export const GoalpostState = z.enum(['suggested', 'confirmed', 'cut'])

/** One thesis of one person that was said again with later deadlines, before its level was reached. See docs/decisions. */
export const GoalpostsRow = z
  .object({
    /** From the first deadline to the last. */
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
        /** By intraday prices. */
        outcome: OutcomeSchema,
        /** Why it counts as a revision of the call before it; null for the first one. */
        link: GoalpostState.exclude(['cut']).nullable(),
      }),
    ),
  })
  .meta({ id: 'Goalposts' })
export type GoalpostsRow = z.infer<typeof GoalpostsRow>

export const onePrediction = defineRoute({
  method: 'GET',
  path: '/api/v1/predictions/:id',
  access: 'public',
  open: true,
  summary: 'One prediction with its verdicts, their evidence, its history and its revisions.',
  params: z.object({ id: textIn('There is no prediction at this address.') }),
  reply: z.object({
    prediction: PredictionRow,
    /** The rule that judges it, in words. */
    rule: z.string(),
    sentences: z.object({ touch: z.string(), close: z.string() }),
    /** Removed from lists, charts and track records, and why; null when not withdrawn. */
    withdrawn: z.object({ at: z.string(), reason: z.string() }).nullable(),
    /** Its signed record; null while nothing is signed. */
    record: RecordSummary.nullable(),
    /** The revisions that it is one of; null when there are none. */
    goalposts: GoalpostsRow.nullable(),
    history: z.array(HistoryRow),
    /** What the person answered, oldest first. */
    replies: z.array(ShownReply),
  }),
})

const ExpertRow = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  x_handle: z.string().nullable(),
  is_firm: z.boolean(),
  predictions: z.int(),
})

export const oneExpert = defineRoute({
  method: 'GET',
  path: '/api/v1/experts/:slug',
  access: 'public',
  open: true,
  summary: 'One person or firm with all their published predictions of all assets, newest first.',
  params: z.object({ slug: textIn('There is no expert at this address.') }),
  reply: z.object({
    expert: ExpertRow,
    predictions: z.array(PredictionRow),
    /** Their revisions, the longest delay first. */
    goalposts: z.array(GoalpostsRow),
    /** What they answered to the page about them, oldest first. */
    replies: z.array(ShownReply),
  }),
})

export const assets = defineRoute({
  method: 'GET',
  path: '/api/v1/assets',
  access: 'public',
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

export const introMetrics = defineRoute({
  method: 'GET',
  path: '/api/intro/metrics',
  access: 'public',
  open: true,
  summary: 'Figures of the landing page; levels in USD over pending Bitcoin predictions.',
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

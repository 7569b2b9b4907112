import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { VERDICT_DIRECTIONS } from '#domain/judging/verdict.ts'
import { BANDS } from '#domain/scoring/call-filter.ts'
import { CalendarDay } from './fields.ts'
import { NoLuckSchema, OutcomeSchema } from './predictions.ts'
import { get } from './route.ts'

const date = z.iso.date()
const chance = z.number().min(0).max(1)
const count = z.number().nonnegative()
const Mode = z.enum(['touch', 'close'])
const Direction = z.enum(VERDICT_DIRECTIONS)

/** Ended calls without repeats. The 95% Wilson interval is null without calls. */
const TimeIsUp = z.object({
  hits: z.int(),
  n: z.int(),
  low: chance.nullable(),
  high: chance.nullable(),
})

const Decided = z.object({ calls: z.int(), hits: z.int(), expected: count })

const Tally = z.object({
  time_is_up: TimeIsUp,
  calls: z.int(),
  observed: z.int(),
  expected: count,
})

/** Scores of a person; shares and chances are 0 to 1. See /methodology. */
const Figures = z.object({
  slug: z.string(),
  name: z.string(),
  /** Whether they differ from luck; null with fewer than five ended calls. */
  band: z.enum(BANDS).nullable(),
  time_is_up: TimeIsUp,
  decided: Decided,
  /** Calls dated only to a month or year; the minimum and maximum that luck expects of all. */
  undated: z.object({ calls: z.int(), low: count, high: count }),
  against_luck: z.object({
    calls: z.int(),
    observed: z.int(),
    expected: count,
    variance: count,
    excess: z.number(),
    /** The excess in standard deviations; null without calls. */
    z: z.number().nullable(),
  }),
  /** Odds relative to luck; `mean`, `low` (5%) and `high` (95%) are logarithms, `odds` is e^mean. */
  skill: z
    .object({
      mean: z.number(),
      low: z.number(),
      high: z.number(),
      odds: z.number().positive(),
      positive: chance,
    })
    .nullable(),
  /** The rate of `time_is_up`, shrunk towards that of all people, with its 90% interval. */
  shrunk: z.object({ mean: chance, low: chance, high: chance }).nullable(),
  /** Calls whose window has not ended; `hits` came true already. */
  open: Decided,
  boldness: chance.nullable(),
  median_days_to_hit: z.int().nullable(),
  /** Result of betting 100 sats per call at luck's odds. */
  sats: count.nullable(),
  /** Chance that luck does as well on the decided calls in the replayed histories; null without a band. */
  replayed: chance.nullable(),
  recorded: z.object({ before: Tally, after: Tally }),
  last_call: date.nullable(),
})

export const ScoredCallRow = z
  .object({
    id: z.string(),
    asset_type: z.enum(ASSET_KEYS),
    /** `Target`, `Top`, `Bottom`, `Price by` or `Range`. */
    label: z.string(),
    /** `Never above $150,000`, in today's units. */
    text: z.string(),
    /** USD, adjusted for splits; `level_max` differs for ranges only. */
    level_min: z.number(),
    level_max: z.number(),
    direction: Direction,
    made: date,
    window_from: date,
    deadline: date,
    /** The price when it was made, USD. */
    reference: z.number().positive().nullable(),
    outcome: OutcomeSchema,
    /** The day that decided it; null while pending. */
    decided: date.nullable(),
    /** The id of the first statement of the same thesis; then this call is not scored. */
    repeats: z.string().nullable(),
    /** Annual volatility and drift of the logarithm, as known when it was made; null if unknown. */
    sigma: z.number().nonnegative().nullable(),
    drift: z.number().nullable(),
    /** The price is seen only once a day: by closes, or without known highs and lows. */
    seen_once: z.boolean(),
    /** The chance of a hit in the whole window when it was made; null with the reason in `no_luck`. */
    luck: chance.nullable(),
    no_luck: NoLuckSchema.nullable(),
    no_luck_text: z.string().nullable(),
    /** 1 if it came true by the as-of day or its deadline, whichever is earlier; null if not comparable yet. */
    observed: z.union([z.literal(0), z.literal(1)]).nullable(),
    expected: chance.nullable(),
    time_is_up: z.boolean(),
    /** The same from the day it was recorded here, of a call that was open then; null for one looked up afterwards. */
    since_recorded: z
      .object({
        made: date,
        direction: Direction,
        outcome: OutcomeSchema,
        decided: date.nullable(),
        luck: chance.nullable(),
        no_luck: NoLuckSchema.nullable(),
        observed: z.union([z.literal(0), z.literal(1)]).nullable(),
        expected: chance.nullable(),
        time_is_up: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'ScoredCall' })
export type ScoredCallRow = z.infer<typeof ScoredCallRow>

export const PersonScoreRow = Figures.extend({
  calls: z.array(ScoredCallRow),
}).meta({ id: 'PersonScore' })
export type PersonScoreRow = z.infer<typeof PersonScoreRow>

/** All ended calls with luck; `asset_type` is null for all assets together. */
const TotalsRow = z.object({
  asset_type: z.enum(ASSET_KEYS).nullable(),
  /** All ended calls, including those without luck. */
  time_is_up: z.int(),
  ...Decided.shape,
  /** Range of hits in 90% of the replays; null without replays. */
  margin: z.object({ low: z.int(), high: z.int() }).nullable(),
  /** Ten, by luck: from `from` to below `from` + 0.1. */
  bins: z.array(z.object({ from: chance, ...Decided.shape })),
  /** `180 calls are decided. 55 came true. Luck expects 58; nine of ten replays lie between 35 and 80.` */
  sentence: z.string(),
})

/** The ended calls with luck of one asset that were due in one year. */
const YearRow = z.object({
  asset_type: z.enum(ASSET_KEYS),
  year: z.int(),
  ...Decided.shape,
  /** The chance that luck does as well in the replayed histories; null below five calls, or without histories. */
  replayed: chance.nullable(),
})

const PlaceboRow = z.object({
  asset_type: z.enum(ASSET_KEYS).nullable(),
  /** Days. */
  horizon: z.int(),
  direction: z.enum(['up', 'down']).nullable(),
  calls: z.int(),
  expected: chance,
  happened: chance,
})

/** Everybody's scores as of a day. The same figures are printed by `npm run cli -- score --json`. */
export const ScoresReply = z
  .object({
    as_of: date,
    mode: Mode,
    rule: z.int(),
    inputs: z.object({ digest: z.string(), seed: z.string(), histories: z.int() }),
    /** The last complete day of prices of each asset that was called; null while none is known. */
    prices_through: z.partialRecord(z.enum(ASSET_KEYS), date.nullable()),
    notes: z.array(z.string()),
    finding: z.string(),
    /** By band, then those with more decided calls, then by name. */
    people: z.array(PersonScoreRow),
    /** Guessing callers, on the same days. */
    yardsticks: z.array(Figures),
    totals: z.array(TotalsRow),
    /** The years in which decided calls were due, newest first. */
    years: z.array(YearRow),
    has_recorded_before: z.boolean(),
    /** Which calls were collected after they were made, in a sentence; null if there are none. */
    selection: z.string().nullable(),
    luck_test: z.object({
      calls: z.int(),
      rows: z.array(PlaceboRow),
      /** All assets and directions together; `holds` if expected and actual rates are close. */
      horizons: z.array(PlaceboRow.extend({ holds: z.boolean() })),
    }),
  })
  .meta({ id: 'Scores' })
export type ScoresReply = z.infer<typeof ScoresReply>

export const scores = get('/api/v1/scores', 'public', {
  open: true,
  summary:
    'People’s calls compared with luck, as of any day since the first call, with what was known then.',
  query: z.object({
    mode: Mode.default('touch'),
    /** Today without it (UTC). */
    as_of: CalendarDay.optional(),
  }),
  reply: ScoresReply,
})

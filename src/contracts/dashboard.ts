import { ASSET_KEYS } from '#domain/asset.ts'
import { MORE_CARDS, MOST_PEOPLE, MOST_TARGETS } from '#domain/listing/part.ts'
import { CLAIM_KINDS, HISTORY_COLUMNS, OUTCOMES } from '#domain/listing/history-view.ts'
import { showCount } from '#domain/price-text.ts'
import { STATUS_FILTERS } from '#domain/listing/selection.ts'
import { z } from 'zod'
import { CalendarDay } from './calendar-day.ts'
import { PredictionRow, VerdictRow } from './predictions.ts'
import { RecordVersion } from './record-version.ts'
import { defineRoute } from './route.ts'

const year = (what: string) =>
  z
    .string()
    .regex(/^[12]\d{3}$/, `Please give the year in which predictions ${what}, such as 2024.`)
const text = z.string().max(200, 'Please search for at most 200 characters.')
/** A past day: the record as it was at its end. */
const PastDay = CalendarDay.optional()
const listed = (values: readonly string[]): string => values.join(', ')

/** Who and what: the parameters that a dashboard has in its own address, too. */
const Narrowed = z.object({
  /** Those that count under it; a void prediction is listed under `all`, but counted in nothing. */
  status: z.enum(STATUS_FILTERS, `Please give one of ${listed(STATUS_FILTERS)}.`).optional(),
  /** The chosen experts by slug, between commas. */
  experts: z.string().max(2_000, 'Please choose fewer experts at once.').optional(),
  /** What is searched for: words, prices and dates, all of which have to fit. */
  q: text.optional(),
  /** How it is judged. */
  judge: z.enum(['touch', 'close'], 'Please give touch or close.').optional(),
})

const Chosen = Narrowed.extend({
  /** What is drawn: a status, `none`, or ids between commas; after a status ids that join, and with a `-` ids that do not. */
  on: z.string().max(8_000, 'Please choose fewer predictions at once.').optional(),
  /** The table: the column that it is sorted by, with a `-` the other way round. */
  hsort: z
    .string()
    .regex(
      new RegExp(`^-?(?:${HISTORY_COLUMNS.join('|')})$`),
      `Please give one of ${listed(HISTORY_COLUMNS)}, with a - for the other way round.`,
    )
    .optional(),
  hstatus: z.enum(OUTCOMES, `Please give one of ${listed(OUTCOMES)}.`).optional(),
  hkind: z.enum(CLAIM_KINDS, `Please give one of ${listed(CLAIM_KINDS)}.`).optional(),
  hmade: year('were made').optional(),
  hdue: year('are due').optional(),
  /** A part of an expert’s name. */
  hq: text.optional(),
  hby: z.literal('year', 'Please give year, or nothing.').optional(),
  /** Not the first rows of the page alone. */
  hall: z.literal('1', 'Please give 1, or nothing.').optional(),
  hpage: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'Please give the number of a page, from 1 to 99999.')
    .optional(),
  /** The first and the last day in view of the chart, whose predictions are drawn first where not all can be. */
  first_day: CalendarDay.optional(),
  last_day: CalendarDay.optional(),
  day: PastDay,
  v: RecordVersion.optional(),
})

const count = z.int().nonnegative()
const Counts = z.object({ all: count, pending: count, success: count, miss: count })

/** A prediction as a card, a mark or a row shows it; the call for one prediction has the rest. */
export const ListedRow = PredictionRow.pick({
  id: true,
  price_target: true,
  price_min: true,
  price_max: true,
  timing: true,
  direction: true,
  prediction_type: true,
  target_time: true,
  start_date: true,
  prediction_made: true,
  made_precision: true,
  target_precision: true,
  deadline_assumed: true,
  exclude_from_chart: true,
  chart_value: true,
  split_factor: true,
})
  .extend({
    influencer: PredictionRow.shape.influencer.pick({ name: true, slug: true, x_handle: true }),
    /** Where its best source is: `coindesk.com`. */
    source: z.string().nullable(),
    verdicts: z.object({ touch: ListedVerdict(), close: ListedVerdict() }),
  })
  .meta({ id: 'ListedPrediction' })
export type ListedRow = z.infer<typeof ListedRow>

/** A verdict without its evidence. */
function ListedVerdict() {
  return VerdictRow.pick({
    outcome: true,
    reason: true,
    date: true,
    level_min: true,
    level_max: true,
    direction: true,
  }).extend({
    /** The close that decided, USD; null where none did. */
    close: z.number().nullable(),
    /** The verdict with its reason, in words. */
    sentence: z.string(),
    /** What luck says, in words. */
    odds: z.array(z.string()),
  })
}

/** Some of many, as places in `rows`. */
const Some = z.object({
  /** How many there are. */
  total: count,
  /** The first of them. */
  rows: z.array(count),
})

const PersonOption = z.object({
  slug: z.string(),
  name: z.string(),
  /** How many of the asset are theirs. */
  predictions: count,
})

/** What a dashboard shows of a record: exactly what all of it would show. */
export const DashboardPart = z
  .object({
    /** The parameters that this answers, in their order. */
    question: z.string(),
    /** Of the record. */
    version: z.string(),
    /** All predictions of the asset. */
    total: count,
    /** When the first one was made; null without any. */
    first: z.iso.date().nullable(),
    /** The closes of the asset, which the call for them gives under this version. */
    prices: z.object({
      version: z.string(),
      /** Null without prices. */
      first: z.iso.date().nullable(),
      last: z.object({ date: z.iso.date(), usd: z.number() }).nullable(),
    }),
    /** Each prediction that is in any of the lists below, once. */
    rows: z.array(ListedRow),
    /** What each status holds of those that were searched for, by each way of judging. */
    counts: z.object({ touch: Counts, close: Counts }),
    /** The same of all predictions of the asset. */
    totals: z.object({ touch: Counts, close: Counts }),
    /** The chosen experts. */
    chosen: z.array(PersonOption),
    /** The list beside the chart, newest first. */
    listed: Some,
    /** What is drawn, most supported first, then newest first; at most 300. */
    drawn: Some,
    /** One page of the table of all predictions. */
    history: z.object({
      /** On all pages. */
      total: count,
      /** The first ones of the page; all of them with `hall`. */
      rows: z.array(
        z.object({
          /** Its place in `rows`. */
          at: count,
          /** The close of the day it was made, USD in the units of that day. */
          price: z.number().nullable(),
          /** How far the level was from the close of the deadline, or is from the last close. */
          error: z.number().nullable(),
          /** The deadline has not passed. */
          so_far: z.boolean(),
          /** The chance of a hit when it was made. */
          luck: z.number().nullable(),
        }),
      ),
      page: count,
      has_luck: z.boolean(),
      /** The years that can be chosen, newest first. */
      made: z.array(z.int()),
      due: z.array(z.int()),
      /** The predictions of all pages by the year in which they were made; only with `hby`. */
      years: z.array(
        z.object({
          year: z.int(),
          calls: count,
          decided: count,
          hits: count,
          error: z.number().nullable(),
        }),
      ),
    }),
  })
  .meta({ id: 'DashboardPart' })
export type DashboardPart = z.infer<typeof DashboardPart>

const params = z.object({ asset: z.enum(ASSET_KEYS) })

export const dashboardPart = defineRoute({
  method: 'GET',
  path: '/api/v1/assets/:asset/dashboard',
  access: 'public',
  summary:
    'What the dashboard of an asset shows for what a visitor chose: counts, the first of the list, what is drawn, and one page of the table. It takes the parameters of the dashboard’s own address.',
  params,
  query: Chosen,
  reply: DashboardPart,
})

export const closes = defineRoute({
  method: 'GET',
  path: '/api/v1/assets/:asset/closes',
  access: 'public',
  summary:
    'The daily closes of an asset, packed; under the version that the dashboard names the answer never changes.',
  params,
  query: z.object({
    version: z.string().max(64, 'Please take it from the dashboard.').optional(),
    /** The closes that were known at the end of this day, in its units. */
    day: PastDay,
  }),
  /** The first day since 1970, the steps to each next day, and a close in USD for each. */
  reply: z.object({
    first: z.int(),
    steps: z.array(z.int()),
    closes: z.array(z.number()),
  }),
})

export const listedCalls = defineRoute({
  method: 'GET',
  path: '/api/v1/assets/:asset/calls',
  access: 'public',
  summary: `The list beside the chart of an asset, newest first, ${String(MORE_CARDS)} at a time.`,
  params,
  query: Narrowed.extend({
    /** How many to pass over. */
    skip: z.coerce
      .number('Please give a number.')
      .int('Please give a whole number.')
      .min(0, 'Please give at least 0.')
      .max(10_000_000, 'Please give less.')
      .optional(),
    day: PastDay,
    v: RecordVersion.optional(),
  }),
  reply: z.object({ total: count, rows: z.array(ListedRow) }),
})

export const targets = defineRoute({
  method: 'GET',
  path: '/api/v1/assets/:asset/targets',
  access: 'public',
  summary: `Where the open predictions of an asset aim: those with the most votes, then the newest, at most ${showCount(MOST_TARGETS)}.`,
  params,
  query: z.object({ judge: Narrowed.shape.judge, day: PastDay, v: RecordVersion.optional() }),
  reply: z.object({
    /** How many aim at a price. */
    total: count,
    /** How many are tops and bottoms, which are limits and not targets. */
    limits: count,
    names: z.array(z.string()),
    /**
     * Of each: the first and the last day that it aims at, as days since 1970; the lowest and the highest price, USD; sats that
     * support it; and the place of its person in `names`.
     */
    targets: z.array(z.tuple([z.int(), z.int(), z.number(), z.number(), count, count])),
  }),
})

export const people = defineRoute({
  method: 'GET',
  path: '/api/v1/assets/:asset/people',
  access: 'public',
  summary: `Who has predictions of an asset: those with the most, at most ${String(MOST_PEOPLE)}.`,
  params,
  query: z.object({
    /** A part of their name. */
    q: text.optional(),
    day: PastDay,
    v: RecordVersion.optional(),
  }),
  reply: z.object({
    /** How many there are with such a name. */
    total: count,
    people: z.array(PersonOption),
  }),
})

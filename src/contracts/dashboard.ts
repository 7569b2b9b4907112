import { ASSET_KEYS } from '#domain/asset.ts'
import { MORE_CARDS, MOST_PEOPLE, MOST_TARGETS } from '#domain/listing/part.ts'
import { CLAIM_KINDS, HISTORY_COLUMNS, OUTCOMES } from '#domain/listing/history-view.ts'
import { showCount } from '#domain/price-text.ts'
import { STATUS_FILTERS } from '#domain/listing/selection.ts'
import { z } from 'zod'
import { CalendarDay } from './calendar-day.ts'
import { PredictionRow } from './predictions.ts'
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
/** Places in `rows`. */
const Places = z.array(count)
const Some = z.object({
  /** How many there are. */
  total: count,
  /** The first of them. */
  rows: Places,
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
    /** Each prediction that is in any of the lists below, once. */
    rows: z.array(PredictionRow),
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
    history: Some.extend({
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
  reply: z.object({ total: count, rows: z.array(PredictionRow) }),
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

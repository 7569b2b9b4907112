import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { OUTCOMES } from '#domain/judging/verdict.ts'
import { CLAIM_KINDS, HISTORY_COLUMNS } from '#domain/listing/history-view.ts'
import { MORE_CARDS, MOST_PEOPLE, MOST_TARGETS } from '#domain/listing/part.ts'
import { STATUS_FILTERS } from '#domain/listing/selection.ts'
import { showCount } from '#domain/price-text.ts'
import { CalendarDay, RecordVersion, Packed } from './fields.ts'
import { ListCursor, PredictionRow, VerdictRow } from './predictions.ts'
import { get } from './route.ts'

const year = (what: string) =>
  z
    .string()
    .regex(/^[12]\d{3}$/, `Please give the year in which predictions ${what}, such as 2024.`)
const text = z.string().max(200, 'Please search for at most 200 characters.')
const PastDay = CalendarDay.optional()
const listed = (values: readonly string[]): string => values.join(', ')

const Narrowed = z.object({
  /** Status filter; void predictions are listed under `all`, but never counted. */
  status: z.enum(STATUS_FILTERS, `Please give one of ${listed(STATUS_FILTERS)}.`).optional(),
  experts: z.string().max(2_000, 'Please choose fewer experts at once.').optional(),
  q: text.optional(),
  judge: z.enum(['touch', 'close'], 'Please give touch or close.').optional(),
})

const Chosen = Narrowed.extend({
  /** Drawn predictions: a status, `none`, or comma-separated ids; after a status, added ids, and removed ones with `-`. */
  on: z.string().max(8_000, 'Please choose fewer predictions at once.').optional(),
  /** Sort column of the table; reversed with `-`. */
  hsort: z
    .string()
    .regex(
      new RegExp(`^-?(?:${HISTORY_COLUMNS.join('|')})$`),
      `Please give one of ${listed(HISTORY_COLUMNS)}, with a - for the reverse order.`,
    )
    .optional(),
  hstatus: z.enum(OUTCOMES, `Please give one of ${listed(OUTCOMES)}.`).optional(),
  hkind: z.enum(CLAIM_KINDS, `Please give one of ${listed(CLAIM_KINDS)}.`).optional(),
  hmade: year('were made').optional(),
  hdue: year('are due').optional(),
  hq: text.optional(),
  hby: z.literal('year', 'Please give “year”, or leave it out.').optional(),
  hall: z.literal('1', 'Please give 1, or leave it out.').optional(),
  hpage: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'Please give the number of a page, from 1 to 99999.')
    .optional(),
  /** Visible days of the chart; their predictions are drawn first if there are too many. */
  first_day: CalendarDay.optional(),
  last_day: CalendarDay.optional(),
  day: PastDay,
  v: RecordVersion.optional(),
})

const count = z.int().nonnegative()
const Counts = z.object({ all: count, pending: count, success: count, miss: count })

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
    /** The deciding close, USD. */
    close: z.number().nullable(),
    sentence: z.string(),
    line: z.string(),
  })
}

/** A subset, as indexes into `rows`. */
const Some = z.object({ total: count, rows: z.array(count) })

const PersonOption = z.object({ slug: z.string(), name: z.string(), predictions: count })

export const DashboardPart = z
  .object({
    question: z.string(),
    version: z.string(),
    total: count,
    /** The day of the earliest prediction. */
    first: z.iso.date().nullable(),
    prices: z.object({
      version: z.string(),
      /** Null without prices. */
      first: z.iso.date().nullable(),
      last: z.object({ date: z.iso.date(), usd: z.number() }).nullable(),
    }),
    /** The predictions in the lists below, each once. */
    rows: z.array(ListedRow),
    counts: z.object({ touch: Counts, close: Counts }),
    totals: z.object({ touch: Counts, close: Counts }),
    chosen: z.array(PersonOption),
    /** Cards beside the chart, newest first, and the cursor of further ones. */
    listed: Some.extend({ next: z.string().nullable() }),
    /** Drawn predictions, most supported first, then newest; at most `MOST_DRAWN`. */
    drawn: Some,
    history: z.object({
      total: count,
      /** The first rows of the page; all with `hall`. */
      rows: z.array(
        z.object({
          /** Its place in `rows`. */
          at: count,
          /** Close of the day it was made, USD in that day's units. */
          price: z.number().nullable(),
          error: z.number().nullable(),
          /** The deadline has not passed. */
          so_far: z.boolean(),
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

export const dashboardPart = get('/api/v1/assets/:asset/dashboard', 'public', {
  summary:
    'The data of an asset’s dashboard for a selection: counts, the first cards, the predictions drawn, and one page of the table. Takes the same parameters as the dashboard’s address.',
  params,
  query: Chosen,
  reply: DashboardPart,
})

export const closes = get('/api/v1/assets/:asset/closes', 'public', {
  summary:
    'The daily closes of an asset, packed; for the version that the dashboard names, the response never changes.',
  params,
  query: z.object({
    version: z.string().max(64, 'Please take it from the dashboard.').optional(),
    /** Returns the closes known at the end of this day, in its units. */
    day: PastDay,
  }),
  reply: Packed,
})

export const listedCalls = get('/api/v1/assets/:asset/calls', 'public', {
  summary: `The cards of an asset, newest first, ${String(MORE_CARDS)} at a time.`,
  params,
  // Strict: the former `skip` parameter is rejected instead of always returning the first page.
  query: z.strictObject({
    ...Narrowed.shape,
    /** `next` of the previous page. */
    cursor: ListCursor.optional(),
    day: PastDay,
    v: RecordVersion.optional(),
  }),
  reply: z.object({ total: count, rows: z.array(ListedRow), next: z.string().nullable() }),
})

export const targets = get('/api/v1/assets/:asset/targets', 'public', {
  summary: `The targets of an asset’s open predictions: those with the most votes, then the newest, at most ${showCount(MOST_TARGETS)}.`,
  params,
  query: z.object({ judge: Narrowed.shape.judge, day: PastDay, v: RecordVersion.optional() }),
  reply: z.object({
    total: count,
    /** How many are tops and bottoms, which are limits and not targets. */
    limits: count,
    names: z.array(z.string()),
    /**
     * For each: the first and last day it aims at, as days since 1970; its lowest and highest price, USD; its sats; and
     * the index of its person in `names`.
     */
    targets: z.array(z.tuple([z.int(), z.int(), z.number(), z.number(), count, count])),
  }),
})

export const people = get('/api/v1/assets/:asset/people', 'public', {
  summary: `People with predictions of an asset, those with the most first, at most ${String(MOST_PEOPLE)}.`,
  params,
  query: z.object({ q: text.optional(), day: PastDay, v: RecordVersion.optional() }),
  reply: z.object({ total: count, people: z.array(PersonOption) }),
})

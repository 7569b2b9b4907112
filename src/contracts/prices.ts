import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { day, isoDay, readDay } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { JUDGE_MODES, OUTCOMES } from '#domain/judging/verdict.ts'
import { CalendarDay, PredictionParams } from './fields.ts'
import { get } from './route.ts'

const Asset = z.enum(ASSET_KEYS)

/** The close of a day: `date` as 2024-08-08, USD. */
const PricePoint = z.object({ date: z.iso.date(), close: z.number().positive() })
type PricePoint = z.infer<typeof PricePoint>

export const PriceList = z.array(PricePoint).meta({ id: 'PriceList' })
export const PriceEnvelope = z.object({ success: z.literal(true), data: PriceList })

const list = { callsAMinute: null, summary: 'Daily closes, oldest first.' }

export const btcPrices = get('/api/prices', 'public', { ...list, reply: PriceList })
export const rootPrices = get('/prices', 'public', { ...list, reply: PriceList })
export const mstrPrices = get('/api/mstr/prices', 'public', { ...list, reply: PriceEnvelope })
export const nakaPrices = get('/api/naka/prices', 'public', { ...list, reply: PriceEnvelope })

export const livePrice = get('/live-price', 'public', {
  summary: 'The last known Bitcoin price in USD; null if none is known.',
  query: z.object({ asset: Asset.default('btc') }),
  reply: z.object({
    price: z.number().positive().nullable(),
    date: z.iso.date().nullable(),
    source: z.string().nullable(),
    /** When a live price last arrived; null for a close. */
    at: z.iso.datetime().nullable(),
  }),
})

/** Maximum days per call: two years and a little more. */
const MOST_DAYS = 800

const Query = z
  .object({
    from: CalendarDay,
    to: CalendarDay,
    /** A past day: nothing later is sent, and prices are in the units of that day. */
    as_of: CalendarDay.optional(),
  })
  .refine((days) => lengthOf(days) > 0, {
    path: ['to'],
    error: 'Please give a last day that is not before the first.',
  })
  .refine((days) => lengthOf(days) <= MOST_DAYS, {
    path: ['to'],
    error: `Please ask for at most ${String(MOST_DAYS)} days at once.`,
  })

/** How many days, both ends included. */
function lengthOf({ from, to }: { readonly from: string; readonly to: string }): number {
  return (readDay(to) ?? NaN) - (readDay(from) ?? NaN) + 1
}

/** USD, adjusted for splits up to today or the as-of day. The open may be unknown where high and low are known. */
const RangedDay = z.object({
  date: z.iso.date(),
  open: z.number().positive().nullable(),
  high: z.number().positive(),
  low: z.number().positive(),
  close: z.number().positive(),
})

export const ranges = get('/api/v1/ranges/:asset', 'public', {
  summary:
    'Open, high, low and close of each day, oldest first, at most 800 days at once. Omits days whose close alone is known.',
  params: z.object({ asset: z.enum(ASSET_KEYS) }),
  query: Query,
  reply: z.array(RangedDay),
})

const usd = z.number()

/**
 * One day, USD, adjusted for splits, as the sources agree on it; `open`, `high` and `low` are null if only the close
 * is known.
 */
const JudgedBar = z.object({
  date: z.iso.date(),
  open: usd.nullable(),
  high: usd.nullable(),
  low: usd.nullable(),
  close: usd,
  source: z.string(),
  lone_high: usd.optional(),
  lone_low: usd.optional(),
  /** The day is not over. */
  moving: z.literal(true).exactOptional(),
  unconfirmed: z.literal(true).exactOptional(),
})

export const judgedBars = get('/api/v1/predictions/:id/bars', 'public', {
  callsAMinute: 60,
  summary:
    'The daily bars that judge one prediction, oldest first: from the last close before it counts to its last day. For checking its verdict, not for passing on: see the terms of the price sources.',
  params: PredictionParams,
  reply: z.object({
    asset: z.enum(ASSET_KEYS),
    /** The last day up to which every bar is final; null without any. */
    final_through: z.iso.date().nullable(),
    bars: z.array(JudgedBar),
  }),
})

type JudgedBar = z.infer<typeof JudgedBar>

export function judgedBarRow({ day: of, loneHigh, loneLow, ...prices }: AgreedBar): JudgedBar {
  return {
    date: isoDay(of),
    ...prices,
    ...(loneHigh !== null && { lone_high: loneHigh }),
    ...(loneLow !== null && { lone_low: loneLow }),
  }
}

export function barOfJudgedRow(row: JudgedBar): AgreedBar {
  const { date, lone_high: loneHigh = null, lone_low: loneLow = null, ...prices } = row
  return { day: day(date), ...prices, loneHigh, loneLow }
}

const moment = z.iso.datetime().nullable()

/** A price jump; `before` and `after` in US dollars. */
export const Jump = z.object({
  asset: Asset,
  date: z.iso.date(),
  sources: z.string(),
  before_date: z.iso.date(),
  before: z.number(),
  after: z.number(),
})

export const status = get('/api/v1/status', 'public', {
  open: true,
  summary: 'The age and sources of the prices, and failing sources.',
  reply: z.object({
    now: z.iso.datetime(),
    prices: z.boolean(),
    /** Whether this process, not another one, is connected to the venues; null if prices are off. */
    leader: z.boolean().nullable(),
    assets: z.array(
      z.object({
        asset: Asset,
        last_bar: z.iso.date().nullable(),
        expected_bar: z.iso.date(),
        live: z
          .object({
            price: z.number(),
            at: z.iso.datetime(),
            source: z.string(),
            is_old: z.boolean(),
          })
          .nullable(),
      }),
    ),
    sources: z.array(
      z.object({
        asset: Asset,
        source: z.string(),
        title: z.string(),
        kind: z.enum(['daily', 'live']),
        official: z.boolean(),
        state: z.enum(['ok', 'failing', 'not-asked']),
        last_success: moment,
        last_error: z.string().nullable(),
        last_error_at: moment,
        failures: z.int(),
        last_bar: z.iso.date().nullable(),
        next_run: moment,
      }),
    ),
    /** Price jumps withheld until an administrator explains them. */
    questions: z.array(Jump),
  }),
})

export const LiveQuery = z.object({ asset: Asset.default('btc') })

const MOST_RECEIPTS = 5

export const LiveEventsQuery = z.object({
  /** Asset of the prices; `none` for no prices. */
  asset: z.enum([...ASSET_KEYS, 'none']).default('btc'),
  /** Receipt tokens to follow; repeatable. Unknown ones are ignored. */
  receipt: z
    .union([z.string(), z.array(z.string()).max(MOST_RECEIPTS)])
    .default([])
    .transform((value) => [value].flat()),
  /** The last event received, for clients that cannot send `Last-Event-ID`. */
  after: z.string().optional(),
})

/**
 * One message of the price socket, JSON. The last known price comes at once, then each change, and the same price again
 * at least every `LIVE_REPEAT_MS`: a price whose `at` does not advance is old.
 */
export const PriceMessage = z.object({
  /** USD */
  price: z.number().positive(),
  asset: Asset,
  /**
   * When it was traded by the venue's clock, or else when we received it; milliseconds since 1970, never ahead of our
   * clock. A venue that is connected but silent keeps the time of its last price.
   */
  at: z.number(),
  /** The venue, as recorded with bars: `kraken`. */
  source: z.string(),
})
export type PriceMessage = z.infer<typeof PriceMessage>

/**
 * As sent over the socket: `now` is the server's clock at that moment, so that a page can compute the age by any
 * clock.
 */
export const SentPrice = PriceMessage.extend({ now: z.number() })
export type SentPrice = z.infer<typeof SentPrice>

/**
 * Events of the stream, by name, with JSON data. `price` is a `SentPrice` of the asset: the last known one at once,
 * then each change. `verdict` and `prediction` describe the changes between two record versions; the last one has
 * the new version as its `id`. A stream opened with `Last-Event-ID` or `after` first sends what has changed since
 * that version, in any process; if that is unknown, it sends `reset` with data 1: reload the lists. After catching
 * up, and at least every `LIVE_REPEAT_MS`, it sends `alive` with data 1, so that both ends notice a broken
 * connection; the first one also has the version as its `id`. Lists requested with a version as `v` are at least
 * that recent.
 */

export const VerdictMessage = z.object({
  id: z.string(),
  asset: Asset,
  mode: z.enum(JUDGE_MODES),
  outcome: z.enum(OUTCOMES),
})
export type VerdictMessage = z.infer<typeof VerdictMessage>

/**
 * A prediction of any asset that has just been published, corrected, withdrawn or restored: read it again. Of many
 * at once only the first hundred are sent.
 */
export const PredictionMessage = z.object({ id: z.string(), asset: Asset, expert: z.string() })
export type PredictionMessage = z.infer<typeof PredictionMessage>

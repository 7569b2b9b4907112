import { z } from 'zod'
import { addDays, day, dayOfTime, isoDay, timeOfDay } from '#domain/day.ts'
import { SourceError } from '#server/kit/failure.ts'
import { candle, dated, midnight, Price, seconds, source, type Prices } from './daily-bars.ts'

const YahooPrices = z.array(z.number().nullable()).optional()

/** Adjusted for splits; no key, and unofficial. */
export const yahoo = source({
  is: {
    name: 'yahoo',
    title: 'Yahoo (unofficial)',
    asset: 'mstr',
    isOfficial: false,
    firstDay: day('1998-06-11'),
    pageDays: 3_650,
    pauseMs: 3_000,
    refreshMs: 300_000,
  },
  at: 'PRICES_YAHOO_URL',
  path: '/v8/finance/chart/MSTR',
  query: ({ from, to }) => ({
    period1: seconds(from),
    period2: seconds(addDays(to, 1)),
    interval: '1d',
    events: 'div,split',
  }),
  answer: z.object({
    chart: z.object({
      error: z.object({}).nullish(),
      result: z
        .array(
          z.object({
            meta: z.object({ gmtoffset: z.number() }),
            timestamp: z.array(z.number()).default([]),
            indicators: z.object({
              quote: z.array(
                z.object({
                  open: YahooPrices,
                  high: YahooPrices,
                  low: YahooPrices,
                  close: YahooPrices,
                }),
              ),
            }),
          }),
        )
        .nullish(),
    }),
  }),
  bars({ chart: { error, result } }) {
    const [found] = result ?? []
    if (error || !found) throw new SourceError('refused', 'Yahoo (unofficial) refused the call.')
    const [quote] = found.indicators.quote
    return found.timestamp.flatMap((time, i) => {
      const [open, high] = [quote?.open?.[i], quote?.high?.[i]]
      const [low, close] = [quote?.low?.[i], quote?.close?.[i]]
      // Yesterday's entry is often empty for some hours.
      if (open == null || high == null || low == null || close == null) return []
      // Times are session openings in New York time.
      return [candle(time + found.meta.gmtoffset, { open, high, low, close })]
    })
  },
})

/** Free keys may not read the last 15 minutes of the consolidated tape. */
const DELAY_MS = 16 * 60_000

/** From the consolidated tape, adjusted for splits; a free key. */
export const alpaca = source({
  is: {
    name: 'alpaca',
    title: 'Alpaca',
    asset: 'mstr',
    firstDay: day('2016-01-04'),
    pageDays: 2_500,
    pauseMs: 1_000,
    refreshMs: 300_000,
  },
  at: 'PRICES_ALPACA_URL',
  keys: ['PRICES_ALPACA_KEY', 'PRICES_ALPACA_SECRET'],
  path: '/v2/stocks/MSTR/bars',
  query({ from, to }, now) {
    const [end, latest] = [midnight(addDays(to, 1)), new Date(now - DELAY_MS).toISOString()]
    return {
      timeframe: '1Day',
      start: midnight(from),
      end: end < latest ? end : latest,
      adjustment: 'split',
      feed: 'sip',
      limit: '10000',
    }
  },
  headers: (key, secret) => ({ 'APCA-API-KEY-ID': key, 'APCA-API-SECRET-KEY': secret }),
  answer: z.object({
    bars: z
      .array(
        z.object({ t: z.string(), o: z.number(), h: z.number(), l: z.number(), c: z.number() }),
      )
      .nullable(),
    next_page_token: z.string().nullish(),
  }),
  // Stamped with midnight in New York, which is the same day in UTC.
  bars: ({ bars }) =>
    (bars ?? []).flatMap(({ t, o, h, l, c }) => dated(t, { open: o, high: h, low: l, close: c })),
  next: ({ next_page_token: token }) => (token == null ? null : { page_token: token }),
})

/** A free key. Its own adjusted prices also exclude dividends. */
export const tiingo = source({
  is: {
    name: 'tiingo',
    title: 'Tiingo',
    asset: 'mstr',
    firstDay: day('1998-06-11'),
    pageDays: 3_650,
    // Fifty calls an hour are free.
    pauseMs: 5_000,
    refreshMs: null,
  },
  at: 'PRICES_TIINGO_URL',
  keys: ['PRICES_TIINGO_KEY'],
  path: '/tiingo/daily/MSTR/prices',
  query: ({ from, to }) => ({ startDate: isoDay(from), endDate: isoDay(to), format: 'json' }),
  headers: (key) => ({ authorization: `Token ${key}` }),
  answer: z.array(
    z.object({
      date: z.string(),
      open: z.number(),
      high: z.number(),
      low: z.number(),
      close: z.number(),
    }),
  ),
  bars: (rows) => rows.flatMap((row) => dated(row.date, row)),
  isAsTraded: true,
})

/**
 * Matches rate-limit messages, which contain our key: "We have detected your API key as … rate limit is 25 requests per day."
 */
const LIMIT = /limit|requests|per (day|minute|second)/i
const KEY = /api ?key/i

/** The last hundred sessions; a free key allows 25 calls a day. */
export const alphaVantage = source({
  is: {
    name: 'alpha-vantage',
    title: 'Alpha Vantage',
    asset: 'mstr',
    firstDay: day('1999-11-01'),
    // A hundred sessions in days, minus the longest run of holidays.
    reachDays: 138,
    pageDays: 138,
    pauseMs: 15_000,
    refreshMs: null,
  },
  at: 'PRICES_ALPHA_VANTAGE_URL',
  keys: ['PRICES_ALPHA_VANTAGE_KEY'],
  path: '/query',
  query: (_, __, apikey) => ({
    function: 'TIME_SERIES_DAILY',
    symbol: 'MSTR',
    outputsize: 'compact',
    apikey,
  }),
  /** Over the limit it answers 200 with a sentence instead of prices. */
  answer: z.object({
    'Time Series (Daily)': z
      .record(
        z.string(),
        z
          .object({ '1. open': Price, '2. high': Price, '3. low': Price, '4. close': Price })
          .transform((row): Prices => ({
            open: row['1. open'],
            high: row['2. high'],
            low: row['3. low'],
            close: row['4. close'],
          })),
      )
      .optional(),
    'Error Message': z.string().optional(),
    Note: z.string().optional(),
    Information: z.string().optional(),
  }),
  bars({ 'Time Series (Daily)': rows, 'Error Message': error, Note, Information }, now) {
    const message = Note ?? Information ?? ''
    if (error !== undefined || (!rows && KEY.test(message) && !LIMIT.test(message))) {
      throw new SourceError('refused', 'Alpha Vantage refused the call.')
    }
    if (!rows) {
      // Calls are counted per day.
      const waitMs = message === '' ? null : timeOfDay(addDays(dayOfTime(now), 1)) - now
      throw new SourceError('busy', 'Alpha Vantage has no calls left for now.', waitMs)
    }
    return Object.entries(rows).flatMap(([date, row]) => dated(date, row))
  },
  isAsTraded: true,
})

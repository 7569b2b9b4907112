import { z } from 'zod'
import { addDays, day, dayOfTime, timeOfDay } from '#domain/day.ts'
import { SourceError } from '#server/kit/failure.ts'
import { candle, midnight, Price, seconds, Seconds, source } from './daily-bars.ts'

const PRICES = { open: Price, high: Price, low: Price, close: Price }

/** No key. @see https://www.bitstamp.net/api/#ohlc_data */
export const bitstamp = source({
  is: {
    name: 'bitstamp',
    title: 'Bitstamp',
    asset: 'btc',
    firstDay: day('2011-08-18'),
    pageDays: 1_000,
    pauseMs: 1_000,
    refreshMs: 120_000,
  },
  at: 'PRICES_BITSTAMP_URL',
  path: '/api/v2/ohlc/btcusd/',
  // The limit overrides start and end, so it has to match the window.
  query: ({ from, to }) => ({
    step: '86400',
    limit: String(to - from + 1),
    start: seconds(from),
    end: seconds(to),
  }),
  answer: z.object({
    data: z.object({ ohlc: z.array(z.object({ ...PRICES, timestamp: Seconds, volume: Price })) }),
  }),
  // Days on which the venue was closed are flat and without volume.
  bars: ({ data }) =>
    data.ohlc.filter((row) => row.volume > 0).map((row) => candle(row.timestamp, row)),
})

/** No key. Always returns the newest 720 days. @see https://docs.kraken.com/api-reference/market-data/get-ohlc-data.md */
export const kraken = source({
  is: {
    name: 'kraken',
    title: 'Kraken',
    asset: 'btc',
    firstDay: day('2013-10-06'),
    reachDays: 719,
    pageDays: 720,
    pauseMs: 1_500,
    refreshMs: 120_000,
  },
  at: 'PRICES_KRAKEN_URL',
  path: '/0/public/OHLC',
  query: ({ from }) => ({ pair: 'XBTUSD', interval: '1440', since: seconds(addDays(from, -1)) }),
  answer: z.object({
    error: z.array(z.string()),
    result: z.record(z.string(), z.unknown()).optional(),
  }),
  bars({ error: [error], result }) {
    if (error !== undefined) throw krakenFault(error)
    const rows = Object.entries(result ?? {}).find(([key]) => key !== 'last')?.[1]
    const parsed = KrakenRows.safeParse(rows)
    if (!parsed.success) {
      throw new SourceError('nonsense', 'Kraken sent an answer in an unexpected form.')
    }
    return parsed.data.map(([time, open, high, low, close]) =>
      candle(time, { open, high, low, close }),
    )
  },
})

const KrakenRows = z.array(z.tuple([Seconds, Price, Price, Price, Price], z.unknown()))

/** Kraken reports failures with status 200, such as `EGeneral:Too many requests`. */
function krakenFault(error: string): SourceError {
  const text = /^[\w: ]{1,80}$/.test(error) ? error : 'an error of its own'
  if (/rate limit|too many/i.test(error))
    return new SourceError('busy', `Kraken asks us to wait (${text}).`)
  const isDown = error.startsWith('EService')
  return new SourceError(isDown ? 'down' : 'refused', `Kraken refused the call (${text}).`)
}

/**
 * No key. Not meant for frequent polling.
 *
 * @see https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-candles.md
 */
export const coinbase = source({
  is: {
    name: 'coinbase',
    title: 'Coinbase',
    asset: 'btc',
    firstDay: day('2015-07-21'),
    // At most 300 candles; a wider range is refused, and both ends count.
    pageDays: 299,
    pauseMs: 1_000,
    refreshMs: 300_000,
  },
  at: 'PRICES_COINBASE_URL',
  path: '/products/BTC-USD/candles',
  query: ({ from, to }) => ({ granularity: '86400', start: midnight(from), end: midnight(to) }),
  answer: z.array(z.tuple([Seconds, Price, Price, Price, Price], z.unknown())),
  bars: (rows) =>
    rows.map(([time, low, high, open, close]) => candle(time, { open, high, low, close })),
})

/** In USDT; no key. Days without trades are missing. */
export const kucoin = source({
  is: {
    name: 'kucoin',
    title: 'KuCoin',
    asset: 'naka',
    firstDay: day('2021-09-01'),
    pageDays: 1_400,
    pauseMs: 2_000,
    refreshMs: 300_000,
  },
  at: 'PRICES_KUCOIN_URL',
  path: '/api/v1/market/candles',
  query: ({ from, to }) => ({
    symbol: 'NAKA-USDT',
    type: '1day',
    startAt: seconds(from),
    endAt: seconds(addDays(to, 1)),
  }),
  answer: z.object({
    code: z.string(),
    data: z.array(z.tuple([Seconds, Price, Price, Price, Price], z.unknown())).optional(),
  }),
  bars({ code, data }) {
    if (code === '429000') throw new SourceError('busy', 'KuCoin asks us to wait.')
    if (code !== '200000' || !data) {
      const safeCode = /^\d{1,9}$/.test(code) ? code : 'unknown'
      throw new SourceError('refused', `KuCoin refused the call (code ${safeCode}).`)
    }
    // The close comes third.
    return data.map(([time, open, close, high, low]) => candle(time, { open, high, low, close }))
  },
})

/** In USDT; no key. */
export const gate = source({
  is: {
    name: 'gate',
    title: 'Gate',
    asset: 'naka',
    firstDay: day('2021-09-01'),
    pageDays: 900,
    pauseMs: 2_000,
    refreshMs: 300_000,
  },
  at: 'PRICES_GATE_URL',
  path: '/api/v4/spot/candlesticks',
  query: ({ from, to }) => ({
    currency_pair: 'NAKA_USDT',
    interval: '1d',
    from: seconds(from),
    to: seconds(to),
  }),
  /** `[time, quote volume, close, high, low, open, …]` */
  answer: z.array(z.tuple([Seconds, z.unknown(), Price, Price, Price, Price], z.unknown())),
  bars: (rows) =>
    rows.map(([time, , close, high, low, open]) => candle(time, { open, high, low, close })),
})

/** Closes only, of the last 365 days; the key is optional. */
export const coingecko = source({
  is: {
    name: 'coingecko',
    title: 'CoinGecko',
    asset: 'naka',
    isFull: false,
    firstDay: day('2021-08-01'),
    reachDays: 364,
    pageDays: 365,
    // Without a key the limit is about five calls a minute.
    pauseMs: 15_000,
    refreshMs: 900_000,
  },
  at: 'PRICES_COINGECKO_URL',
  keys: ['PRICES_COINGECKO_KEY'],
  keyIsOptional: true,
  path: '/api/v3/coins/nakamoto-games/market_chart',
  query: ({ from, today }) => ({
    vs_currency: 'usd',
    days: String(Math.min(today - from + 1, 365)),
    interval: 'daily',
  }),
  headers: (key) => ({ 'x-cg-demo-api-key': key }),
  answer: z.object({ prices: z.array(z.tuple([z.number(), z.number().nullable()])) }),
  bars: ({ prices }) =>
    prices.flatMap(([ms, usd]) => {
      if (usd === null) return []
      // A point at midnight is the previous day's close; the last one is the current price.
      const stamped = dayOfTime(ms)
      const at = ms === timeOfDay(stamped) ? addDays(stamped, -1) : stamped
      return [{ day: at, open: null, high: null, low: null, close: usd }]
    }),
})

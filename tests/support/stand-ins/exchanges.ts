import { type ServerResponse } from 'node:http'
import { addDays, dayOfTime, isoDay, readDay, timeOfDay, type Day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { serving } from './serving.ts'

type Answer = (url: URL, bars: readonly Bar[], now: number) => unknown

const seconds = (day: Day): number => timeOfDay(day) / 1_000
const between = (bars: readonly Bar[], from: number, to: number): Bar[] =>
  bars.filter((bar) => seconds(bar.day) >= from && seconds(bar.day) <= to)
const ohlc = ({ open, high, low, close }: Bar): [number, number, number, number] => [
  open ?? close,
  high ?? close,
  low ?? close,
  close,
]
const number = (url: URL, name: string): number => Number(url.searchParams.get(name))

const bitstamp: Answer = (url, bars) => {
  // The limit overrides start and end: the window is cut at its beginning.
  const found = between(bars, number(url, 'start'), number(url, 'end')).slice(-number(url, 'limit'))
  const rows = found.map((bar) => {
    const [open, high, low, close] = ohlc(bar).map(String)
    return { timestamp: String(seconds(bar.day)), open, high, low, close, volume: '12.5' }
  })
  return { data: { pair: 'BTC/USD', ohlc: rows } }
}

const kraken: Answer = (url, bars) => {
  const rows = bars.slice(-720).filter((bar) => seconds(bar.day) > number(url, 'since'))
  return {
    error: [],
    result: {
      XXBTZUSD: rows.map((bar) => [seconds(bar.day), ...ohlc(bar).map(String), '1.0', '12.5', 7]),
      last: rows.length > 0 ? seconds(rows.at(-1)?.day ?? (0 as Day)) : 0,
    },
  }
}

const coinbase: Answer = (url, bars) => {
  const [from, to] = ['start', 'end'].map(
    (name) => Date.parse(url.searchParams.get(name) ?? '') / 1_000,
  )
  if (from === undefined || to === undefined || (to - from) / 86_400 + 1 > 300) {
    return { message: 'granularity too small for the requested time range' }
  }
  return between(bars, from, to)
    .map((bar) => {
      const [open, high, low, close] = ohlc(bar)
      return [seconds(bar.day), low, high, open, close, 12.5]
    })
    .toReversed()
}

const yahoo: Answer = (url, bars) => {
  const found = between(bars, number(url, 'period1'), number(url, 'period2') - 1)
  const rows = found.map(ohlc)
  const column = (i: number): (number | null)[] => [...rows.map((row) => row[i] ?? null), null]
  return {
    chart: {
      error: null,
      result: [
        {
          meta: { symbol: 'MSTR', gmtoffset: -18_000 },
          // Sessions open at 14:30 UTC in winter; the last entry is the usual gap.
          timestamp: [
            ...found.map((bar) => seconds(bar.day) + 52_200),
            seconds(addDays(found.at(-1)?.day ?? (0 as Day), 1)) + 52_200,
          ],
          indicators: {
            quote: [{ open: column(0), high: column(1), low: column(2), close: column(3) }],
            adjclose: [{ adjclose: column(3) }],
          },
        },
      ],
    },
  }
}

const alpaca: Answer = (url, bars) => {
  const from = Date.parse(url.searchParams.get('start') ?? '')
  const to = Date.parse(url.searchParams.get('end') ?? '')
  const found = between(bars, from / 1_000, to / 1_000)
  const second = url.searchParams.get('page_token') === 'next'
  const half = Math.ceil(found.length / 2)
  const page = second ? found.slice(half) : found.slice(0, half)
  return {
    bars: page.map((bar) => {
      const [o, h, l, c] = ohlc(bar)
      return { t: `${isoDay(bar.day)}T05:00:00Z`, o, h, l, c, v: 1, n: 1, vw: c }
    }),
    symbol: 'MSTR',
    next_page_token: second ? null : 'next',
  }
}

const tiingo: Answer = (url, bars) => {
  const [from, to] = ['startDate', 'endDate'].map((name) =>
    readDay(url.searchParams.get(name) ?? ''),
  )
  return between(bars, seconds(from ?? (0 as Day)), seconds(to ?? (0 as Day))).map((bar) => {
    const [open, high, low, close] = ohlc(bar)
    return { date: `${isoDay(bar.day)}T00:00:00.000Z`, open, high, low, close, splitFactor: 1 }
  })
}

const alphaVantage: Answer = (_, bars) => ({
  'Meta Data': { '2. Symbol': 'MSTR' },
  'Time Series (Daily)': Object.fromEntries(
    bars.slice(-100).map((bar) => {
      const [open, high, low, close] = ohlc(bar).map(String)
      return [
        isoDay(bar.day),
        { '1. open': open, '2. high': high, '3. low': low, '4. close': close, '5. volume': '1' },
      ]
    }),
  ),
})

const coingecko: Answer = (url, bars, now) => {
  const today = dayOfTime(now)
  const found = bars.filter((bar) => bar.day > today - number(url, 'days') && bar.day <= today)
  const prices = found.map((bar) => [
    bar.day === today ? now : timeOfDay(addDays(bar.day, 1)),
    bar.close,
  ])
  return { prices, market_caps: [], total_volumes: [] }
}

const kucoin: Answer = (url, bars) => ({
  code: '200000',
  data: between(bars, number(url, 'startAt'), number(url, 'endAt') - 1)
    .map((bar) => {
      const [open, high, low, close] = ohlc(bar).map(String)
      return [String(seconds(bar.day)), open, close, high, low, '5', '5']
    })
    .toReversed(),
})

const gate: Answer = (url, bars) =>
  between(bars, number(url, 'from'), number(url, 'to')).map((bar) => {
    const [open, high, low, close] = ohlc(bar).map(String)
    return [String(seconds(bar.day)), '5', close, high, low, open, '5', 'true']
  })

type Source = { path: string; answer: Answer; wrong: unknown; refusal: unknown }

/** Each source with a response of wrong types, and the body of its refusal under status 200. */
const SOURCES: Readonly<Record<string, Source>> = {
  bitstamp: {
    path: '/bitstamp/api/v2/ohlc/btcusd/',
    answer: bitstamp,
    wrong: { data: { ohlc: [{ timestamp: 'soon', open: null }] } },
    refusal: { code: '400.002', errors: [{ message: 'too many requests' }] },
  },
  kraken: {
    path: '/kraken/0/public/OHLC',
    answer: kraken,
    wrong: { error: [], result: { XXBTZUSD: [[1, {}]], last: 1 } },
    refusal: { error: ['EGeneral:Too many requests'] },
  },
  coinbase: {
    path: '/coinbase/products/BTC-USD/candles',
    answer: coinbase,
    wrong: [['a', 1, 2, 3, 4, 5]],
    refusal: { message: 'NotFound' },
  },
  yahoo: {
    path: '/yahoo/v8/finance/chart/MSTR',
    answer: yahoo,
    wrong: { chart: { error: null, result: [{ meta: {}, timestamp: 'x' }] } },
    refusal: { chart: { result: null, error: { code: 'Not Found', description: 'No data' } } },
  },
  alpaca: {
    path: '/alpaca/v2/stocks/MSTR/bars',
    answer: alpaca,
    wrong: { bars: [{ t: 5 }], next_page_token: null },
    refusal: { message: 'forbidden.' },
  },
  tiingo: {
    path: '/tiingo/tiingo/daily/MSTR/prices',
    answer: tiingo,
    wrong: [{ date: '2024-06-03', open: 'x' }],
    refusal: { detail: 'You have run over your hourly request allocation.' },
  },
  'alpha-vantage': {
    path: '/alpha-vantage/query',
    answer: alphaVantage,
    wrong: { 'Time Series (Daily)': { '2024-06-03': { '1. open': true } } },
    refusal: { Information: 'We have detected your API key as SECRET and our limit is 25.' },
  },
  coingecko: {
    path: '/coingecko/api/v3/coins/nakamoto-games/market_chart',
    answer: coingecko,
    wrong: { prices: [['now', {}]] },
    refusal: { status: { error_code: 10012, error_message: 'Your request exceeds 365 days.' } },
  },
  kucoin: {
    path: '/kucoin/api/v1/market/candles',
    answer: kucoin,
    wrong: { code: '200000', data: [['soon', 1]] },
    refusal: { code: '400100', msg: 'This pair is not provided at present' },
  },
  gate: {
    path: '/gate/api/v4/spot/candlesticks',
    answer: gate,
    wrong: [[1, 2]],
    refusal: { label: 'INVALID_CURRENCY_PAIR', message: 'Invalid currency pair' },
  },
}

const settingOf = (source: string): string =>
  `PRICES_${source.toUpperCase().replaceAll('-', '_')}_URL`

/** Starts the stand-in. Secrets that must not appear in messages contain the word SECRET. */
export type Exchanges = Awaited<ReturnType<typeof startExchanges>>

/** The daily price calls of all exchanges, as documented, on this machine. */
export async function startExchanges() {
  /** Bars by source, with open, high, low and close. */
  const bars = new Map<string, Bar[]>()
  const faults = new Map<string, Fault>()
  /** `at` on the clock of `performance.now()`. */
  const calls: { source: string; url: URL; at: number }[] = []
  /** The exchanges' own time, milliseconds since 1970. */
  const settable = { now: () => Date.now() }
  const { origin, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const found = Object.entries(SOURCES).find(([, { path }]) => path === url.pathname)
    if (!found) return void response.writeHead(404).end()
    const [name, source] = found
    calls.push({ source: name, url, at: performance.now() })
    response.setHeader('date', new Date(settable.now()).toUTCString())
    const body = (): string =>
      JSON.stringify(source.answer(url, bars.get(name) ?? [], settable.now()))
    const fault = faults.get(name)
    if (fault) FAULTS[fault](response, source, body)
    else json(response, body())
  })
  const base = (name: string): string => `${origin}/${name}/`
  /** They name this stand-in for every source. */
  const settings: Readonly<Record<string, string>> = {
    PRICES_KRAKEN_SOCKET: 'off',
    PRICES_COINBASE_SOCKET: 'off',
    ...Object.fromEntries(Object.keys(SOURCES).map((name) => [settingOf(name), base(name)])),
  }
  return Object.assign(settable, {
    settings,
    bars,
    faults,
    calls,
    [Symbol.asyncDispose]: close,
  })
}

const json = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)

/** What a source sends instead of its answer. */
const FAULTS = {
  down: (response: ServerResponse) => response.destroy(),
  slow: () => {},
  half: (response: ServerResponse, _: Source, body: () => string) =>
    json(response, body().slice(0, -10)),
  'wrong types': (response: ServerResponse, { wrong }: Source) =>
    json(response, JSON.stringify(wrong)),
  'error body': (response: ServerResponse, { refusal }: Source) =>
    json(response, JSON.stringify(refusal)),
  empty: (response: ServerResponse) => json(response, ''),
  busy: (response: ServerResponse) =>
    response.writeHead(429, { 'retry-after': '120' }).end('slow down'),
  'server error': (response: ServerResponse) =>
    response.writeHead(502).end('<html>bad gateway</html>'),
  redirect: (response: ServerResponse) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/?apikey=SECRET' }).end(),
  endless: (response: ServerResponse) => response.writeHead(200).end(`[${'1,'.repeat(100_000)}1]`),
}
export type Fault = keyof typeof FAULTS

import { describe, expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { addDays, day, isoDay, timeOfDay, type Day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { SourceError, type SourceFault } from '#server/kit/failure.ts'
import { readConfig } from '#server/kit/settings/config.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { termsOf } from '#server/prices/source-terms.ts'
import { startExchanges, type Exchanges, type Fault } from '#tests/support/stand-ins/exchanges.ts'
import { priceSources } from './price-sources.ts'

const TODAY = day('2024-06-07')
const NOW = timeOfDay(TODAY) + 18 * 3_600_000
const KEYS = {
  PRICES_ALPACA_KEY: 'SECRET-1',
  PRICES_ALPACA_SECRET: 'SECRET-2',
  PRICES_TIINGO_KEY: 'SECRET-3',
  PRICES_ALPHA_VANTAGE_KEY: 'SECRET-4',
  PRICES_COINGECKO_KEY: 'SECRET-5',
}
const ALL = priceSources(readConfig(KEYS, '/').prices, { now: Date.now }).daily
const NAMES = ALL.map(({ name }) => name)

function sourcesOf(exchanges: Exchanges, timeoutMs = 60_000): readonly DailySource[] {
  const { prices } = readConfig({ ...exchanges.settings, ...KEYS }, '/')
  const limits = { timeoutMs, mostBytes: 100_000 }
  return priceSources(prices, { now: () => NOW }, { limits }).daily
}

function named(exchanges: Exchanges, name: string, timeoutMs?: number): DailySource {
  const found = sourcesOf(exchanges, timeoutMs).find((source) => source.name === name)
  if (!found) throw new Error(`no source ${name}`)
  return found
}

/** Monday to Friday, so that it suits stocks. */
function week(source: string): Bar[] {
  return [0, 1, 2, 3, 4].map((i) => ({
    day: addDays(day('2024-06-03'), i),
    open: 100 + i,
    high: 110.5 + i,
    low: 90 + i,
    close: 105 + i,
    source,
  }))
}

function ask(source: DailySource, from = day('2024-06-03'), to = TODAY) {
  const signal = new AbortController().signal
  const actions = [{ asset: 'mstr', day: day('2024-08-08'), ratio: 10 }] as const
  return source.daily({ from, to, today: TODAY, actions, signal })
}

/** Divisor for sources of unadjusted prices. */
const FACTOR: Readonly<Record<string, number>> = { tiingo: 10, 'alpha-vantage': 10 }

describe.each(NAMES)('daily prices of %s', (name) => {
  it("are daily bars, oldest first, in today's units", async () => {
    await using exchanges = await startExchanges()
    exchanges.now = () => NOW
    exchanges.bars.set(name, week(name))
    const source = named(exchanges, name)
    const { bars, remoteMs } = await ask(source)
    const factor = FACTOR[name] ?? 1
    const today = (usd: number | null) => (source.isFull ? (usd ?? 0) / factor : null)
    const expected = week(name).map((bar) => {
      const { open, high, low, close } = bar
      return {
        ...bar,
        open: today(open),
        high: today(high),
        low: today(low),
        close: close / factor,
      }
    })
    expect(bars).toEqual(expected)
    expect(remoteMs).toBe(NOW)
  })

  it('cover only the requested days', async () => {
    await using exchanges = await startExchanges()
    exchanges.now = () => NOW
    exchanges.bars.set(name, week(name))
    const { bars } = await ask(named(exchanges, name), day('2024-06-04'), day('2024-06-05'))
    expect(bars.map((bar) => isoDay(bar.day))).toEqual(['2024-06-04', '2024-06-05'])
  })

  it('are sorted, one per day, without contradictory bars', async () => {
    await using exchanges = await startExchanges()
    exchanges.now = () => NOW
    const [a, b, c, d, e] = week(name)
    if (!a || !b || !c || !d || !e) throw new Error('a week has five days')
    const broken = { ...d, high: -1, low: 200, close: 0 }
    exchanges.bars.set(name, [c, a, broken, b, b, e, { ...a }])
    const { bars } = await ask(named(exchanges, name), day('2024-06-01'))
    const known = ['2024-06-03', '2024-06-04', '2024-06-05', '2024-06-07']
    expect(bars.map((bar) => isoDay(bar.day))).toEqual(known)
  })

  it.each<[Fault, readonly SourceFault[]]>([
    ['down', ['down']],
    ['slow', ['down']],
    ['half', ['nonsense']],
    ['wrong types', ['nonsense']],
    ['error body', ['nonsense', 'refused', 'busy']],
    ['empty', ['nonsense']],
    ['server error', ['down']],
    ['redirect', ['down']],
    ['endless', ['nonsense']],
  ])('are reported in a sentence without secrets if %s', async (fault, kinds) => {
    await using exchanges = await startExchanges()
    exchanges.bars.set(name, week(name))
    exchanges.faults.set(name, fault)
    const source = named(exchanges, name, fault === 'slow' ? 300 : undefined)
    const error: unknown = await ask(source).catch((caught: unknown) => caught)
    if (!(error instanceof SourceError)) throw error
    expect(kinds).toContain(error.fault)
    expect(error.message).toMatch(/^[A-Z].*\.$/)
    expect(error.message).not.toMatch(/SECRET|127\.0\.0\.1|http:/)
  })

  it('wait as long as the source requests', async () => {
    await using exchanges = await startExchanges()
    exchanges.faults.set(name, 'busy')
    const error: unknown = await ask(named(exchanges, name)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ fault: 'busy', waitMs: 120_000 })
  })
})

describe('answers of the sources', () => {
  const many = (source: string, last: Day, count: number): Bar[] =>
    Array.from({ length: count }, (_, i) => ({
      day: addDays(last, i - count + 1),
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      source,
    }))

  const coins = ALL.filter(({ asset }) => ASSETS[asset].calendar === 'every-day')
  it.each(coins)('cover the whole page declared by $name', async ({ name }) => {
    await using exchanges = await startExchanges()
    exchanges.now = () => NOW
    exchanges.bars.set(name, many(name, TODAY, 2_000))
    const source = named(exchanges, name)
    const limited = Math.min(source.pageDays, (source.reachDays ?? Infinity) + 1)
    const { bars } = await ask(source, addDays(TODAY, 1 - limited), TODAY)
    expect(bars).toHaveLength(limited)
  })

  it('ignore days without trades, which Bitstamp sends flat', async () => {
    const first = timeOfDay(day('2024-06-03')) / 1_000
    const prices = { open: '1', high: '1', low: '1', close: '1' }
    const ohlc = [
      { timestamp: String(first), ...prices, volume: '0' },
      { timestamp: String(first + 86_400), ...prices, volume: '0.1' },
    ]
    const { bars } = await ask(answering('bitstamp', { data: { ohlc } }))
    expect(bars.map((bar) => isoDay(bar.day))).toEqual(['2024-06-04'])
  })

  it('report a day only if no bar of it makes sense', async () => {
    const [, good, bad] = week('bitstamp').map(({ day, open, high, low, close }) => {
      const timestamp = String(timeOfDay(day) / 1_000)
      return { timestamp, volume: '1', open, high, low, close }
    })
    const ohlc = [{ ...good, high: 1 }, good, { ...bad, high: 1 }]
    const { senseless = [] } = await ask(answering('bitstamp', { data: { ohlc } }))
    expect(senseless.map(isoDay)).toEqual(['2024-06-05'])
  })

  it('of Alpaca are asked for without the last 16 minutes, which free keys may not read', async () => {
    const { prices } = readConfig(KEYS, '/')
    const ends: (string | null)[] = []
    const { daily } = priceSources(
      prices,
      { now: () => NOW },
      {
        callJson: async ({ url, schema }) => {
          ends.push(url.searchParams.get('end'))
          return { body: schema.parse({ bars: null }), remoteMs: null }
        },
      },
    )
    const alpaca = daily.find(({ name }) => name === 'alpaca')
    if (alpaca) await ask(alpaca)
    expect(ends).toEqual([new Date(NOW - 16 * 60_000).toISOString()])
  })

  const LIMITED =
    'We have detected your API key as SECRET and our standard API rate limit is 25 requests per day.'
  const DEMO = 'The **demo** API key is for demo purposes only. Please claim your free API key.'
  const BUSY = { fault: 'busy', waitMs: 6 * 3_600_000 }
  const REFUSED = { fault: 'refused', waitMs: null }
  it.each([
    ['Information', LIMITED, BUSY],
    ['Note', 'Thank you for using us!', BUSY],
    ['Information', DEMO, REFUSED],
    ['Error Message', 'the parameter apikey is invalid or missing.', REFUSED],
  ])('recognize the message of Alpha Vantage %s: %s', async (field, text, error) => {
    const failure: unknown = await ask(answering('alpha-vantage', { [field]: text })).catch(
      (caught: unknown) => caught,
    )
    expect(failure).toMatchObject(error)
    expect(String(failure)).not.toContain('SECRET')
  })
})

function answering(name: string, body: unknown): DailySource {
  const { prices } = readConfig(KEYS, '/')
  const { daily } = priceSources(
    prices,
    { now: () => NOW },
    { callJson: async ({ schema }) => ({ body: schema.parse(body), remoteMs: null }) },
  )
  const found = daily.find((source) => source.name === name)
  if (!found) throw new Error(`no source ${name}`)
  return found
}

describe('settings', () => {
  it('omit sources without their key, and all when prices are off', () => {
    const now = { now: () => NOW }
    const names = (env: Readonly<Record<string, string>>) =>
      priceSources(readConfig(env, '/').prices, now).daily.map((source) => source.name)
    const withoutKey = new Set(names({}))
    const missing = NAMES.filter((name) => !withoutKey.has(name))
    expect(missing).toEqual(['alpaca', 'tiingo', 'alpha-vantage'])
    expect(names({ PRICES_KRAKEN_URL: 'off', PRICES_TIINGO_KEY: 'k' })).toContain('tiingo')
    expect(names({ PRICES_KRAKEN_URL: 'off' })).not.toContain('kraken')
    expect(names({ PRICES: 'off' })).toEqual([])
  })

  it.each([
    { PRICES_KRAKEN_URL: 'http://api.kraken.com' },
    { PRICES_KRAKEN_SOCKET: 'https://ws.kraken.com' },
    { PRICES_KRAKEN_URL: 'https://user:SECRET@api.kraken.com' },
    { PRICES_TIINGO_KEY: 'SECRET with a space' },
  ])('reject %o without repeating it', (env) => {
    const [name] = Object.keys(env)
    const read = (): unknown => readConfig(env, '/')
    expect(read).toThrow(new RegExp(`^${name ?? ''} must be`))
    expect(read).not.toThrow(/SECRET/)
  })

  it('include terms for each available source', () => {
    const { prices } = readConfig(KEYS, '/')
    const sources = priceSources(prices, { now: () => NOW }).daily
    expect(sources.length).toBeGreaterThan(9)
    for (const { name, title } of sources) {
      expect(title).toContain(termsOf(name).title.split(' ')[0])
      expect(termsOf(name).licence).not.toBe('Not stated')
    }
  })
})

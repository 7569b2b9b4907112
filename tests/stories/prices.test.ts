/* What needs code of its own. Other stories about prices are in tests/texts/prices. */

import { describe, expect, it } from 'vitest'
import { listEarlierDays, publishEarlierDays } from '#contracts/operations.ts'
import { addDays, day, isoDay, type Day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { readEarlierDays } from '#server/prices/earlier-days.service.ts'
import { recordAnswer } from '#server/prices/price-bars.service.ts'
import { bringUpToDate, priceHistory, sourceHealth } from '#server/prices/price-history.service.ts'
import { newVerdicts } from '#server/publishing/news.service.ts'
import { barsFrom, closesFile, dailySource, quiet } from '#tests/support/builders.ts'
import { sharedPriceWorld, begin, days, answered, verdict } from '#tests/support/price-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { SILENT, testKit } from '#tests/support/test-site.ts'
import { until } from '#tests/support/waiting.ts'

const prices = sharedPriceWorld()

/** Begins with these predictions at this time. */
async function beginAt(time: string, ...entries: object[]): Promise<void> {
  prices.setTime(time)
  await begin(prices, ...entries)
}

it('back-filling resumes where it was interrupted, page by page, oldest first', async () => {
  await beginAt('2025-06-05T12:00:00Z', answered('a'))
  prices.exchanges.bars.set('coinbase', quiet('2024-05-01', '2025-06-05'))
  const stop = new AbortController()
  const cut = bringUpToDate(prices.history, 'btc', 'coinbase', stop.signal)
  // Awaited below; until then it must not count as an unhandled error.
  cut.catch(() => {})
  await until(() => prices.exchanges.calls.length === 1)
  prices.exchanges.faults.set('coinbase', 'slow')
  await until(async () => (await days(prices)).length > 0)
  stop.abort()
  await expect(cut).rejects.toThrow(/abort/i)
  prices.exchanges.faults.clear()
  const first = await days(prices)
  expect([first.length, first[0]?.[0]]).toEqual([299, '2024-06-02'])
  await prices.ask('coinbase')
  expect(await days(prices)).toHaveLength(369)
  const [, ...later] = prices.exchanges.calls.map(
    ({ url }) => url.searchParams.get('start')?.slice(0, 10) ?? '',
  )
  expect(later.filter((date) => date < '2025-03-25')).toEqual([])
})

it('requests a page that was shorter than promised again, in smaller pages', async () => {
  const now = '2024-12-01T12:00:00Z'
  await beginAt(now)
  let asked = 0
  const source = dailySource({
    // It promises 100 days and returns the last 40.
    daily: (ask) => {
      asked += 1
      const found: Day[] = []
      for (let at = ask.from; at <= ask.to; at = addDays(at, 1)) found.push(at)
      const bars = found.slice(-40).map((at) => {
        return { day: at, open: 100, high: 105, low: 95, close: 100, source: 'bitstamp' }
      })
      return Promise.resolve({ bars, remoteMs: null })
    },
  })
  const { db } = prices.world.database
  const clock = { now: () => Date.parse(now) }
  const kit = { db, clock, log: SILENT, health: sourceHealth(SILENT), sources: [source] }
  const history = priceHistory(kit)
  const run = () => bringUpToDate(history, 'btc', 'bitstamp', new AbortController().signal)
  await run()
  // 2 June to 1 December, both included.
  expect(await days(prices)).toHaveLength(183)
  const before = asked
  await run()
  expect(asked).toBe(before + 1)
})

it('a source that fails is called less often each time, and logged once', async () => {
  await beginAt('2024-06-05T12:00:00Z', answered('a'))
  prices.exchanges.faults.set('bitstamp', 'server error')
  const pauses: number[] = []
  let now = Date.parse('2024-06-05T12:00:00Z')
  for (let i = 0; i < 8; i += 1) {
    const [next] = await prices.ask('bitstamp')
    pauses.push((next ?? 0) - now)
    now = next ?? 0
    prices.setTime(new Date(now).toISOString())
  }
  expect(pauses[0]).toBeGreaterThan(20_000)
  expect(pauses.at(-1)).toBe(900_000)
  expect(prices.lines).toEqual(['Bitstamp answered HTTP 502. It will be retried.'])
  prices.exchanges.faults.delete('bitstamp')
  await prices.report({ bitstamp: quiet('2024-06-01', '2024-06-05') })
  expect(prices.lines).toHaveLength(2)
})

describe('one of two venues that dies during a day', () => {
  const prices = sharedPriceWorld({ PRICES_COINBASE_URL: 'off' })
  const calm = [...quiet('2024-06-01', '2024-06-02'), ...barsFrom('2024-06-03', ['95..110>100'])]

  it('a venue that dies during a day delays its misses and closes for a day, not forever', async () => {
    prices.setTime('2024-06-03T12:00:00Z')
    await begin(prices, answered('a', { target_time: '2024-06-03' }))
    await prices.report({ bitstamp: calm, kraken: calm })
    prices.exchanges.faults.set('kraken', 'down')
    prices.setTime('2024-06-04T00:05:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    prices.setTime('2024-06-05T00:06:00Z')
    await prices.ask('kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('miss')
  })

  it('a venue that dies during a day and is switched off delays nothing', async () => {
    prices.setTime('2024-06-03T12:00:00Z')
    await begin(prices, answered('a', { target_time: '2024-06-03' }))
    await prices.report({ bitstamp: calm, kraken: calm })
    const sources = prices.sources.daily.filter((source) => source.name !== 'kraken')
    const { db } = prices.world.database
    const clock = { now: () => Date.parse('2024-06-04T00:05:00Z') }
    const kit = { db, clock, log: SILENT, sources }
    const bitstamp = sources.find((source) => source.name === 'bitstamp')
    if (!bitstamp) throw new Error('no bitstamp')
    const bars = calm.slice(-1).map((bar) => ({ ...bar, source: 'bitstamp' }))
    await recordAnswer(kit, bitstamp, { bars, remoteMs: null }, day('2024-06-03'))
    expect((await verdict(prices, 'a')).outcome).toBe('miss')
  })
})

const BTC = ['bitstamp', 'kraken', 'coinbase'] as const

const importCloses = (from: string, to: string) => {
  const closes = Array<number>(day(to) - day(from)).fill(100)
  return prices.world.imports.prices('btc', closesFile(from, closes), 'starter')
}

/** Quiet days, but for the price of one, `low..high>close`. */
const market = (price = '95..105>100'): Bar[] => [
  ...quiet('2023-09-25', '2023-10-04'),
  ...barsFrom('2023-10-05', [price]),
  ...quiet('2023-10-06', '2024-06-12'),
]

/** Begins with closes and a prediction about them; venues show quiet days. */
async function beginEarlier(): Promise<void> {
  prices.setTime('2024-06-12T12:00:00Z')
  await importCloses('2023-09-25', '2024-06-12')
  const said = { prediction_made: '2023-10-01', target_time: '2023-10-20', price_target: 115 }
  await prices.world.imports.predictions(JSON.stringify([answered('a', said)]))
  for (const name of BTC) prices.exchanges.bars.set(name, market())
}

async function changes(): Promise<string[]> {
  const rows = await prices.world.sql(
    `select change, outcome from verdicts where prediction_id = 'a' and mode = 'touch' order by id`,
  )
  return rows.map(({ change, outcome }) => `${change} ${outcome}`)
}

it("earlier days of a stock are in today's units, whatever units a source uses before a split", async () => {
  prices.setTime('2024-09-04T22:00:00Z')
  const weekdays = quiet('2024-07-15', '2024-09-03').filter(
    (bar) => ![0, 6].includes(new Date(`${isoDay(bar.day)}T00:00:00Z`).getUTCDay()),
  )
  const file = ['date,close', ...weekdays.map((bar) => `${isoDay(bar.day)},100`)].join('\n')
  await prices.world.imports.prices('mstr', file, 'starter')
  const then = weekdays.map((bar): Bar =>
    bar.day < day('2024-08-08') ? { ...bar, open: 1000, high: 1080, low: 950, close: 1000 } : bar,
  )
  const stocks = ['yahoo', 'alpaca', 'tiingo', 'alpha-vantage']
  for (const name of stocks) prices.exchanges.faults.set(name, 'down')
  prices.exchanges.faults.delete('yahoo')
  prices.exchanges.bars.set('yahoo', [...then, ...quiet('2024-09-04', '2024-09-04')])
  const others = prices.sources.daily.filter(
    ({ name, asset }) => asset === 'mstr' && name !== 'yahoo',
  )
  await prices.ask('yahoo', ...others.map(({ name }) => name))
  prices.setTime('2024-09-04T22:20:00Z')
  await prices.askEarlier('mstr')
  const rows = await prices.world.sql(
    `select high from bars where asset = 'mstr' and source = 'yahoo' and day in ('2024-08-07', '2024-08-08') order by day`,
  )
  expect(rows.map(({ high }) => high)).toEqual([108, 105])
})

it('closes imported while a source answers are requested in the next run', async () => {
  prices.setTime('2024-06-12T12:00:00Z')
  await importCloses('2023-09-25', '2023-10-01')
  await importCloses('2023-10-11', '2024-06-12')
  for (const name of BTC) prices.exchanges.bars.set(name, market())
  await prices.ask(...BTC)
  const sources = prices.history.sources.map((source) => ({
    ...source,
    daily: async (request: Parameters<typeof source.daily>[0]) => {
      await importCloses('2023-10-01', '2023-10-11')
      return source.daily(request)
    },
  }))
  await readEarlierDays({ ...prices.history, sources }, 'btc', new AbortController().signal)
  await prices.askEarlier()
  const ranged = await prices.world.sql(
    `select 1 from bars where day between '2023-10-01' and '2023-10-10' and high is not null
     group by day having count(*) >= 2`,
  )
  expect(ranged).toHaveLength(10)
})

it('two processes read the same earlier days and store each verdict once', async () => {
  await beginEarlier()
  const touched = market('95..116>100')
  prices.exchanges.bars.set('bitstamp', touched).set('kraken', touched)
  await prices.ask(...BTC)
  await prices.askEarlier()
  const admin = await signedIn(prices.world)
  const { waiting } = await admin.read(listEarlierDays)
  await admin.call('POST', publishEarlierDays.path, { asset: 'btc', seen: waiting[0]?.digest })
  const { signal } = new AbortController()
  await using other = testKit(prices.world.database.url)
  await Promise.all([
    readEarlierDays(prices.history, 'btc', signal),
    readEarlierDays({ ...prices.history, db: other.db, running: new Map() }, 'btc', signal),
  ])
  expect(await changes()).toEqual(['first miss', 'range hit'])
})

it('a file with highs and lows changes verdicts for the same reason, with a summary', async () => {
  await beginEarlier()
  const rows = market('95..116>100')
    .slice(0, -1)
    .map(({ day: at, high, low }) => `${isoDay(at)},100,${String(high)},${String(low)},100`)
  const file = ['date,open,high,low,close', ...rows].join('\n')
  expect(await prices.world.imports.prices('btc', file, 'file')).toMatchObject({
    ok: true,
    ranges: {
      days: 261,
      changed: 1,
      changes: [{ id: 'a', before: 'MISS on 20/10/2023', after: 'SUCCESS on 05/10/2023' }],
    },
  })
  expect(await changes()).toEqual(['first miss', 'range hit'])
  expect(await newVerdicts(prices.world.database.db, '2000-01-01')).toEqual([])
  await prices.world.refresh()
  expect((await prices.world.get('/feed.json')).body).toMatchObject({ items: [{}] })
  // There is nothing left to ask for.
  await prices.ask(...BTC)
  const { length } = prices.exchanges.calls
  await prices.askEarlier()
  expect(prices.exchanges.calls).toHaveLength(length)
})

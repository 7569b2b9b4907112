// Over 400 lines: each price source and what it may get wrong, on the same book of bars.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addDays, day, isoDay, type Day } from '#domain/day.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { recordAnswer } from '#server/prices/price-bars.service.ts'
import { bringUpToDate, priceHistory, sourceHealth } from '#server/prices/price-history.service.ts'
import { answerReal, answerSplit, showQuestions } from '#server/prices/price-questions.commands.ts'
import { openQuestions } from '#server/prices/price-sources.rows.ts'
import { recordSplit } from '#server/prices/record-split.service.ts'
import { barsFrom, closesFile, dailySource, quiet } from '#tests/support/builders.ts'
import {
  sharedPriceWorld,
  begin,
  days,
  answered,
  statusOf,
  verdict,
} from '#tests/support/price-world.ts'
import { count } from '#tests/support/review.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { until } from '#tests/support/waiting.ts'
const prices = sharedPriceWorld()

/** Two quiet days, and then one of these prices. */
const through3 = (price: string) => [
  ...quiet('2024-06-01', '2024-06-02'),
  ...barsFrom('2024-06-03', [price]),
]

/** The rows of a day. */
const rowsOf = async (date: string) => (await days(prices)).filter(([at]) => at === date)

/** Begins with these predictions at this time. */
async function beginAt(time: string, ...entries: object[]): Promise<void> {
  prices.setTime(time)
  await begin(prices, ...entries)
}

describe('back-filling', () => {
  it('goes from the end of the starter data to now, and settles what two venues report', async () => {
    await beginAt('2024-06-05T12:00:00Z', answered('a'))
    const all = quiet('2024-05-01', '2024-06-05')
    prices.exchanges.bars.set('bitstamp', all).set('kraken', all)
    const [next] = await prices.ask('bitstamp')
    expect(next).toBe(Date.parse('2024-06-05T12:02:00Z'))
    expect(await days(prices)).toEqual([
      ['2024-06-02', 'bitstamp', 'waiting'],
      ['2024-06-03', 'bitstamp', 'waiting'],
      ['2024-06-04', 'bitstamp', 'waiting'],
      ['2024-06-05', 'bitstamp', 'moving'],
    ])
    await prices.ask('kraken')
    expect((await days(prices)).map(([, , state]) => state)).toEqual([
      ...Array<string>(6).fill('final'),
      'moving',
      'moving',
    ])
    const list = z.array(z.object({ date: z.string() }))
    const lastClose = async () =>
      list.parse((await prices.world.get('/api/prices')).body).at(-1)?.date
    await prices.world.refresh()
    expect(await lastClose()).toBe('2024-06-04')
    const { assets, sources } = await statusOf(prices)
    expect(assets[0]).toMatchObject({ last_bar: '2024-06-04', expected_bar: '2024-06-04' })
    expect(sources[0]).toMatchObject({ source: 'bitstamp', state: 'ok', last_bar: '2024-06-05' })
  })

  it('resumes where it was interrupted, page by page, oldest first', async () => {
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

  it('is idempotent', async () => {
    await beginAt('2024-06-05T12:00:00Z', answered('a'), answered('b', { price_target: 101 }))
    const all = quiet('2024-05-01', '2024-06-05')
    await prices.report({ bitstamp: all, kraken: all })
    const [before, rows] = [await days(prices), await count(prices.world, 'verdicts')]
    await prices.ask('bitstamp', 'kraken', 'bitstamp')
    expect(await days(prices)).toEqual(before)
    expect(await count(prices.world, 'verdicts')).toBe(rows)
  })

  it('takes a day that one venue lacks from the others, and requests gaps again', async () => {
    await beginAt('2024-06-06T12:00:00Z', answered('a'))
    const all = quiet('2024-06-01', '2024-06-06')
    const holed = all.filter((bar) => bar.day !== day('2024-06-03'))
    await prices.report({ bitstamp: holed, kraken: all })
    const third = () => rowsOf('2024-06-03')
    // Coinbase may still report it.
    expect(await third()).toEqual([['2024-06-03', 'kraken', 'waiting']])
    await prices.report({ coinbase: holed })
    expect(await third()).toEqual([['2024-06-03', 'kraken', 'final']])
    prices.exchanges.bars.set('bitstamp', all)
    prices.setTime('2024-06-07T00:05:00Z')
    await prices.ask('bitstamp')
    expect(await third()).toEqual([
      ['2024-06-03', 'bitstamp', 'final'],
      ['2024-06-03', 'kraken', 'final'],
    ])
  })

  it('keeps a miss pending for a day that no venue has', async () => {
    await beginAt('2024-06-12T12:00:00Z', answered('a'))
    const holed = quiet('2024-06-01', '2024-06-12').filter((bar) => bar.day !== day('2024-06-04'))
    await prices.report({ bitstamp: holed, kraken: holed, coinbase: holed })
    const waiting = { outcome: 'pending', reason: 'awaiting-prices' }
    expect(await verdict(prices, 'a')).toMatchObject(waiting)
    const all = quiet('2024-06-01', '2024-06-13')
    prices.exchanges.bars.set('bitstamp', all).set('kraken', all)
    prices.setTime('2024-06-13T00:05:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'miss', reason: 'not-reached' })
  })

  it('accepts one venue when the others have been away for long', async () => {
    await beginAt('2024-06-12T12:00:00Z', answered('a'))
    prices.exchanges.bars.set('bitstamp', quiet('2024-06-01', '2024-06-12'))
    for (const name of ['kraken', 'coinbase']) prices.exchanges.faults.set(name, 'down')
    await prices.ask('bitstamp', 'kraken', 'coinbase')
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    prices.setTime('2024-06-12T12:20:00Z')
    await prices.ask('kraken', 'coinbase')
    expect((await verdict(prices, 'a')).outcome).toBe('miss')
    const { sources } = await statusOf(prices)
    expect(sources.find(({ source }) => source === 'kraken')).toMatchObject({
      kind: 'daily',
      state: 'failing',
      failures: 2,
      last_error: expect.stringMatching(/^Kraken cannot be reached/),
    })
  })
})

describe('a source that fails', () => {
  it('is called less often each time, and logged once', async () => {
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

  it('that requests a wait is not called before its end', async () => {
    await beginAt('2024-06-05T12:00:00Z')
    prices.exchanges.faults.set('bitstamp', 'busy')
    expect(await prices.ask('bitstamp')).toEqual([Date.parse('2024-06-05T12:02:00Z')])
    prices.setTime('2024-06-05T12:01:00Z')
    expect(await prices.ask('bitstamp')).toEqual([Date.parse('2024-06-05T12:02:00Z')])
    expect(prices.exchanges.calls).toHaveLength(1)
    prices.setTime('2024-06-05T12:02:00Z')
    prices.exchanges.faults.delete('bitstamp')
    await prices.report({ bitstamp: quiet('2024-06-01', '2024-06-05') })
    expect(await days(prices)).toHaveLength(4)
  })

  it('with an empty list is not believed', async () => {
    await beginAt('2024-06-05T12:00:00Z')
    await prices.ask('bitstamp')
    expect((await statusOf(prices)).sources[0]).toMatchObject({
      state: 'failing',
      last_error: 'Bitstamp answered without any price.',
    })
  })
})

describe('a wick', () => {
  it.each([
    ['to 0.06', '0.06..105>100', { price_target: 50 }],
    ['to 138,000', '95..138000>100', { price_target: 150 }],
  ])('%s on one venue decides nothing', async (_, wick, claim) => {
    const top = answered('top', { prediction_type: 'top', price_target: 120 })
    await beginAt('2024-06-04T12:00:00Z', answered('a', claim), top)
    const calm = quiet('2024-06-01', '2024-06-12')
    const wicked = calm.with(2, barsFrom('2024-06-03', [wick])[0] ?? calm[0]!)
    prices.exchanges.bars.set('bitstamp', wicked).set('kraken', calm)
    await prices.ask('bitstamp')
    expect(await verdict(prices, 'a')).toMatchObject({
      outcome: 'pending',
      unconfirmed: { date: '2024-06-03' },
    })
    await prices.ask('kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    prices.setTime('2024-06-09T00:05:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect(await verdict(prices, 'a')).toMatchObject({
      outcome: 'miss',
      unconfirmed: { date: '2024-06-03' },
    })
    expect((await verdict(prices, 'top')).outcome).toBe('hit')
  })
})

it('a wick of the only remaining venue is not sole evidence on the current day until the others have been away for a day', async () => {
  await beginAt('2024-06-03T12:00:00Z', answered('a', { price_target: 104 }))
  prices.exchanges.bars.set('bitstamp', quiet('2024-06-03', '2024-06-03'))
  for (const name of ['kraken', 'coinbase']) prices.exchanges.faults.set(name, 'down')
  await prices.ask('bitstamp', 'kraken', 'coinbase')
  prices.setTime('2024-06-03T12:30:00Z')
  await prices.ask('kraken', 'coinbase')
  expect(await days(prices)).toEqual([['2024-06-03', 'bitstamp', 'moving']])
  prices.exchanges.bars.set('bitstamp', quiet('2024-06-03', '2024-06-04'))
  prices.setTime('2024-06-04T12:01:00Z')
  await prices.ask('bitstamp', 'kraken', 'coinbase')
  expect((await days(prices)).at(-1)).toEqual(['2024-06-04', 'bitstamp', 'alone'])
})

describe('the current day', () => {
  it('shows the current evidence of a hit when two venues correct themselves one after the other', async () => {
    await beginAt('2024-06-04T12:00:00Z', answered('a', { price_target: 130 }))
    const reported = (third: string) => [
      ...quiet('2024-06-01', '2024-06-02'),
      ...barsFrom('2024-06-03', [third, '95..135>125']),
    ]
    await prices.report({ bitstamp: reported('95..139>100'), kraken: reported('95..139>100') })
    expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', date: '2024-06-03' })
    await prices.report({ bitstamp: reported('95..105>100') })
    expect(await verdict(prices, 'a')).toMatchObject({
      outcome: 'hit',
      date: '2024-06-04',
      unconfirmed: { date: '2024-06-03', usd: 139 },
      bar: { high: 135, moving: true },
    })
    const rows = await count(prices.world, 'verdicts')
    await prices.report({ kraken: reported('95..105>100') })
    const now = await verdict(prices, 'a')
    expect(now).toMatchObject({ outcome: 'hit', date: '2024-06-04', unconfirmed: null })
    // What still moves is not recorded again.
    expect(await count(prices.world, 'verdicts')).toBe(rows)
  })

  it('proves a touch once two venues saw it, and its evidence is final when it ends', async () => {
    await beginAt('2024-06-03T12:00:00Z', answered('a', { price_target: 130 }))
    prices.exchanges.bars
      .set('bitstamp', through3('95..131>125'))
      .set('kraken', through3('95..129>125'))
    await prices.ask('bitstamp')
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    await prices.ask('kraken')
    expect(await verdict(prices, 'a')).toMatchObject({
      outcome: 'pending',
      unconfirmed: { usd: 131 },
    })
    await prices.report({ kraken: through3('95..132>125') })
    expect(await verdict(prices, 'a')).toMatchObject({
      outcome: 'hit',
      date: '2024-06-03',
      bar: { high: 131, source: 'bitstamp + kraken' },
    })
    expect((await verdict(prices, 'a', 'close')).outcome).toBe('pending')
    const rows = await count(prices.world, 'verdicts')
    await prices.report({ bitstamp: through3('95..135>120'), kraken: through3('95..136>120') })
    expect(await count(prices.world, 'verdicts')).toBe(rows)
    prices.setTime('2024-06-04T00:05:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', bar: { high: 135 } })
    expect(await count(prices.world, 'verdicts')).toBe(rows + 1)
  })

  it('does not end when our clock jumps', async () => {
    await beginAt('2024-06-08T12:00:00Z', answered('a'))
    const all = quiet('2024-06-01', '2024-06-08')
    prices.exchanges.bars.set('bitstamp', all).set('kraken', all)
    prices.setTime('2024-06-09T12:00:00Z', '2024-06-08T12:00:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    // Back again, and then the day really ends.
    prices.setTime('2024-06-08T13:00:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect(await rowsOf('2024-06-08')).toEqual([
      ['2024-06-08', 'bitstamp', 'moving'],
      ['2024-06-08', 'kraken', 'moving'],
    ])
    prices.setTime('2024-06-09T00:05:00Z')
    await prices.ask('bitstamp', 'kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('miss')
  })
})

describe('a venue that dies during a day', () => {
  it('does not take back the touch that it confirmed', async () => {
    await beginAt('2024-06-03T12:00:00Z', answered('a', { price_target: 120 }))
    await prices.report({
      bitstamp: through3('95..121>110'),
      kraken: through3('95..121>110'),
      coinbase: through3('95..119>110'),
    })
    expect((await verdict(prices, 'a')).outcome).toBe('hit')
    prices.exchanges.faults.set('kraken', 'down')
    prices.setTime('2024-06-04T00:05:00Z')
    await prices.ask('bitstamp', 'kraken', 'coinbase')
    expect(await rowsOf('2024-06-03')).toEqual([
      ['2024-06-03', 'bitstamp', 'final'],
      ['2024-06-03', 'coinbase', 'final'],
      ['2024-06-03', 'kraken', 'alone'],
    ])
    expect(await verdict(prices, 'a')).toMatchObject({
      outcome: 'hit',
      date: '2024-06-03',
      bar: { high: 121, source: 'bitstamp + coinbase' },
    })
  })
})

describe('one of two venues that dies during a day', () => {
  const prices = sharedPriceWorld({ PRICES_COINBASE_URL: 'off' })
  const calm = through3('95..110>100')

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

describe('the question about a price jump', () => {
  it('is shown and answered on the command line', async () => {
    prices.setTime('2024-12-04T22:00:00Z')
    const { db } = prices.world.database
    const clock = { now: () => Date.parse('2024-12-04T22:00:00Z') }
    await prices.world.imports.prices('mstr', 'date,close\n2024-12-02,400', 'starter')
    prices.exchanges.bars.set('yahoo', barsFrom('2024-12-03', ['390..410>400', '180..410>200']))
    expect(await showQuestions(db, false)).toBe('No question is open.')
    await prices.ask('yahoo')
    expect(await showQuestions(db, false)).toBe(
      'mstr 2024-12-04: 200 after 400 on 2024-12-03 (yahoo)',
    )
    expect(JSON.parse(await showQuestions(db, true))).toMatchObject([
      { asset: 'mstr', date: '2024-12-04', before: 400, after: 200 },
    ])
    const [before, jump] = [day('2024-12-03'), day('2024-12-04')]
    await expect(answerReal(db, 'mstr', before)).rejects.toThrow('No question about mstr')
    expect(await answerReal(db, 'mstr', jump)).toContain('is real')
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    expect(await answerSplit(db, clock, 'mstr', jump, 2)).toContain('became 2')
    await expect(answerSplit(db, clock, 'mstr', jump, 2)).rejects.toThrow('is known')
    expect(await showQuestions(db, true)).toBe('[]')
  })

  const open = async () => (await openQuestions(prices.world.database.db)).length

  it("answers itself when a coin's second venue shows the same", async () => {
    await beginAt('2024-06-04T00:05:00Z')
    prices.exchanges.bars
      .set('bitstamp', through3('48..101>50'))
      .set('kraken', through3('48..101>53'))
    await prices.ask('bitstamp')
    expect(await open()).toBe(1)
    const bitstamp = async () =>
      (await statusOf(prices)).sources.find((one) => one.source === 'bitstamp')
    expect(await bitstamp()).toMatchObject({ last_error: expect.stringContaining('jumps') })
    await prices.ask('kraken')
    expect(await open()).toBe(0)
    await prices.ask('bitstamp')
    // The hold on a source ends when the question is settled.
    expect(await bitstamp()).toMatchObject({ state: 'ok', last_error: null, last_error_at: null })
    expect(await rowsOf('2024-06-03')).toEqual([
      ['2024-06-03', 'bitstamp', 'final'],
      ['2024-06-03', 'kraken', 'final'],
    ])
  })

  it('stays when the second venue shows another jump', async () => {
    await beginAt('2024-06-04T00:05:00Z')
    await prices.report({ bitstamp: through3('48..101>50'), kraken: through3('3..101>5') })
    expect(await open()).toBe(1)
    expect((await days(prices)).some(([date]) => date === '2024-06-03')).toBe(false)
  })

  it('covers a range that two venues show, and is decided by an administrator', async () => {
    const { db } = prices.world.database
    await beginAt('2024-06-04T00:05:00Z', answered('a', { price_target: 5_000 }))
    for (const name of ['bitstamp', 'kraken'])
      prices.exchanges.bars.set(name, through3('95..999999>100'))
    prices.exchanges.bars.set('coinbase', through3('95..105>100'))
    await prices.ask('bitstamp', 'kraken', 'coinbase')
    expect(await showQuestions(db, false)).toBe(
      'btc 2024-06-03: 999999 after 100 on 2024-06-02 (kraken)',
    )
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    await answerReal(db, 'btc', day('2024-06-03'))
    await prices.ask('kraken')
    expect((await verdict(prices, 'a')).outcome).toBe('hit')
  })

  it('covers a day with quite different prices on record', async () => {
    await beginAt('2024-06-04T00:05:00Z')
    prices.exchanges.bars.set('kraken', quiet('2024-06-01', '2024-06-03'))
    // None of its steps is a jump.
    const steps = barsFrom('2024-06-01', ['95..105>100', '95..135>130', '125..170>165'])
    prices.exchanges.bars.set('bitstamp', steps)
    await prices.ask('kraken', 'bitstamp')
    expect(await openQuestions(prices.world.database.db)).toMatchObject([
      { sources: 'bitstamp', beforeUsd: 100, day: day('2024-06-03'), afterUsd: 165 },
    ])
    expect((await days(prices)).at(-1)).toEqual(['2024-06-03', 'kraken', 'waiting'])
  })

  it('is withdrawn when its source corrects itself, and asked again on a relapse', async () => {
    await beginAt('2024-06-04T00:05:00Z')
    for (const [price, questions] of [
      ['48..101>50', 1],
      ['95..105>100', 0],
    ] as const) {
      await prices.report({ bitstamp: through3(price) })
      expect(await open()).toBe(questions)
    }
    expect((await days(prices)).at(-1)).toEqual(['2024-06-03', 'bitstamp', 'waiting'])
    await prices.report({ kraken: through3('3..101>5') })
    expect(await open()).toBe(1)
  })
})

describe('a stock', () => {
  const stock = (id: string, overrides: object): object =>
    answered(id, { asset_type: 'mstr', prediction_made: '2024-11-25', ...overrides })

  it('is judged after half a day, and not before it has ended', async () => {
    prices.setTime('2024-11-29T17:59:00Z')
    const closes = 'date,close\n2024-11-22,100\n2024-11-25,100'
    await prices.world.imports.prices('mstr', closes, 'starter')
    await prices.world.publish(stock('a', { target_time: '2024-11-29' }))
    const all = quiet('2024-11-25', '2024-11-29').filter((bar) => isoDay(bar.day) !== '2024-11-28')
    prices.exchanges.bars.set('yahoo', all)
    expect(await prices.ask('yahoo')).toEqual([Date.parse('2024-11-29T18:20:00Z')])
    expect((await verdict(prices, 'a')).outcome).toBe('pending')
    prices.setTime('2024-11-29T18:20:00Z')
    await prices.ask('yahoo')
    expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'miss', date: '2024-11-29' })
  })

  it('that splits overnight is held back until an administrator confirms the split', async () => {
    prices.setTime('2024-12-04T22:00:00Z')
    const closes = 'date,close\n2024-11-29,400\n2024-12-02,400'
    await prices.world.imports.prices('mstr', closes, 'starter')
    const said = { target_time: '2024-12-20', prediction_made: '2024-12-02' }
    await prices.world.publish(
      stock('low', { price_target: 50, ...said }),
      stock('high', { price_target: 450, ...said }),
    )
    const before = barsFrom('2024-12-03', ['390..410>400', '390..410>400'])
    await prices.report({ yahoo: before })
    expect(await days(prices, 'mstr')).toHaveLength(2)
    // Ten shares became one overnight, and the source has adjusted all it reports.
    const after = barsFrom('2024-12-03', ['39..41>40', '39..41>40', '39..46>41'])
    prices.exchanges.bars.set('yahoo', after)
    prices.setTime('2024-12-05T22:00:00Z')
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(2)
    for (const id of ['low', 'high']) expect((await verdict(prices, id)).outcome).toBe('pending')
    expect((await statusOf(prices)).questions).toEqual([
      {
        asset: 'mstr',
        date: '2024-12-05',
        sources: 'yahoo',
        before_date: '2024-12-04',
        before: 400,
        after: 41,
      },
    ])
    await prices.ask('yahoo')
    expect(prices.lines.filter((line) => line.includes('waits for review'))).toHaveLength(1)

    const split = { day: day('2024-12-05'), ratio: 10 }
    expect(await recordSplit(prices.history, 'mstr', { ...split, note: 'ten for one' })).toBe(true)
    await prices.ask('yahoo')
    expect(await days(prices, 'mstr')).toHaveLength(3)
    expect(await verdict(prices, 'low')).toMatchObject({ outcome: 'pending', level_min: 5 })
    expect(await verdict(prices, 'high')).toMatchObject({
      outcome: 'hit',
      date: '2024-12-05',
      level_min: 45,
      bar: { high: 46 },
    })
    expect(await recordSplit(prices.history, 'mstr', { ...split, note: 'again' })).toBe(false)
  })

  it.each([
    { where: 'on record', closes: [1300, 1300], from: '2024-08-08', answer: [] },
    { where: 'in an answer', closes: [], from: '2024-08-06', answer: [1300, 1300] },
  ])('has older prices converted by a known split $where', async ({ closes, from, answer }) => {
    prices.setTime('2024-08-08T22:00:00Z')
    await prices.world.imports.prices('mstr', closesFile('2024-08-06', closes), 'starter')
    await prices.report({ yahoo: barsFrom(from, [...answer, '129..131>130']) })
    const stored = await loadBars(prices.world.database.db, 'mstr')
    expect(stored.map(({ close }) => close)).toEqual([130, 130, 130])
    expect((await statusOf(prices)).questions).toEqual([])
  })
})

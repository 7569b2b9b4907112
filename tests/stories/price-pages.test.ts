import { addDays, day, type Day } from '#domain/day.ts'
import { type DailyAsk, type DailySource } from '#server/prices/ports.ts'
import { bringUpToDate, priceHistory } from '#server/prices/price-history.service.ts'
import { sourceHealth } from '#server/prices/source-health.ts'
import { priceWorld } from '#tests/support/price-world.ts'
import { begin, days } from '#tests/support/price-answers.ts'
import { expect, it } from 'vitest'

it('a page that comes back shorter than asked is asked for again in smaller pages', async () => {
  await using prices = await priceWorld('2024-12-01T12:00:00Z')
  await begin(prices)
  const asks: DailyAsk[] = []
  const source: DailySource = {
    name: 'bitstamp',
    title: 'Bitstamp',
    asset: 'btc',
    isOfficial: true,
    isFull: true,
    firstDay: day('2011-08-18'),
    reachDays: null,
    pageDays: 100,
    pauseMs: 1,
    refreshMs: 120_000,
    // It promises 100 days and gives the last 40.
    daily: (ask) => {
      asks.push(ask)
      const found: Day[] = []
      for (let at = ask.from; at <= ask.to; at = addDays(at, 1)) found.push(at)
      const bars = found.slice(-40).map((at) => {
        return { day: at, open: 100, high: 105, low: 95, close: 100, source: 'bitstamp' }
      })
      return Promise.resolve({ bars, remoteMs: null })
    },
  }
  const { db } = prices.world.database
  const clock = { now: () => Date.parse('2024-12-01T12:00:00Z') }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const sources = [source]
  const history = priceHistory({ db, clock, log, health: sourceHealth(log), sources })
  await bringUpToDate(history, 'btc', 'bitstamp', new AbortController().signal)
  // 2 June to 1 December, both included.
  expect(await days(prices)).toHaveLength(183)
  const before = asks.length
  await bringUpToDate(history, 'btc', 'bitstamp', new AbortController().signal)
  expect(asks.length).toBe(before + 1)
})

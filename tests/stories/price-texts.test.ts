import { afterAll, beforeAll, vi } from 'vitest'
import { day, isoDay } from '#domain/day.ts'
import { answerReal, answerSplit, showQuestions } from '#server/prices/price-questions.commands.ts'
import { newVerdicts } from '#server/publishing/news.service.ts'
import { closesFile, quiet } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { answered, days, priceWorld, statusOf, verdict } from '#tests/support/price-world.ts'
import { movingClock, NOON } from '#tests/support/review.ts'
import { stories } from '#tests/support/story.ts'

/* Stories about the bars of stand-in exchanges. */
const clock = movingClock()
const prices = onceForFile(() => priceWorld(NOON, {}, clock))
const site = () => prices().world
// Pauses after faults are random.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5))
afterAll(() => void vi.restoreAllMocks())

const { replay } = stories(site, clock, async () => {
  prices().beginAgain()
  await emptied(site())
})

const split = (words: string) => words.split(' ') as [string, ...string[]]
const assetOf = (name: string) => (name === 'mstr' ? name : 'btc')
const dayOf = (name = '') => day(name)
const refused = (error: Error) => error.message

replay('prices', {
  /** One close for each day from one until before another, as in the starter data. */
  closes: async (words) => {
    const [asset, from = '', to = '', usd] = split(words)
    const closes = Array<number>(dayOf(to) - dayOf(from)).fill(Number(usd))
    await site().imports.prices(assetOf(asset), closesFile(from, closes), 'starter')
  },
  /** A prediction of 1 June 2024, due on the 8th by default. */
  said: async (input) => {
    const { id, ...more } = JSON.parse(input) as { id: string }
    await site().imports.predictions(JSON.stringify([answered(id, more)]))
  },
  /** What an exchange has: `95..105>100` on each day, but for such as `2024-06-03=95..131>125`. */
  bars: (words) => {
    const [name, from = '', to = '', ...own] = split(words)
    const special = new Map(own.map((text) => text.split('=') as [string, string]))
    const bars = quiet(from, to).flatMap((bar) => {
      const price = special.get(isoDay(bar.day))
      if (price === 'none') return []
      return price === undefined ? bar : quiet(isoDay(bar.day), isoDay(bar.day), price)
    })
    prices().exchanges.bars.set(name, bars)
  },
  fault: (words) => {
    const { faults } = prices().exchanges
    const [name, ...fault] = split(words)
    if (fault.length === 0) faults.delete(name)
    else faults.set(name, fault.join(' ') as 'down')
  },
  'their-time': (time) => {
    prices().exchanges.now = time === '' ? clock.now : () => Date.parse(time)
  },
  ask: async (names) => void (await prices().ask(...split(names))),
  due: async (name) => new Date((await prices().ask(name))[0] ?? NaN),
  'ask-earlier': async () => new Date(await prices().askEarlier()),
  /** Calls to exchanges since the last time. */
  calls: () =>
    prices()
      .exchanges.calls.splice(0)
      .map(({ source, url }) => `${source} ${url.search}`),
  days: async (asset) => (await days(prices(), assetOf(asset))).map((row) => row.join(' ')),
  verdict: async (words) => {
    const [id, mode] = split(words)
    return verdict(prices(), id, mode === 'close' ? mode : 'touch')
  },
  status: async (name) => {
    const { sources, ...others } = await statusOf(prices())
    return name === '' ? others : sources.find(({ source }) => source === name)
  },
  drain: () => site().jobs.drain(),
  log: () => prices().lines.splice(0),
  questions: () => showQuestions(site().database.db, false),
  real: (words) => {
    const [asset, date] = split(words)
    return answerReal(site().database.db, assetOf(asset), dayOf(date)).catch(refused)
  },
  split: (words) => {
    const [asset, date, ratio] = split(words)
    const { db } = site().database
    return answerSplit(db, clock, assetOf(asset), dayOf(date), Number(ratio)).catch(refused)
  },
  news: () => newVerdicts(site().database.db, '2000-01-01'),
})

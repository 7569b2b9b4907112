import { expect, it } from 'vitest'
import { listEarlierDays } from '#contracts/operations.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { readEarlierDays } from '#server/prices/earlier-days.service.ts'
import { newVerdicts } from '#server/publishing/news.service.ts'
import { quiet, closesFile } from '#tests/support/builders.ts'
import { sharedPriceWorld, days, answered, verdict } from '#tests/support/price-world.ts'
import { audited } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testKit } from '#tests/support/test-site.ts'

const BTC = ['bitstamp', 'kraken', 'coinbase'] as const
const NOW = '2024-06-12T12:00:00Z'
const DAY_MS = 86_400_000
/** Source of the closes in files. */
const FROM = '2023-09-25'

const prices = sharedPriceWorld()

/** Quiet days, and some with prices of their own, each written as `low..high>close`. */
function market(own: Readonly<Record<string, string>> = {}, from = FROM, to = '2024-06-12'): Bar[] {
  const special = new Map<Day, Bar | undefined>(
    Object.entries(own).map(([date, price]) => [day(date), quiet(date, date, price)[0]]),
  )
  return quiet(from, to).map((bar) => special.get(bar.day) ?? bar)
}

const importCloses = (from: string, to: string, usd = 100) => {
  const closes = Array<number>(day(to) - day(from)).fill(usd)
  return prices.world.imports.prices('btc', closesFile(from, closes), 'starter')
}

/** Quiet days at two venues, except for a touch of $116. */
function touchedOn(date: string): void {
  const bars = market({ [date]: '95..116>100' })
  prices.exchanges.bars.set('bitstamp', bars).set('kraken', bars)
}

/** Closes of 100 from a day on, and a prediction about them; venues show quiet days. */
async function beginAt(overrides: object = {}, from = FROM): Promise<void> {
  prices.setTime(NOW)
  await importCloses(from, '2024-06-12')
  const said = { prediction_made: '2023-10-01', target_time: '2023-10-20', ...overrides }
  await prices.world.imports.predictions(JSON.stringify([answered('a', said)]))
  for (const name of BTC) prices.exchanges.bars.set(name, market({}, from))
}

async function readAll(): Promise<number> {
  await prices.ask(...BTC)
  return prices.askEarlier()
}

async function changes(): Promise<string[]> {
  const rows = await prices.world.sql(
    `select change, outcome from verdicts where prediction_id = 'a' and mode = 'touch' order by id`,
  )
  return rows.map(({ change, outcome }) => `${change} ${outcome}`)
}

const EARLIER = '/api/v1/admin/prices/earlier-days'

async function waiting() {
  const admin = await signedIn(prices.world)
  return (await admin.read(listEarlierDays)).waiting
}

async function publish(seen: string): Promise<number> {
  const admin = await signedIn(prices.world)
  return (await admin.call('POST', `${EARLIER}/publish`, { asset: 'btc', seen })).status
}

async function publishPrediction(): Promise<void> {
  expect(await publish((await waiting())[0]?.digest ?? '')).toBe(200)
}

async function rangedDays(from: string, to: string): Promise<number> {
  const rows = await prices.world.sql(
    `select 1 from bars where asset = 'btc' and day between $1 and $2 and high is not null
     group by day having count(*) >= 2`,
    [from, to],
  )
  return rows.length
}

async function feedItems(): Promise<number> {
  return (await prices.world.app.inject('/feed.json')).json<{ items: object[] }>().items.length
}

it('earlier days get highs and lows, and resulting changes are not news', async () => {
  await beginAt(
    { prediction_made: '2021-03-05', target_time: '2021-06-30', price_target: 115 },
    '2021-01-01',
  )
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
  const touched = { '2021-05-06': '95..116>100', '2021-05-07': '95..190>100' }
  prices.exchanges.bars.set('bitstamp', market(touched, '2021-01-01'))
  prices.exchanges.bars.set('coinbase', market({}, '2022-07-21'))
  await readAll()
  await publishPrediction()
  await prices.askEarlier()
  const hit = { outcome: 'hit', date: '2021-05-06', bar: { high: 116 } }
  expect(await verdict(prices, 'a')).toMatchObject(hit)
  expect(await changes()).toEqual(['first miss', 'range hit'])
  const { database } = prices.world
  const history = await database.sql(
    `select text from prediction_events where prediction_id = 'a' order by id desc limit 3`,
  )
  expect(history.map(({ text }) => text)).toContain(
    'Verdict by intraday prices: SUCCESS on 06/05/2021, before MISS on 30/06/2021 (daily range now known).',
  )
  expect(await newVerdicts(database.db, '2000-01-01')).toEqual([])
  expect(await feedItems()).toBe(1)
  const oldest = await database.sql(
    `select min(day)::text as day from bars where asset = 'btc' and source = 'kraken'`,
  )
  expect(oldest[0]?.day, 'no further back than it reaches').toBe('2022-06-24')
})

it('days are read newest first; an exhausted source is not asked further, and no day twice', async () => {
  await beginAt({}, '2022-01-01')
  prices.exchanges.bars.set('coinbase', market({}, '2023-01-01'))
  await prices.ask(...BTC)
  const before = prices.exchanges.calls.length
  await prices.askEarlier()
  const callsBefore = prices.exchanges.calls
    .slice(before)
    .filter(({ source }) => source === 'coinbase')
    .map(({ url }) => url.searchParams.get('end')?.slice(0, 10))
  expect(callsBefore).toEqual(['2024-06-11', '2023-08-17', '2022-10-22'])
  const { length } = prices.exchanges.calls
  expect(await prices.askEarlier()).toBe(Date.parse(NOW) + DAY_MS)
  expect(prices.exchanges.calls).toHaveLength(length)
})

it('ranges that would change a verdict are stored once an administrator has agreed to exactly that change', async () => {
  await beginAt({ price_target: 115 })
  touchedOn('2023-10-05')
  await readAll()
  const would = (after: string, agreed_by: string | null = null): object => {
    const changes = [{ id: 'a', mode: 'touch', before: 'MISS on 20/10/2023', after }]
    return { asset: 'btc', days: 261, changed: 1, changes, agreed_by }
  }
  const first = await waiting()
  expect(first).toMatchObject([would('SUCCESS on 05/10/2023')])
  expect(await changes()).toEqual(['first miss'])
  expect(await rangedDays(FROM, '2024-06-11')).toBe(0)
  // Nothing is requested during its wait.
  const { length } = prices.exchanges.calls
  expect(await prices.askEarlier()).toBe(Date.parse(NOW) + DAY_MS)
  expect(prices.exchanges.calls).toHaveLength(length)
  expect(await publish('another')).toBe(409)

  touchedOn('2023-10-06')
  const { jobs } = prices.world
  await publishPrediction()
  expect(await waiting()).toMatchObject([would('SUCCESS on 05/10/2023', 'Admin A')])
  expect(await publish(first[0]?.digest ?? ''), 'agreed once').toBe(409)
  await jobs.drain()
  expect(await waiting()).toMatchObject([would('SUCCESS on 06/10/2023')])
  expect(await changes()).toEqual(['first miss'])
  expect(await publish(first[0]?.digest ?? ''), 'of what was seen before').toBe(409)

  await publishPrediction()
  await jobs.drain()
  expect(await waiting()).toEqual([])
  expect(await changes()).toEqual(['first miss', 'range hit'])
  expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', date: '2023-10-06' })
  const entry = { username: 'Admin A', subject_id: 'btc', after: { days: 261, verdicts: 1 } }
  expect(await audited(prices.world, `action = 'daily ranges published'`)).toMatchObject([
    entry,
    entry,
  ])
})

it('no verdict is decided before every venue has answered, so none flips back', async () => {
  await beginAt({ price_target: 120 })
  prices.exchanges.bars.set('bitstamp', market({ '2023-10-05': '95..121>100' }))
  await prices.ask(...BTC)
  prices.exchanges.faults.set('coinbase', 'down')
  expect(await prices.askEarlier()).toBeLessThan(Date.parse(NOW) + 60_000)
  expect(await changes()).toEqual(['first miss'])
  expect(await days(prices)).not.toContainEqual(['2023-10-05', 'bitstamp', 'final'])
  // The source that failed is called first, and no other while it keeps failing.
  const { length } = prices.exchanges.calls
  await prices.askEarlier()
  expect(prices.exchanges.calls.slice(length).map(({ source }) => source)).toEqual(['coinbase'])
  prices.exchanges.faults.clear()
  await prices.askEarlier()
  expect(await verdict(prices, 'a')).toMatchObject({
    outcome: 'miss',
    unconfirmed: { date: '2023-10-05', usd: 121 },
  })
  expect(await changes()).toEqual(['first miss', 'range miss'])
})

it('a venue that has been away for long does not block the others, and is asked when it returns', async () => {
  await beginAt({ price_target: 120 })
  prices.exchanges.bars.set('kraken', market({ '2023-10-05': '95..121>100' }))
  prices.exchanges.bars.set('bitstamp', market({ '2023-10-05': '95..122>100' }))
  prices.exchanges.faults.set('coinbase', 'down').set('kraken', 'down')
  await readAll()
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
  prices.setTime('2024-06-12T12:20:00Z')
  await readAll()
  await publishPrediction()
  await prices.askEarlier()
  expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', bar: { high: 122 } })
  prices.exchanges.faults.clear()
  prices.setTime('2024-06-12T13:30:00Z')
  await readAll()
  expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', bar: { high: 121 } })
})

/** Prices of two venues by day; the third has none of these days. */
const NO_MATCH: readonly [why: string, bitstamp: string, kraken: string][] = [
  ['ranges that do not meet', '95..104>100', '106..109>107'],
  ['far off the closes beside it', '95..999999>100', '95..999999>100'],
  ['another close than the record', '120..130>125', '120..130>125'],
  ['one lies', '900..1100>1000', '95..116>100'],
  ['one contradicts itself', '95..105>130', '95..116>100'],
]
it('days whose prices differ between two venues stay unchanged', async () => {
  await beginAt({ price_target: 106 })
  const dateOf = (n: number): string => `2023-10-${String(5 + 2 * n).padStart(2, '0')}`
  const of = (venue: 1 | 2) =>
    market(Object.fromEntries(NO_MATCH.map((row, n) => [dateOf(n), row[venue]])))
  prices.exchanges.bars.set('bitstamp', of(1)).set('kraken', of(2))
  const odd = NO_MATCH.map((_, n) => day(dateOf(n)))
  const others = market().filter((bar) => !odd.includes(bar.day))
  prices.exchanges.bars.set('coinbase', others)
  await readAll()
  // The ranges of the other days decide what was pending.
  await publishPrediction()
  await prices.askEarlier()
  const known = await days(prices)
  for (const [n, [why]] of NO_MATCH.entries())
    expect([why, known.filter(([date]) => date === dateOf(n))]).toEqual([why, []])
  expect(known).toContainEqual(['2023-10-06', 'bitstamp', 'final'])
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
})

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

it('closes of newer and older days that are imported later are completed, too', async () => {
  await beginAt()
  await readAll()
  prices.setTime('2024-06-15T12:00:00Z')
  const later = [
    ['2024-06-12', '2024-06-15'],
    ['2023-07-01', FROM],
  ] as const
  for (const [from, to] of later) await importCloses(from, to)
  for (const name of BTC) prices.exchanges.bars.set(name, market({}, '2023-07-01', '2024-06-15'))
  await readAll()
  for (const [from, to] of later)
    expect(await rangedDays(from, to)).toBeGreaterThanOrEqual(day(to) - day(from))
})

it('closes imported while a source answers are requested in the next run', async () => {
  prices.setTime(NOW)
  await importCloses(FROM, '2023-10-01')
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
  expect(await rangedDays('2023-10-01', '2023-10-10')).toBe(10)
})

it('two processes read the same earlier days and store each verdict once', async () => {
  await beginAt({ price_target: 115 })
  touchedOn('2023-10-05')
  await readAll()
  await publishPrediction()
  const { signal } = new AbortController()
  await using other = testKit(prices.world.database.url)
  await Promise.all([
    readEarlierDays(prices.history, 'btc', signal),
    readEarlierDays({ ...prices.history, db: other.db, running: new Map() }, 'btc', signal),
  ])
  expect(await changes()).toEqual(['first miss', 'range hit'])
})

it('a file with highs and lows changes verdicts for the same reason, with a summary', async () => {
  await beginAt({ price_target: 115 })
  const rows = market({ '2023-10-05': '95..116>100' }, FROM, '2024-06-11').map(
    ({ day: at, high, low }) => `${isoDay(at)},100,${String(high)},${String(low)},100`,
  )
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
  await verdict(prices, 'a')
  expect(await feedItems()).toBe(1)
  // There is nothing left to ask for.
  await prices.ask(...BTC)
  const { length } = prices.exchanges.calls
  await prices.askEarlier()
  expect(prices.exchanges.calls).toHaveLength(length)
})

it('better evidence of a verdict is recorded, but is not news', async () => {
  await beginAt({ price_target: 115 })
  const { database } = prices.world
  await importCloses('2023-10-05', '2023-10-06', 103)
  expect(await changes()).toEqual(['first miss', 'prices miss'])
  expect(await newVerdicts(database.db, '2000-01-01')).toEqual([])
  await verdict(prices, 'a')
  expect(await feedItems()).toBe(1)
  await importCloses('2023-10-06', '2023-10-07', 116)
  const news = await newVerdicts(database.db, '2000-01-01')
  expect(news).toMatchObject([{ predictionId: 'a', outcome: 'hit' }])
  await verdict(prices, 'a')
  expect(await feedItems()).toBe(2)
  // The same decision on better evidence is still one news item.
  await importCloses('2023-10-06', '2023-10-07', 117)
  expect(await changes()).toHaveLength(4)
  expect(await newVerdicts(database.db, '2000-01-01')).toEqual(news)
  await verdict(prices, 'a')
  expect(await feedItems()).toBe(2)
})

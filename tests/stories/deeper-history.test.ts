// Over 400 lines: every way in which venues can answer about earlier days, on one market.
import { listEarlierDays } from '#contracts/operations.ts'
import { day, isoDay } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { askAgain, barsApart, loadDeeper } from '#server/prices/deeper-history.rows.ts'
import { deepen } from '#server/prices/deeper-history.service.ts'
import { type PriceHistory } from '#server/prices/price-history.service.ts'
import { startPriceJobs } from '#server/prices/prices.jobs.ts'
import { publishDeeper } from '#server/prices/publish-deeper.service.ts'
import { SILENT, testKit } from '#tests/support/test-site.ts'
import { newVerdicts } from '#server/publishing/publishing-settings.store.ts'
import { quiet } from '#tests/support/bars.ts'
import { closesFile } from '#tests/support/builders.ts'
import { sharedPriceWorld, type PriceWorld } from '#tests/support/price-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { asLater, days, said, statusOf, verdict } from '#tests/support/price-answers.ts'
import { shows, until } from '#tests/support/waiting.ts'
import {
  autumn,
  BTC,
  changesOf,
  DAY_MS,
  market,
  NOW,
  readAll,
  beginAt,
} from '#tests/support/earlier-days.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

const prices = sharedPriceWorld()

/** What administrators see of the earlier days. */
async function shown(of: PriceWorld = prices) {
  const admin = await signedIn(of.world)
  const { body } = await asLater(() => admin.call('GET', '/api/v1/admin/prices/earlier-days'))
  return listEarlierDays.reply.parse(body)
}

async function feedItems({ world }: PriceWorld): Promise<number> {
  const feed = await world.app.inject('/feed.json')
  return feed.json<{ items: object[] }>().items.length
}

it('closes of earlier years that are imported later get their highs and lows, too', async () => {
  await beginAt(prices)
  await readAll(prices, ...BTC)
  const { world } = prices
  const older = Array<number>(day('2023-06-01') - day('2023-01-01')).fill(100)
  await world.imports.prices('btc', closesFile('2023-01-01', older), 'starter')
  for (const name of BTC) prices.exchanges.bars.set(name, market({}, '2023-01-01'))
  await readAll(prices, ...BTC)
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from (
       select day from bars where asset = 'btc' and day < '2023-06-01' and high is not null
       group by day having count(*) >= 2) as ranged`,
  )
  expect(rows).toEqual([{ n: older.length }])
})

it('earlier days get their highs and lows, and what they change is no news', async () => {
  const called = said('hit', {
    prediction_made: '2021-03-05',
    target_time: '2021-06-30',
    price_target: 115,
  })
  await beginAt(prices, [called], '2021-01-01')
  expect((await verdict(prices, 'hit')).outcome).toBe('miss')
  prices.exchanges.bars.set(
    'bitstamp',
    market({ '2021-05-06': '95..116>100', '2021-05-07': '95..190>100' }, '2021-01-01'),
  )
  prices.exchanges.bars.set('coinbase', market({}, '2022-07-21'))
  await readAll(prices, ...BTC)
  expect(await verdict(prices, 'hit')).toMatchObject({
    outcome: 'hit',
    date: '2021-05-06',
    bar: { high: 116 },
  })
  expect(await changesOf(prices, 'hit')).toEqual(['first miss', 'range hit'])
  const { world } = prices
  const history = await world.database.pool.query<{ text: string }>(
    `select text from prediction_events where prediction_id = 'hit' order by id desc limit 3`,
  )
  expect(history.rows.map(({ text }) => text)).toContain(
    'Verdict by intraday prices: SUCCESS on 06/05/2021, before MISS on 30/06/2021 (daily range now known).',
  )
  expect(await newVerdicts(world.database.db, '2000-01-01')).toEqual([])
  expect(await feedItems(prices)).toBe(1)
  const { sources } = (await statusOf(prices)).earlier_days
  const kraken = sources.find(({ source }) => source === 'kraken')
  expect(kraken?.asked_from, 'no further back than it reaches').toBe('2022-06-24')
  expect(sources.find(({ source }) => source === 'bitstamp')).toMatchObject({
    state: 'done',
    asked_from: '2021-01-01',
    asked_to: '2024-06-11',
    days_read: day('2024-06-12') - day('2021-01-01'),
    days_refused: 0,
  })
  expect((await shown(prices)).published).toMatchObject([
    { asset: 'btc', by: null, from: '2021-01-01', to: '2024-06-11', changed: 1 },
  ])
})

it('earlier days are read newest first, and go on where they were cut off', async () => {
  await beginAt(prices, [], '2022-01-01')
  await prices.ask('coinbase')
  const before = prices.exchanges.calls.length
  await prices.askEarlier('coinbase')
  prices.exchanges.faults.set('coinbase', 'slow')
  const stop = new AbortController()
  const cut = deepen(prices.history, 'btc', 'coinbase', stop.signal)
  cut.catch(() => {})
  await until(() => prices.exchanges.calls.length === before + 2)
  stop.abort()
  await expect(cut).rejects.toThrow(/abort/i)
  prices.exchanges.faults.clear()
  // Another process knows nothing but the database.
  const after = { ...prices.history, running: new Map() }
  const { signal } = new AbortController()
  let next: number | null = null
  for (let calls = 0; next !== Date.parse(NOW) + DAY_MS; calls += 1) {
    if (calls > 100) throw new Error('coinbase never came to an end')
    next = await deepen(after, 'btc', 'coinbase', signal)
  }
  const asked = prices.exchanges.calls
    .slice(before)
    .map(({ url }) => url.searchParams.get('end')?.slice(0, 10))
  expect(asked.slice(0, 4)).toEqual(['2024-06-11', '2023-08-17', '2023-08-17', '2022-10-22'])
  expect(new Set(asked).size).toBe(asked.length - 1)
  expect(
    (await statusOf(prices)).earlier_days.sources.find(({ source }) => source === 'coinbase'),
  ).toMatchObject({
    days_read: day('2024-06-12') - day('2022-01-01'),
  })
})

it('nothing of earlier days decides before every venue has answered, so a verdict does not flip and flip back', async () => {
  await beginAt(prices, [autumn('wick', { price_target: 120 })])
  prices.exchanges.bars.set('bitstamp', market({ '2023-10-05': '95..121>100' }))
  await readAll(prices, 'bitstamp')
  expect(await verdict(prices, 'wick')).toMatchObject({ outcome: 'miss', unconfirmed: null })
  expect(await days(prices)).not.toContainEqual(['2023-10-05', 'bitstamp', 'final'])
  await readAll(prices, 'kraken', 'coinbase')
  expect(await verdict(prices, 'wick')).toMatchObject({
    outcome: 'miss',
    unconfirmed: { date: '2023-10-05', usd: 121 },
  })
  expect(await changesOf(prices, 'wick')).toEqual(['first miss', 'range miss'])
})

it('a venue that has been away for long does not hold up the others, and is heard when it comes back', async () => {
  await beginAt(prices, [autumn('a', { price_target: 120 })])
  prices.exchanges.bars.set('kraken', market({ '2023-10-05': '95..121>100' }))
  prices.exchanges.bars.set('bitstamp', market({ '2023-10-05': '95..122>100' }))
  prices.exchanges.faults.set('coinbase', 'down').set('kraken', 'down')
  await prices.ask('kraken', 'coinbase')
  await readAll(prices, 'bitstamp')
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
  prices.setTime('2024-06-12T12:20:00Z')
  await prices.ask('kraken', 'coinbase')
  await prices.askEarlier('kraken')
  expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', bar: { high: 122 } })
  prices.exchanges.faults.clear()
  prices.setTime('2024-06-12T13:30:00Z')
  await readAll(prices, 'kraken', 'coinbase')
  expect(await verdict(prices, 'a')).toMatchObject({ outcome: 'hit', bar: { high: 121 } })
})

it('venues that disagree about a day leave it as it was, and the day is listed', async () => {
  await beginAt(prices, [autumn('a', { price_target: 106 })])
  prices.exchanges.bars.set('bitstamp', market({ '2023-10-05': '95..104>100' }))
  prices.exchanges.bars.set('kraken', market({ '2023-10-05': '106..109>107' }))
  prices.exchanges.bars.set(
    'coinbase',
    market().filter((bar) => bar.day !== day('2023-10-05')),
  )
  await readAll(prices, ...BTC)
  const reason = 'The ranges do not meet: bitstamp 95 to 104, kraken 106 to 109.'
  expect((await shown(prices)).refused).toEqual({
    total: 2,
    newest: [
      { asset: 'btc', date: '2023-10-05', source: 'bitstamp', reason },
      { asset: 'btc', date: '2023-10-05', source: 'kraken', reason },
    ],
  })
  expect(await days(prices)).not.toContainEqual(['2023-10-05', 'bitstamp', 'final'])
  expect(await days(prices)).toContainEqual(['2023-10-06', 'bitstamp', 'final'])
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
})

it('a price far off the closes that two venues show changes nothing, and the day is listed', async () => {
  await beginAt(prices, [autumn('a', { price_target: 115 })])
  const lies = { '2023-10-05': '95..999999>100' }
  for (const name of ['bitstamp', 'kraken']) prices.exchanges.bars.set(name, market(lies))
  prices.exchanges.bars.set('coinbase', market())
  await readAll(prices, ...BTC)
  expect((await shown(prices)).refused.newest[0]).toMatchObject({
    date: '2023-10-05',
    reason: expect.stringMatching(/^Its price of 999999 is more than 40 % from the closes/),
  })
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
})

it('a venue that lies about a day, or contradicts itself, is refused there, and one other alone does not decide', async () => {
  await beginAt(prices, [autumn('a', { price_target: 115 })])
  const lies = { '2023-10-05': '900..1100>1000', '2023-10-06': '95..105>130' }
  prices.exchanges.bars.set('bitstamp', market(lies))
  prices.exchanges.bars.set('kraken', market({ '2023-10-05': '95..116>100' }))
  prices.exchanges.bars.set(
    'coinbase',
    market().filter((bar) => bar.day !== day('2023-10-05')),
  )
  await readAll(prices, ...BTC)
  expect((await shown(prices)).refused.newest).toEqual([
    {
      asset: 'btc',
      date: '2023-10-06',
      source: 'bitstamp',
      reason: 'Its open, high, low and close contradict each other.',
    },
    {
      asset: 'btc',
      date: '2023-10-05',
      source: 'bitstamp',
      reason: 'Its close of 1000 is too far from the close on record, 100.',
    },
    {
      asset: 'btc',
      date: '2023-10-05',
      source: 'kraken',
      reason: 'Its only other venue gave a price that was refused.',
    },
  ])
  expect((await verdict(prices, 'a')).outcome).toBe('miss')
  expect(await days(prices)).toContainEqual(['2023-10-06', 'kraken', 'final'])
})

it.each([
  [
    'answers other days than asked',
    'other days',
    /^Asked for 21\/12\/2018 to 15\/09\/2021, Bitstamp answered other days; older ones are not asked for\.$/,
  ],
  [
    'has nothing that old',
    null,
    /^Bitstamp has no prices from .*; older ones are not asked for\.$/,
  ],
] as const)('a venue that %s is asked no further, and a line says so', async (_, fault, line) => {
  await beginAt(prices, [], '2018-06-01')
  prices.exchanges.bars.set('bitstamp', market({}, '2021-06-10'))
  await prices.ask('bitstamp')
  await prices.askEarlier('bitstamp')
  if (fault) prices.exchanges.faults.set('bitstamp', fault)
  const before = prices.exchanges.calls.length
  await readAll(prices, 'bitstamp')
  expect(prices.exchanges.calls.length).toBeLessThanOrEqual(before + 3)
  const [bitstamp] = (await statusOf(prices)).earlier_days.sources
  expect(bitstamp).toMatchObject({ state: 'done', note: expect.stringMatching(line) })
})

it('earlier days of a stock come in the units of today, whatever units a source has for the days before a split', async () => {
  prices.setTime('2024-09-04T22:00:00Z')
  const weekdays = quiet('2024-07-15', '2024-09-03').filter(
    (bar) => ![0, 6].includes(new Date(`${isoDay(bar.day)}T00:00:00Z`).getUTCDay()),
  )
  const file = ['date,close', ...weekdays.map((bar) => `${isoDay(bar.day)},100`)].join('\n')
  await prices.world.imports.prices('mstr', file, 'starter')
  const then = weekdays.map((bar): Bar =>
    bar.day < day('2024-08-08') ? { ...bar, open: 1000, high: 1080, low: 950, close: 1000 } : bar,
  )
  prices.exchanges.bars.set('yahoo', [...then, ...quiet('2024-09-04', '2024-09-04')])
  await readAll(prices, 'yahoo')
  const { rows } = await prices.world.database.pool.query<{ high: number }>(
    `select high from bars where asset = 'mstr' and source = 'yahoo' and day in ('2024-08-07', '2024-08-08') order by day`,
  )
  expect(rows.map(({ high }) => high)).toEqual([108, 105])
})

it('all who ask for the state of sources at the same time get it', async () => {
  await beginAt(prices)
  for (const { earlier_days: read } of await Promise.all([statusOf(prices), statusOf(prices)])) {
    expect(read.sources.map(({ source }) => source)).toContain('bitstamp')
  }
})

it('closes of newer days are completed, too, without asking for the others again', async () => {
  await beginAt(prices)
  prices.exchanges.bars.set('coinbase', market({ '2023-10-05': '195..205>200' }))
  await readAll(prices, ...BTC)
  expect((await shown(prices)).refused.total).toBe(1)
  prices.setTime('2024-06-15T12:00:00Z')
  await prices.world.imports.prices('btc', closesFile('2024-06-12', [100, 100, 100]), 'starter')
  for (const name of BTC) prices.exchanges.bars.set(name, market({}, '2024-06-01', '2024-06-15'))
  const before = prices.exchanges.calls.length
  await prices.askEarlier(...BTC)
  expect(prices.exchanges.calls.length).toBe(before + BTC.length)
  expect(await loadDeeper(prices.history.db, 'btc')).toContainEqual(
    expect.objectContaining({
      source: 'coinbase',
      askedFrom: day('2023-06-01'),
      askedTo: day('2024-06-14'),
      doneAt: Date.parse('2024-06-15T12:00:00Z'),
    }),
  )
  const { published, refused } = await shown(prices)
  // The 12th was the current day before, and was read as such.
  expect(published[0]).toMatchObject({ from: '2024-06-13', to: '2024-06-14', days: 2 })
  expect(refused.total).toBe(1)
})

it('a day within those that were asked for, whose close is imported later, is asked for, too', async () => {
  prices.setTime(NOW)
  const { imports } = prices.world
  for (const [from, to] of [
    ['2023-06-01', '2023-10-01'],
    ['2023-10-11', '2024-06-12'],
  ] as const) {
    const closes = Array<number>(day(to) - day(from)).fill(100)
    await imports.prices('btc', closesFile(from, closes), 'starter')
  }
  for (const name of BTC) prices.exchanges.bars.set(name, market())
  await readAll(prices, ...BTC)
  await imports.prices('btc', closesFile('2023-10-01', Array<number>(10).fill(100)), 'starter')
  await readAll(prices, ...BTC)
  const { rows } = await prices.world.database.pool.query(
    `select 1 from bars where asset = 'btc' and day between '2023-10-01' and '2023-10-10' and high is not null
     group by day having count(*) >= 2`,
  )
  expect(rows).toHaveLength(10)
})

it.each([
  ['within the answer', 0],
  ['among those asked for before', 1],
])(
  'closes that are imported while a source answers are asked for, too: days %s',
  async (_, calls) => {
    prices.setTime(NOW)
    const { imports } = prices.world
    // A call of this source brings at most 300 days.
    for (const [from, to] of [
      ['2022-06-01', '2024-01-01'],
      ['2024-01-11', '2024-06-12'],
    ] as const) {
      const closes = Array<number>(day(to) - day(from)).fill(100)
      await imports.prices('btc', closesFile(from, closes), 'starter')
    }
    prices.exchanges.bars.set('coinbase', market({}, '2022-06-01'))
    await prices.ask('coinbase')
    for (let i = 0; i < calls; i += 1) await prices.askEarlier('coinbase')
    const sources = prices.history.sources.map((source) => ({
      ...source,
      daily: async (asked: Parameters<typeof source.daily>[0]) => {
        await imports.prices(
          'btc',
          closesFile('2024-01-01', Array<number>(10).fill(100)),
          'starter',
        )
        return source.daily(asked)
      },
    }))
    await deepen({ ...prices.history, sources }, 'btc', 'coinbase', new AbortController().signal)
    await readAll(prices, 'coinbase')
    const { bars } = await barsApart(prices.history.db, 'btc')
    const imported = bars.filter(
      (bar) => bar.day >= day('2024-01-01') && bar.day <= day('2024-01-10'),
    )
    expect(imported).toHaveLength(10)
  },
)

it('a source that has nothing of newer days says so, and is asked again', async () => {
  await beginAt(prices)
  await readAll(prices, ...BTC)
  prices.setTime('2024-06-15T12:00:00Z')
  await prices.world.imports.prices('btc', closesFile('2024-06-13', [100, 100]), 'starter')
  await prices.askEarlier('coinbase')
  const coinbase = async () =>
    (await loadDeeper(prices.history.db, 'btc')).find(({ source }) => source === 'coinbase')
  expect(await coinbase()).toMatchObject({
    askedTo: day('2024-06-11'),
    lastError: 'Coinbase answered without any price of 13/06/2024 to 14/06/2024.',
    doneAt: null,
  })
  prices.exchanges.bars.set('coinbase', market({}, '2024-06-01', '2024-06-15'))
  prices.setTime('2024-06-15T18:00:00Z')
  await prices.askEarlier('coinbase')
  expect(await coinbase()).toMatchObject({ askedTo: day('2024-06-14'), lastError: null })
})

it('a source that ran out of earlier days is asked again when an administrator wants it', async () => {
  await beginAt(prices)
  for (const name of ['kraken', 'coinbase']) {
    prices.exchanges.bars.set(name, market({}, '2024-02-01'))
  }
  await readAll(prices, ...BTC)
  const coinbase = async () =>
    (await shown(prices)).sources.find(({ source }) => source === 'coinbase')
  expect(await coinbase()).toMatchObject({
    state: 'done',
    note: expect.stringContaining('older ones are not asked for'),
  })
  prices.exchanges.bars.set('coinbase', market())
  const admin = await signedIn(prices.world)
  const again = { asset: 'btc', source: 'coinbase', earlier_days: true }
  const ask = () => admin.call('POST', '/api/v1/admin/prices/sources/run', again)
  expect((await ask()).status).toBe(404)
  const sources = [{ asset: 'btc', name: 'coinbase' }] as const
  const { clock, db } = prices.history
  const jobs = startPriceJobs({
    pool: prices.world.database.pool,
    log: SILENT,
    pollSeconds: 0.5,
    sources: [],
    bringUpToDate: () => Promise.resolve(null),
    latestRun: () => Promise.resolve(null),
    deeper: {
      sources,
      deepen: async (...asked) => {
        await deepen(prices.history, ...asked)
        // By the clock of the database, which is not that of the story.
        return Date.now() + DAY_MS
      },
    },
  })
  try {
    await until(async () => {
      // Not so often that the site refuses to answer.
      await pause(300)
      return (await ask()).status === 200
    })
    await shows(async () => {
      const known = await loadDeeper(db, 'btc')
      const own = known.find(({ source }) => source === 'coinbase')
      expect(own).toMatchObject({ askedFrom: day('2023-06-01'), note: null })
    })
  } finally {
    await jobs.stop()
  }
  expect(clock.now()).toBe(Date.parse(NOW))
  expect(await barsApart(db, 'btc')).toMatchObject({ bars: [] })
})

it('a source that failed for so long that it is no longer waited for is asked at once when an administrator wants it', async () => {
  await beginAt(prices)
  // Of most days there is one venue only, so the third is still of use.
  prices.exchanges.bars.set('kraken', market({}, '2024-02-01'))
  await readAll(prices, 'bitstamp', 'kraken')
  await prices.ask('coinbase')
  prices.exchanges.faults.set('coinbase', 'down')
  await prices.askEarlier('coinbase')
  prices.setTime('2024-06-14T12:00:00Z')
  await prices.askEarlier('coinbase', 'bitstamp')
  expect((await shown(prices)).published).toHaveLength(1)
  prices.exchanges.faults.clear()
  const before = prices.exchanges.calls.length
  await prices.askEarlier('coinbase')
  expect(prices.exchanges.calls.length).toBe(before)
  await askAgain(prices.history.db, 'btc', 'coinbase')
  await prices.askEarlier('coinbase')
  expect(prices.exchanges.calls.length).toBe(before + 1)
  const known = await loadDeeper(prices.history.db, 'btc')
  expect(known.find(({ source }) => source === 'coinbase')).toMatchObject({
    failures: 0,
    lastError: null,
  })
})

it('two processes that read the same earlier days publish them once', async () => {
  await beginAt(prices, [autumn('a', { price_target: 115 })])
  for (const name of ['bitstamp', 'kraken']) {
    prices.exchanges.bars.set(name, market({ '2023-10-05': '95..116>100' }))
  }
  await prices.ask(...BTC)
  const { signal } = new AbortController()
  const end = Date.parse(NOW) + DAY_MS
  const reads = (history: PriceHistory) =>
    BTC.map(async (name) => {
      for (let calls = 0; (await deepen(history, 'btc', name, signal)) !== end; calls += 1) {
        if (calls > 100) throw new Error(`${name} never came to an end`)
      }
    })
  // The other process has connections of its own.
  await using other = testKit(prices.world.database.url)
  await Promise.all([
    ...reads(prices.history),
    ...reads({ ...prices.history, db: other.db, running: new Map() }),
  ])
  expect((await shown(prices)).published).toHaveLength(1)
  expect(await changesOf(prices, 'a')).toEqual(['first miss', 'range hit'])
})

it('a file with highs and lows changes verdicts for the same reason, with the same summary', async () => {
  await beginAt(prices, [autumn('a', { price_target: 115 })])
  const rows = market({ '2023-10-05': '95..116>100' }, '2023-06-01', '2024-06-11').map(
    ({ day: at, high, low }) => `${isoDay(at)},100,${String(high)},${String(low)},100`,
  )
  const file = ['date,open,high,low,close', ...rows].join('\n')
  expect(await prices.world.imports.prices('btc', file, 'file')).toMatchObject({
    ok: true,
    ranges: {
      days: 377,
      changed: 1,
      changes: [{ id: 'a', before: 'MISS on 20/10/2023', after: 'SUCCESS on 05/10/2023' }],
    },
  })
  expect(await changesOf(prices, 'a')).toEqual(['first miss', 'range hit'])
  expect(await newVerdicts(prices.world.database.db, '2000-01-01')).toEqual([])
  await verdict(prices, 'a')
  expect(await feedItems(prices)).toBe(1)
  // There is nothing left to ask for.
  const before = prices.exchanges.calls.length
  await prices.ask('bitstamp')
  await prices.askEarlier('bitstamp')
  expect(prices.exchanges.calls).toHaveLength(before + 1)
})

it('better evidence of a verdict is recorded, and is no news', async () => {
  await beginAt(prices, [autumn('a', { price_target: 115 })])
  const closes = Array<number>(day('2024-06-12') - day('2023-06-01')).fill(100)
  closes[day('2023-10-05') - day('2023-06-01')] = 103
  await prices.world.imports.prices('btc', closesFile('2023-06-01', closes), 'starter')
  expect(await changesOf(prices, 'a')).toEqual(['first miss', 'prices miss'])
  const { database } = prices.world
  expect(await newVerdicts(database.db, '2000-01-01')).toEqual([])
  await verdict(prices, 'a')
  expect(await feedItems(prices)).toBe(1)
  closes[day('2023-10-06') - day('2023-06-01')] = 116
  await prices.world.imports.prices('btc', closesFile('2023-06-01', closes), 'starter')
  const news = await newVerdicts(database.db, '2000-01-01')
  expect(news).toMatchObject([{ predictionId: 'a', outcome: 'hit' }])
  await verdict(prices, 'a')
  expect(await feedItems(prices)).toBe(2)
  // The same decision on better evidence stays one piece of news.
  closes[day('2023-10-06') - day('2023-06-01')] = 117
  await prices.world.imports.prices('btc', closesFile('2023-06-01', closes), 'starter')
  expect(await changesOf(prices, 'a')).toHaveLength(4)
  expect(await newVerdicts(database.db, '2000-01-01')).toEqual(news)
  await verdict(prices, 'a')
  expect(await feedItems(prices)).toBe(2)
})

it('an asset that no file has prices of is read as far as its sources reach, and has no earlier days', async () => {
  prices.setTime(NOW)
  const late = market({}, '2024-06-01')
  prices.exchanges.bars.set('coingecko', market()).set('kucoin', late).set('gate', late)
  await prices.ask('coingecko', 'kucoin', 'gate')
  expect(await days(prices, 'naka')).toContainEqual(['2023-09-01', 'coingecko', 'final'])
  const before = prices.exchanges.calls.length
  expect(await prices.askEarlier('kucoin')).toEqual([Date.parse(NOW) + DAY_MS])
  expect(prices.exchanges.calls).toHaveLength(before)
})

describe('earlier days that are reviewed', () => {
  const prices = sharedPriceWorld({ DEEPER_HISTORY: 'review' })

  it('with DEEPER_HISTORY=review an administrator sees what would change, and publishes it', async () => {
    await beginAt(prices, [autumn('a', { price_target: 115 })])
    for (const name of ['bitstamp', 'kraken']) {
      prices.exchanges.bars.set(name, market({ '2023-10-05': '95..116>100' }))
    }
    const admin = await signedIn(prices.world)
    const publish = (seen: string | undefined) =>
      admin.call('POST', '/api/v1/admin/prices/earlier-days/publish', { asset: 'btc', seen })
    await readAll(prices, 'bitstamp', 'kraken')
    const [early] = (await shown(prices)).waiting
    expect(early).toMatchObject({ complete: false })
    expect((await publish(early?.digest)).status).toBe(409)
    await readAll(prices, 'coinbase')
    expect((await verdict(prices, 'a')).outcome).toBe('miss')
    const { waiting } = await shown(prices)
    expect(waiting).toMatchObject([
      {
        asset: 'btc',
        complete: true,
        days: 377,
        changed: 1,
        changes: [
          { id: 'a', mode: 'touch', before: 'MISS on 20/10/2023', after: 'SUCCESS on 05/10/2023' },
        ],
      },
    ])
    // As many days and verdicts as before, but one price is another.
    await prices.world.database.pool.query(
      `update deeper_bars set high = 117 where day = '2023-10-05' and source in ('bitstamp', 'kraken')`,
    )
    expect(await publish(waiting[0]?.digest)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('changed since this summary') },
    })
    expect((await verdict(prices, 'a')).outcome).toBe('miss')
    const [now] = (await shown(prices)).waiting
    expect(now).toEqual({ ...waiting[0], digest: now?.digest })
    expect(await publish(now?.digest)).toMatchObject({
      status: 200,
      body: { message: 'Published: 377 days of BTC with a range now, 1 verdict changed.' },
    })
    expect((await verdict(prices, 'a')).outcome).toBe('hit')
    expect(await changesOf(prices, 'a')).toEqual(['first miss', 'range hit'])
    const after = await shown(prices)
    expect(after).toMatchObject({ waiting: [], published: [{ by: 'Admin A', days: 377 }] })
    expect((await publish(now?.digest)).status).toBe(409)
  })

  it('nothing is published of which a source is found to be asked again', async () => {
    await beginAt(prices)
    await readAll(prices, ...BTC)
    const before = (await barsApart(prices.history.db, 'btc')).bars.length
    const isComplete = () => Promise.resolve(false)
    expect(await publishDeeper(prices.history, 'btc', { isComplete, by: null })).toBeNull()
    expect((await barsApart(prices.history.db, 'btc')).bars).toHaveLength(before)
  })
})

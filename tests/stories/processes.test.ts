import { env } from 'node:process'
import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { status } from '#contracts/prices.ts'
import { openDatabase } from '#server/kit/db.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { type Role } from '#server/kit/settings/config.ts'
import { openSignals, sendSignal, sendSignals, type Signal } from '#server/kit/signals.ts'
import { openLeadership } from '#server/prices/leadership.ts'
import { openPrices, type PricePace } from '#server/prices/open-prices.ts'
import { type TickFeed, type TickListener } from '#server/prices/ports.ts'
import { startRecord } from '#server/record/record.jobs.ts'
import { openSite } from '#server/site.ts'
import { closesFile, entry, quiet } from '#tests/support/builders.ts'
import { closedDatabase } from '#tests/support/databases.ts'
import { priceWorld, type PriceWorld } from '#tests/support/price-world.ts'
import { count } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testDatabase, type TestDatabase } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { eventsOf, shows, showsByCall, waitingForLocks } from '#tests/support/waiting.ts'

describe('signals', () => {
  const QUICK = { beatMs: 200, queryMs: 2_000, firstPauseMs: 20, longestPauseMs: 200 }

  it('reach every process by topic and id on commit; after a gap anything may have changed', async () => {
    await using database = await testDatabase()
    const { db } = database
    const lost: string[] = []
    const one = openSignals(
      { connectionString: database.url },
      ({ message }) => lost.push(message),
      QUICK,
    )
    const got: Record<string, (string | null)[]> = { a: [], b: [], all: [] }
    const into = (name: string) => (signal: Signal | null) =>
      got[name]?.push(signal && `${signal.id} ${String(signal.version)}`)
    const unlisten = one.listen('receipt', into('a'), 'a')
    one.listen('receipt', into('b'), 'b')
    one.listen('receipt', into('all'))
    await shows(() => expect(got).toEqual({ a: [null], b: [null], all: [null] }))
    await database.db.transaction(async (tx) => {
      await sendSignal(tx, 'receipt', ['a', 'c'])
      await sendSignals(db, [{ topic: 'receipt', id: 'before', version: 7 }, { topic: 'record' }])
    })
    // A message from another version of the site.
    await database.sql(`select pg_notify('proof_of_price', 'receipt b')`)
    await sendSignal(db, 'receipt', ['b'])
    const [a, b, c] = ['a', 'b', 'c'].map((id) => `${id} undefined`)
    await shows(() => expect(got['all']).toEqual([null, 'before 7', a, c, b]))
    expect([got['a'], got['b']]).toEqual([
      [null, a],
      [null, b],
    ])
    unlisten()
    await using away = await closedDatabase(database)
    await shows(() => expect(lost).toHaveLength(1))
    await new Promise((done) => setTimeout(done, 300))
    await away.open()
    await shows(() => expect(got['b']).toEqual([null, b, null]))
    expect([got['all']?.at(-1), got['a'], lost.length]).toEqual([null, [null, a], 1])
    await one.stop()
  })
})

describe('the lead', () => {
  const QUICK = { askMs: 50, beatMs: 50, queryMs: 2_000 }

  function process(database: TestDatabase, pace: Parameters<typeof openLeadership>[2] = QUICK) {
    const led: boolean[] = []
    const lead = openLeadership(
      { connectionString: database.url },
      (leads) => led.push(leads),
      pace,
    )
    return { ...lead, led }
  }

  it('is held by one process at a time, and passes on when that is killed, stops, or loses the database', async () => {
    await using database = await testDatabase()
    const both = [process(database), process(database)]
    const leaders = () => both.filter((one) => one.isLeader())
    await shows(() => expect(leaders()).toHaveLength(1))
    const [first] = leaders()
    // Like a kill: the connection that holds the lock is gone.
    await endLeader(database)
    await shows(() => expect(first?.led).toContain(false))
    await shows(() => expect(leaders()).toHaveLength(1))
    {
      await using away = await closedDatabase(database)
      await shows(() => expect(leaders()).toHaveLength(0))
      await away.open()
      await shows(() => expect(leaders()).toHaveLength(1))
    }
    const [second] = leaders()
    await second?.stop()
    expect(second?.isLeader()).toBe(false)
    await shows(() => expect(leaders()).toHaveLength(1))
    expect(leaders()[0]).not.toBe(second)
    await Promise.all(both.map((one) => one.stop()))
  })

  // No timeout of PostgreSQL fires under libfaketime, which `npm test -- --days` uses.
  it.skipIf(env['FAKETIME'])('passes on when the leader falls silent', async () => {
    await using database = await testDatabase()
    const silent = process(database, { ...QUICK, beatMs: 600_000, silentMs: 300 })
    await shows(() => expect(silent.isLeader()).toBe(true))
    const other = process(database)
    await shows(() => expect(other.isLeader()).toBe(true))
    expect(silent.led).toContain(false)
    await Promise.all([silent.stop(), other.stop()])
  })
})

it('a connection lost in a transaction fails only that transaction', async () => {
  await using database = await testDatabase()
  const ended = new Promise((done) => {
    database.pool.once('acquire', (client) => client.once('end', done))
  })
  const broken = database.db.transaction(async (tx) => {
    await tx.execute(sql`select 1`)
    await using _ = await closedDatabase(database)
    // No query waits for an answer while the connection ends.
    await ended
    await tx.execute(sql`select 1`)
  })
  await expect(broken).rejects.toThrow('Failed query')
  await shows(() => database.sql('select 1'))
})

it('a connection that breaks at the start of a transaction frees its place in the pool', async () => {
  await using database = await testDatabase()
  const { db, pool, close } = openDatabase({ connectionString: database.url, max: 1 }, () => {})
  pool.once('acquire', (client) => {
    client.connection.stream.destroy()
  })
  const one = () => db.transaction((tx) => tx.execute(sql`select 1 as n`))
  await expect(one()).rejects.toThrow('Failed query: begin')
  await expect(one()).resolves.toMatchObject({ rows: [{ n: 1 }] })
  await close()
})

/** Ends the connection that holds the leader lock. */
async function endLeader(database: TestDatabase): Promise<void> {
  await database.sql(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
  )
}

describe('several processes', () => {
  function start(
    { world, sources }: PriceWorld,
    rows: PricePace & { feeds?: readonly TickFeed[] } = {},
  ) {
    const { feeds = sources.feeds, ...pace } = rows
    const clock = { now: () => Date.now() }
    const kit = testKit(world.database.url, { clock, settings: { prices: { on: true } } })
    const jobs = openJobs(kit)
    const prices = openPrices({ ...kit, jobs }, { ...sources, feeds }, world, pace)
    const begun = jobs.prepare().then(() => {
      prices.start()
      jobs.work()
    })
    return {
      ...prices,
      stop: async () => {
        await begun
        await jobs.stop()
        await prices.stop()
        await kit[Symbol.asyncDispose]()
      },
    }
  }

  it('fill the gap by jobs and send new verdicts to an open page', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await using prices = await priceWorld(new Date().toISOString(), { PRICES_COINBASE_URL: 'off' })
    prices.exchanges.now = () => Date.now()
    const { world } = prices
    const made = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10)
    await world.imports.prices('btc', closesFile(made, [100]), 'starter')
    const open = { prediction_made: made, target_time: '2030-01-01', price_target: 104 }
    await world.imports.predictions(JSON.stringify([entry('a', open)]))
    const all = quiet(made, today)
    prices.exchanges.bars.set('bitstamp', all).set('kraken', all)
    await world.refresh()
    const forwarding = startRecord(world.kit, world.record, world.live, null)
    const origin = await world.app.listen({ port: 0, host: '127.0.0.1' })
    using stream = await eventsOf(origin)
    const [one, two] = [start(prices), start(prices)]
    try {
      await shows(async () => {
        const found = await count(world, `bars where source = 'kraken' and state = 'final'`)
        expect(found).toBeGreaterThan(5)
      })
      // The prices are stored before their status.
      await showsByCall(async () => {
        const { sources } = await world.read(status)
        expect(sources.find((source) => source.source === 'kraken')?.state).toBe('ok')
      })
      expect(Number(one.isLeader()) + Number(two.isLeader())).toBe(1)
      // Two processes, one next job for each source.
      await shows(async () => {
        const waiting = `name = 'price-history' and singleton_key = 'btc bitstamp' and state <> 'completed'`
        expect(await count(world, `jobs.job where ${waiting}`)).toBe(1)
      })
      const rows = await world.sql(`select string_agg(distinct outcome, ' ') as text from verdicts`)
      expect(rows[0]?.text).toContain('hit')
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
    const line = 'event: verdict\ndata: {"id":"a","asset":"btc","mode":"touch","outcome":"hit"}\n\n'
    await shows(() => expect(stream.state.text).toContain(line))
    expect(stream.state.text.split(line), 'each verdict is sent once').toHaveLength(2)
    forwarding.stop()
  })

  it('survive an outage of PostgreSQL, and continue when it is back', async () => {
    await using prices = await priceWorld(new Date().toISOString())
    const { world, lines } = prices
    const one = world.prices
    one.start()
    try {
      await shows(() => expect(one.isLeader()).toBe(true))
      const leader = async () => (await prices.world.get('/api/v1/status')).body
      expect(await leader()).toMatchObject({ leader: true })
      await prices.world.get('/api/prices')
      await using away = await closedDatabase(prices.world.database)
      await shows(() => expect(one.isLeader()).toBe(false))
      expect(await leader()).toMatchObject({ leader: false })
      expect((await prices.world.get('/api/prices')).status).toBe(200)
      await away.open()
      await shows(() => expect(one.isLeader()).toBe(true))
      expect(await leader()).toMatchObject({ leader: true })
      expect(
        lines.filter((line) => /wait for the database|tried again:/.test(line)).length,
      ).toBeLessThan(4)
    } finally {
      await one.stop()
    }
  })

  /** A feed controlled by the test; null while nobody follows it. */
  function playedFeed() {
    const state: { on: TickListener | null } = { on: null }
    const feed: TickFeed = {
      name: 'kraken',
      title: 'Kraken',
      asset: 'btc',
      open: (on) => {
        state.on = on
        return { close: () => (state.on = null) }
      },
    }
    return { feed, state }
  }

  it('continue with live prices for a while without PostgreSQL', async () => {
    await using prices = await priceWorld(new Date().toISOString())
    const { live, database } = prices.world
    live.offer({ asset: 'btc', price: 100, at: Date.now(), source: 'kraken' })
    const { feed, state } = playedFeed()
    const begun: (() => void)[] = []
    const grace = (then: () => void): (() => void) => {
      begun.push(then)
      return () => {}
    }
    const one = start(prices, { feeds: [feed], grace })
    try {
      await shows(() => expect(one.isLeader()).toBe(true))
      await using _ = await closedDatabase(database)
      await shows(() => expect(begun).toHaveLength(1))
      expect(one.isLeader()).toBe(false)
      state.on?.tick(101, null)
      expect(live.last('btc')?.price).toBe(101)
      begun[0]?.()
      expect(state.on).toBeNull()
    } finally {
      await one.stop()
    }
  })

  it('leave live prices to another that leads', async () => {
    await using prices = await priceWorld(new Date().toISOString())
    const { database } = prices.world
    const { feed, state } = playedFeed()
    const one = start(prices, { feeds: [feed], grace: () => () => {} })
    await shows(() => expect(one.isLeader()).toBe(true))
    const other = openLeadership({ connectionString: database.url }, () => {})
    try {
      await shows(async () => expect(await waitingForLocks(database.pool)).toBe(1))
      await endLeader(database)
      await shows(() => expect([one.isLeader(), other.isLeader()]).toEqual([false, true]))
      expect(state.on).not.toBeNull()
      const value = { asset: 'btc', price: 100, at: Date.now(), source: 'kraken' }
      await shows(async () => {
        await sendSignals(database.db, [{ topic: 'price', id: 'btc', value }])
        expect(state.on).toBeNull()
      })
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  })
})

/** A call with this rate limit per minute. */
const POLLED = { timeout: 60_000, interval: 300 }

/** A started process of this role; it makes no outside calls. */
async function started(database: TestDatabase, role: Role) {
  const kit = testKit(database.url, { settings: { role, prices: { on: true } } })
  const ports = testPorts(kit, { prices: { daily: [], feeds: [] } })
  const site = await openSite(kit, ports, { busy: { afterMs: 0, sampleMs: 5_000 } })
  site.start()
  const stop = async (): Promise<void> => {
    await site.stop({ linger: () => Promise.resolve() })
    await kit[Symbol.asyncDispose]()
  }
  return { ...site, kit, stop }
}

const hasRows = async ({ sql }: TestDatabase, table: string): Promise<boolean> =>
  (await sql(`select 1 from ${table} limit 1`)).length > 0

it('the web role serves pages and leaves all jobs to a worker, whose work it shows', async () => {
  await using database = await testDatabase()
  const web = await started(database, 'web')
  await web.imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  await web.imports.predictions(JSON.stringify([entry('a')]))
  const admin = await signedIn({ ...web, database })
  const urls = 'https://x.com/someone/status/1234567890'
  expect((await admin.call('POST', '/api/tweet-queue', { urls, process: true })).status).toBe(200)
  expect(await hasRows(database, 'scores')).toBe(false)

  const worker = await started(database, 'worker')
  await shows(() => expect(worker.prices.isLeader()).toBe(true))
  await shows(async () => expect(await hasRows(database, 'scores')).toBe(true))
  await vi.waitFor(async () => {
    expect((await web.app.inject('/api/v1/scores')).statusCode).toBe(200)
  }, POLLED)
  await shows(async () => {
    const rows = await database.sql('select status from tweet_queue')
    expect(rows).toEqual([{ status: 'failed' }])
  })
  expect(web.prices.isLeader()).toBe(false)

  // A price from the worker reaches the streams of the web process.
  const at = web.kit.clock.now()
  const value = { asset: 'btc', price: 104, at, source: 'kraken' }
  await shows(async () => {
    await sendSignals(worker.kit.db, [{ topic: 'price', id: 'btc', value }])
    expect(web.live.last('btc')).toMatchObject({ price: 104 })
  })
  await worker.stop()
  await web.stop()
})

it('a worker serves only monitoring, and says where the pages are', async () => {
  await using database = await testDatabase()
  const worker = await started(database, 'worker')
  const status = async (url: string) => (await worker.app.inject(url)).statusCode
  expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([
    200, 200, 401,
  ])
  for (const url of ['/', '/btc', '/api/predictions', '/api/v1/live', '/admin', '/metrics/x']) {
    const answer = await worker.app.inject(url)
    expect([url, answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      url,
      404,
      'This process only runs jobs. Pages and calls are at http://localhost:3001.',
    ])
  }
  await worker.stop()
})

it('a site that cannot read the record leaves no timer or listener, and opens once it can', async () => {
  await using database = await testDatabase()
  await using kit = testKit(database.url)
  const begun = vi.spyOn(globalThis, 'setInterval')
  const ended = vi.spyOn(globalThis, 'clearInterval')
  const listened = vi.spyOn(kit.signals, 'listen')
  await database.sql('alter table record_state rename to moved')
  await expect(openSite(kit, testPorts(kit))).rejects.toThrow(/record_state/)
  const running = new Set<unknown>(begun.mock.results.map(({ value }) => value))
  expect(running.size).toBeGreaterThan(0)
  for (const [timer] of ended.mock.calls) running.delete(timer)
  expect(running.size).toBe(0)
  expect(listened).not.toHaveBeenCalled()

  await database.sql('alter table moved rename to record_state')
  const site = await openSite(kit, testPorts(kit))
  expect(site.record.version()).not.toBe('0')
  await site.stop({ linger: () => Promise.resolve() })
})

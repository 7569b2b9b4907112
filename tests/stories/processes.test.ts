// Over 400 lines: what several processes on one database do to one another, all with the same start.
import { testKit } from '#tests/support/test-site.ts'
import { status } from '#contracts/status.ts'
import { openPrices, type PricePace } from '#server/prices/open-prices.ts'
import { type TickFeed, type TickListener } from '#server/prices/ports.ts'
import { openSignals, sendSignal } from '#server/kit/signals.ts'
import { startRecord } from '#server/record/record.jobs.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { closedDatabase } from '#tests/support/closed-database.ts'
import { eventsOf } from '#tests/support/live.ts'
import { quiet } from '#tests/support/bars.ts'
import { priceWorld, type PriceWorld } from '#tests/support/price-world.ts'
import { programOf } from '#tests/support/programs.ts'
import { testDatabase, type TestDatabase } from '#tests/support/test-app.ts'
import { shows, showsByCall } from '#tests/support/waiting.ts'
import { sql } from 'drizzle-orm'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { describe, expect, it } from 'vitest'

describe('several processes', () => {
  const QUICK = { askMs: 100, beatMs: 200, queryMs: 2_000, firstPauseMs: 20, longestPauseMs: 200 }

  function line(database: TestDatabase) {
    const heard: string[] = []
    const led: boolean[] = []
    const lost: string[] = []
    const made = openSignals(
      { connectionString: database.url },
      (error) => lost.push(error.message),
      QUICK,
    )
    made.listen('price', (text) => {
      if (text !== null) heard.push(text)
    })
    const { isLeader, stop: leave } = made.lead((leads) => led.push(leads))
    const publish = (text: string): void => made.send('price', text)
    return { ...made, isLeader, leave, publish, heard, led, lost }
  }

  it('several processes have one leader, and notice its end', async () => {
    await using database = await testDatabase()
    const first = line(database)
    await shows(() => expect(first.isLeader()).toBe(true))
    const second = line(database)
    first.publish('from the first')
    await shows(() => {
      first.publish('from the first')
      expect(second.heard).toContain('from the first')
    })
    expect(first.heard).toEqual([])
    expect(second.isLeader()).toBe(false)
    // As a kill would: the connection that holds the lock is gone.
    await endLeader(database)
    await shows(() => expect([first.isLeader(), second.isLeader()]).toContain(true))
    await shows(() => expect(first.led).toEqual(expect.arrayContaining([true, false])))
    await shows(() => expect(first.isLeader() !== second.isLeader()).toBe(true))
    // One that stops for good leaves the lead to the one that has been asking all along.
    const [leader, other] = first.isLeader() ? [first, second] : [second, first]
    await leader.stop()
    await shows(() => expect(other.isLeader()).toBe(true))
    expect(leader.isLeader()).toBe(false)
    await other.stop()
  })

  it('several processes query one after the other on their connection, as pg wants it, however much is sent at once', async () => {
    await using database = await testDatabase()
    const sender = line(database)
    const hearer = line(database)
    await shows(() => {
      sender.publish('hello')
      expect(hearer.heard).toContain('hello')
    })
    const query: unknown = Reflect.get(pg.Client.prototype, 'query')
    if (typeof query !== 'function') throw new Error('pg has no such function')
    const running = new WeakMap<object, number>()
    let most = 0
    const counted = new Proxy(query, {
      apply: async (target, client: object, asked: unknown[]) => {
        const now = (running.get(client) ?? 0) + 1
        running.set(client, now)
        most = Math.max(most, now)
        const answer: unknown = await Reflect.apply(target, client, asked)
        running.set(client, (running.get(client) ?? 0) - 1)
        return answer
      },
    })
    Reflect.set(pg.Client.prototype, 'query', counted)
    try {
      const sent = Array.from({ length: 20 }, (_, i) => `message ${String(i)}`)
      for (const text of sent) sender.publish(text)
      await shows(() => expect(hearer.heard.filter((text) => text !== 'hello')).toEqual(sent))
    } finally {
      Reflect.set(pg.Client.prototype, 'query', query)
    }
    expect(most).toBe(1)
    await sender.stop()
    await hearer.stop()
  })

  it('several processes hear each other: a key what is said of it, all of a channel what is said there, and every listener what it may have missed', async () => {
    await using database = await testDatabase()
    const one = line(database)
    const heard: Record<string, (string | null)[]> = { a: [], b: [], all: [], queue: [] }
    const stop = one.listen('receipt', (text) => heard['a']?.push(text), 'a')
    one.listen('receipt', (text) => heard['b']?.push(text), 'b')
    one.listen('receipt', (text) => heard['all']?.push(text))
    one.listen('queue', () => heard['queue']?.push('changed'))
    // Nothing was heard before the connection was there.
    await shows(() =>
      expect(heard).toEqual({ a: [null], b: [null], all: [null], queue: ['changed'] }),
    )
    await database.db.transaction(async (tx) => {
      await sendSignal(tx, 'receipt', ['a', 'c'])
      for (let i = 0; i < 5; i += 1) await sendSignal(tx, 'queue')
      await sendSignal(database.db, 'receipt', ['before'])
    })
    await shows(() => expect(heard['all']).toEqual([null, 'before', 'a', 'c']))
    expect(heard['a']).toEqual([null, 'a'])
    expect(heard['b']).toEqual([null])
    for (let i = 0; i < 5; i += 1) await sendSignal(database.db, 'queue')
    await shows(() => expect(heard['queue']?.length).toBeGreaterThan(1))
    stop()
    await using away = await closedDatabase(database)
    await away.open()
    await shows(() => expect(heard['b']).toEqual([null, null]))
    await shows(() => expect(heard['all']?.at(-1)).toBeNull())
    expect(heard['a']).toEqual([null, 'a'])
    await one.stop()
  })

  it('several processes keep their connections and the lead when the database refuses a signal', async () => {
    await using database = await testDatabase()
    const sender = line(database)
    await shows(() => expect(sender.isLeader()).toBe(true))
    const hearer = line(database)
    await shows(() => {
      sender.publish('before')
      expect(hearer.heard).toContain('before')
    })
    // PostgreSQL takes less than 8000 bytes.
    sender.publish('x'.repeat(8_000))
    sender.publish('after')
    await shows(() => expect(hearer.heard.at(-1)).toBe('after'))
    expect(sender.isLeader()).toBe(true)
    expect({ led: sender.led, lost: sender.lost }).toEqual({ led: [true], lost: [] })
    await sender.stop()
    await hearer.stop()
  })

  it('several processes pass the lead on where the database refuses to unlock it', async () => {
    await using database = await testDatabase()
    const first = line(database)
    await shows(() => expect(first.isLeader()).toBe(true))
    const second = line(database)
    const query: unknown = Reflect.get(pg.Client.prototype, 'query')
    if (typeof query !== 'function') throw new Error('pg has no such function')
    const refusing = new Proxy(query, {
      apply: (target, client: object, [text, ...rest]: unknown[]): unknown => {
        const isUnlock = typeof text === 'string' && text.includes('pg_advisory_unlock')
        return Reflect.apply(target, client, isUnlock ? ['select 1 / 0'] : [text, ...rest])
      },
    })
    Reflect.set(pg.Client.prototype, 'query', refusing)
    try {
      first.leave()
      await shows(() => expect(second.isLeader()).toBe(true))
    } finally {
      Reflect.set(pg.Client.prototype, 'query', query)
    }
    expect(first.isLeader()).toBe(false)
    await first.stop()
    await second.stop()
  })

  it('several processes come back by themselves after PostgreSQL has been away', async () => {
    await using database = await testDatabase()
    const only = line(database)
    await shows(() => expect(only.isLeader()).toBe(true))
    await using away = await closedDatabase(database)
    await shows(() => expect(only.isLeader()).toBe(false))
    await new Promise((done) => setTimeout(done, 300))
    expect(only.lost).toHaveLength(1)
    await away.open()
    await shows(() => expect(only.isLeader()).toBe(true))
    await only.stop()
  })
})

it('a connection that breaks in the middle of a transaction fails that one, and nothing else', async () => {
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
  await shows(() => database.pool.query('select 1'))
})

/** Ends the connection that holds the leader's lock. */
async function endLeader(database: TestDatabase): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
  )
}

describe('all of it together', () => {
  function start(
    { world, sources }: PriceWorld,
    given: PricePace & { feeds?: readonly TickFeed[] } = {},
  ) {
    const { feeds = sources.feeds, ...pace } = given
    const kit = testKit(world.database.url, { clock: { now: () => Date.now() } })
    const prices = openPrices(kit, { ...sources, feeds }, world, pace)
    prices.start()
    return {
      ...prices,
      stop: async () => {
        await prices.stop()
        await kit[Symbol.asyncDispose]()
      },
    }
  }

  it('the whole site fills the gap by jobs and sends an open page what it has decided', async () => {
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
    const forwarding = startRecord(world.kit, { ...world, judgeDue: null })
    const origin = await world.app.listen({ port: 0, host: '127.0.0.1' })
    using stream = await eventsOf(origin)
    const [one, two] = [start(prices), start(prices)]
    try {
      await shows(async () => {
        const { rows } = await world.database.pool.query<{ n: number }>(
          `select count(*)::int as n from bars where source = 'kraken' and state = 'final'`,
        )
        expect(rows[0]?.n).toBeGreaterThan(5)
      })
      // The prices are on record before it is noted how that went.
      await showsByCall(async () => {
        const { sources } = status.reply.parse((await world.get('/api/v1/status')).body)
        expect(sources.find((source) => source.source === 'kraken')?.state).toBe('ok')
      })
      expect(Number(one.isLeader()) + Number(two.isLeader())).toBe(1)
      // Two processes, one next job for each source.
      await shows(async () => {
        const { rows } = await world.database.pool.query<{ jobs: number }>(
          `select count(*)::int as jobs from jobs.job where singleton_key = 'btc bitstamp' and state <> 'completed'`,
        )
        expect(rows).toEqual([{ jobs: 1 }])
      })
      const { rows } = await world.database.pool.query<{ text: string }>(
        `select string_agg(distinct outcome, ' ') as text from verdicts`,
      )
      expect(rows[0]?.text).toContain('hit')
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
    const line = 'event: verdict\ndata: {"id":"a","asset":"btc","mode":"touch","outcome":"hit"}\n\n'
    await shows(() => expect(stream.state.text).toContain(line))
    expect(stream.state.text.split(line), 'each verdict is sent once').toHaveLength(2)
    forwarding.stop()
  })

  it('the whole site survives PostgreSQL being away, and goes on when it is back', async () => {
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

  /** A feed that the test plays; null while no one follows it. */
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

  it('the whole site goes on with live prices for a while without PostgreSQL', async () => {
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

  it('a process leaves live prices to another that is seen to lead', async () => {
    await using prices = await priceWorld(new Date().toISOString())
    const { database } = prices.world
    const { feed, state } = playedFeed()
    const one = start(prices, { feeds: [feed] })
    try {
      await shows(() => expect(one.isLeader()).toBe(true))
      const away = await closedDatabase(database)
      await shows(() => expect(one.isLeader()).toBe(false))
      const signals = openSignals({ connectionString: database.url }, () => {}, {
        askMs: 1,
        beatMs: 200,
        queryMs: 2_000,
        firstPauseMs: 1,
        longestPauseMs: 2,
      })
      const other = signals.lead(() => {})
      await away[Symbol.asyncDispose]()
      // Either may be first; the one that has led has to leave again.
      await shows(async () => {
        if (other.isLeader()) return
        await endLeader(database)
        expect(other.isLeader()).toBe(true)
      })
      expect(state.on).not.toBeNull()
      const said = { asset: 'btc', price: 100, at: Date.now(), source: 'kraken' }
      await shows(async () => {
        // Just as it took the lead it may have been the one that was ended.
        if (!other.isLeader()) await endLeader(database)
        signals.send('price', JSON.stringify(said))
        expect(state.on).toBeNull()
      })
      await signals.stop()
    } finally {
      await one.stop()
    }
  })
})

/** Every setting that a site knows. */
const SETTINGS = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
  .split('\n')
  .flatMap((line) => /^#?([A-Z][A-Z\d_]+)=/.exec(line)?.[1] ?? [])

it('a site whose port is open outlives a database that goes away before anything else is asked of it', async () => {
  await using database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-start-'))
  const port = await freePort()
  const asked: string[] = []
  const lines = new Set<Socket>()
  let isAway = false
  const own = new pg.Client({ connectionString: database.url })
  const { host, port: of } = own
  const place = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${String(of)}` }
    : { host, port: of }
  const away = (): void => {
    isAway = true
    for (const line of lines) line.destroy()
  }
  // What is asked once the port is open finds the database gone.
  const between = createServer((line) => {
    if (isAway) {
      line.destroy()
      return
    }
    const server = connect(place)
    for (const one of [line, server]) {
      lines.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          line.destroy()
          server.destroy()
        })
    }
    server.pipe(line)
    let written = Promise.resolve()
    line.on('data', (bytes) => {
      written = written.then(async () => {
        if (bytes.includes('from "admins"') && (await isOpen(port))) {
          asked.push('administrators')
          away()
        } else server.write(bytes)
      })
    })
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  const address = between.address()
  const url = new URL(`postgresql://127.0.0.1/${own.database ?? ''}`)
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0)
  url.username = own.user ?? ''
  if (typeof own.password === 'string') url.password = own.password
  const child = spawn(process.execPath, [await programOf('main')], {
    env: {
      ...process.env,
      // Not those of a file beside the project.
      ...Object.fromEntries(SETTINGS.map((name) => [name, ''])),
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      PRICES: 'off',
      STARTER_DATA: 'off',
      LIGHTNING_WALLET: 'off',
      DATABASE_URL: url.href,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const said: string[] = []
    createInterface(child.stdout).on('line', (line) => said.push(line))
    // The last thing that a start says.
    await shows(() =>
      expect([...said, ...asked].join(' ')).toMatch(/administrators|No one can sign in/),
    )
    expect(asked).toEqual([])
    away()
    expect((await fetch(`http://127.0.0.1:${String(port)}/healthz`)).status).toBe(200)
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill('SIGKILL')
    await ended
    between.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function isOpen(port: number): Promise<boolean> {
  const line = connect(port, '127.0.0.1')
  return once(line, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => line.destroy())
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  return address !== null && typeof address === 'object' ? address.port : 0
}

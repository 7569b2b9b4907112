import { PriceMessage } from '#contracts/live.ts'
import { status } from '#contracts/status.ts'
import { type DailySource, type TickFeed, type TickListener } from '#server/ports.ts'
import { startPrices, type Prices } from '#server/prices.ts'
import { liveDesk } from '#server/services/live-desk.ts'
import { livePrices } from '#server/services/live-prices.ts'
import { sourceWatch } from '#server/services/source-watch.ts'
import { openLiveLine } from '#server/store/live-line.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { priceWorld, quiet } from '#tests/support/price-world.ts'
import { testApp, testDatabase, type TestApp, type TestDatabase } from '#tests/support/test-app.ts'
import '@fastify/websocket'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'

const shows = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 5_000, interval: 10 })
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const price = (usd: number, given: Partial<PriceMessage> = {}): PriceMessage => ({
  asset: 'btc',
  price: usd,
  at: Date.now(),
  source: 'kraken',
  ...given,
})

async function listening(world: TestApp): Promise<string> {
  return world.app.listen({ port: 0, host: '127.0.0.1' })
}

/** Joins the price socket and writes down the messages. */
async function join(origin: string, path = '/ws/price') {
  const socket = new WebSocket(origin.replace('http', 'ws') + path)
  const messages: PriceMessage[] = []
  let closed: number | null = null
  socket.on('message', (data: Buffer) =>
    messages.push(PriceMessage.parse(JSON.parse(data.toString('utf8')))),
  )
  socket.on('close', (code) => (closed = code))
  await new Promise((done, fail) => {
    socket.on('open', done)
    socket.on('error', fail)
  })
  return { socket, messages, closed: () => closed, [Symbol.dispose]: () => socket.terminate() }
}

/** A websocket client that knows nothing but how to join. */
async function rawSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    [
      'GET /ws/price HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  )
  await new Promise((done) => socket.once('data', done))
  return socket
}

/** Joins the event stream and collects its text. */
async function events(origin: string, query = '') {
  const stop = new AbortController()
  const response = await fetch(`${origin}/api/v1/live${query}`, { signal: stop.signal })
  const state = { text: '', ended: false }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) state.text += decoder.decode(chunk as Uint8Array)
    state.ended = true
  })().catch(() => {})
  return { response, state, reading, [Symbol.dispose]: () => stop.abort() }
}

describe('the price socket', () => {
  it('says the last price at once and then each new one, of the asset asked for', async () => {
    await using world = await testApp()
    const origin = await listening(world)
    using early = await join(origin)
    world.live.offer(price(100))
    world.live.offer(price(5, { asset: 'mstr' }))
    using late = await join(origin)
    using stock = await join(origin, '/ws/price?asset=mstr')
    await shows(() => expect(late.messages.map((one) => one.price)).toEqual([100]))
    world.live.offer(price(101))
    await shows(() => expect(early.messages.map((one) => one.price)).toEqual([100, 101]))
    await shows(() => expect(late.messages.map((one) => one.price)).toEqual([100, 101]))
    await shows(() => expect(stock.messages).toMatchObject([{ price: 5, asset: 'mstr' }]))
  })

  it.each(['/ws/price?asset=doge', '/ws/none'])('refuses %s', async (path) => {
    await using world = await testApp()
    const origin = await listening(world)
    await expect(join(origin, path)).rejects.toThrow(/40[04]/)
  })

  it('drops one that reads nothing, and serves the others', async () => {
    await using world = await testApp()
    const origin = await listening(world)
    using fast = await join(origin)
    const slow = await rawSocket(origin)
    slow.pause()
    const { clients } = world.app.websocketServer
    expect(clients.size).toBe(2)
    const long = 'x'.repeat(20_000)
    let sent = 0
    while (clients.size === 2 && sent < 2_000) {
      world.live.offer(price((sent += 1), { source: long }))
      await new Promise((done) => setImmediate(done))
    }
    expect(clients.size).toBe(1)
    expect(fast.closed()).toBeNull()
    await shows(() => expect(fast.messages.at(-1)?.price).toBe(sent))
    slow.destroy()
  })

  it('is closed when the server stops, within moments and with a reason', async () => {
    const world = await testApp()
    const origin = await listening(world)
    using polite = await join(origin)
    using stream = await events(origin)
    // One that never answers a close.
    const deaf = await rawSocket(origin)
    const began = performance.now()
    await world[Symbol.asyncDispose]()
    expect(performance.now() - began).toBeLessThan(3_000)
    await shows(() => expect(polite.closed()).toBe(1_001))
    await stream.reading
    expect(stream.state.ended).toBe(true)
    deaf.destroy()
  })
})

describe('the event stream', () => {
  it('says the last price at once, new ones, and verdicts', async () => {
    await using world = await testApp()
    const origin = await listening(world)
    world.live.offer(price(100))
    using stream = await events(origin)
    using stock = await events(origin, '?asset=mstr')
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    await shows(() => expect(stream.state.text).toContain('event: price\ndata: 100\n\n'))
    world.live.hear(
      JSON.stringify({ kind: 'verdicts', asset: 'btc', verdicts: [['a', 'touch', 'hit']] }),
    )
    const line = 'event: verdict\ndata: {"id":"a","asset":"btc","mode":"touch","outcome":"hit"}\n\n'
    await shows(() => expect(stream.state.text).toContain(line))
    await shows(() => expect(stock.state.text).toContain(line))
    expect(stock.state.text).not.toContain('event: price')
    world.live.hear('{"kind":"price","price":"much"}')
    world.live.hear('half a mess')
    world.live.offer(price(101.5))
    await shows(() => expect(stream.state.text).toContain('data: 101.5\n\n'))
    expect(stream.state.text.match(/event: price/g)).toHaveLength(2)
  })

  it('carries thousands of verdicts at once', async () => {
    await using world = await testApp()
    const origin = await listening(world)
    using stream = await events(origin)
    for (let i = 0; i < 50; i += 1) {
      const verdicts = Array.from({ length: 100 }, (_, n) => [
        `p-${String(i * 100 + n)}`,
        'touch',
        'hit',
      ])
      world.live.hear(JSON.stringify({ kind: 'verdicts', asset: 'btc', verdicts }))
      world.live.offer(price(100 + i))
    }
    await shows(() => expect(stream.state.text.match(/event: verdict/g)).toHaveLength(5_000))
    await shows(() => expect(stream.state.text).toContain('data: 149\n\n'))
  })

  it('takes no more than two hundred from one address', async () => {
    await using world = await testApp()
    const remote = { remoteAddress: '192.0.2.7', url: '/api/v1/live' }
    const open = Array.from({ length: 200 }, () =>
      world.app.inject({ ...remote, payloadAsStream: true }),
    )
    await Promise.all(open)
    const refused = await world.app.inject(remote)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code: 'too_many' })
  })

  it('refuses an asset that there is none of', async () => {
    await using world = await testApp()
    expect((await world.get('/api/v1/live?asset=doge')).status).toBe(400)
  })
})

describe('the last known price', () => {
  it('is the live one, or the close when that is newer', async () => {
    await using world = await testApp()
    await world.imports.prices('btc', closesFile('2026-11-18', [90, 95]), 'starter')
    await world.refresh()
    const ask = async () => (await world.get('/live-price')).body
    expect(await ask()).toEqual({ price: 95, date: '2026-11-19', source: 'starter', at: null })
    const at = Date.parse('2026-11-20T14:05:00Z')
    world.live.offer(price(99, { at }))
    expect(await ask()).toEqual({
      price: 99,
      date: '2026-11-20',
      source: 'kraken',
      at: '2026-11-20T14:05:00.000Z',
    })
    await world.imports.prices('btc', closesFile('2026-11-20', [97]), 'starter')
    await world.refresh()
    expect(await ask()).toMatchObject({ price: 97, at: null })
  })
})

describe('the desk', () => {
  /** A feed that the test plays. */
  function played(name: string, asset: 'btc' = 'btc') {
    let listener: TickListener | null = null
    const feed: TickFeed = {
      name,
      title: name,
      asset,
      open: (on) => {
        listener = on
        return { close: () => (listener = null) }
      },
    }
    const on = (): TickListener => {
      if (!listener) throw new Error(`${name} is not connected`)
      return listener
    }
    return { feed, on }
  }

  function desk(given: { polled?: readonly DailySource[] } = {}) {
    const [a, b] = [played('a'), played('b')]
    const state = { now: Date.parse('2026-11-20T12:00:00Z'), gaps: 0 }
    const shown: [number, string][] = []
    const lines: string[] = []
    const write = (_: object, line: string): void => void lines.push(line)
    const made = liveDesk({
      clock: { now: () => state.now },
      watch: sourceWatch({ info: write, warn: write, error: write }),
      feeds: given.polled ? [] : [a.feed, b.feed],
      polled: given.polled ?? [],
      publish: (message) => shown.push([message.price, message.source]),
      report: () => {},
      onGap: () => (state.gaps += 1),
      pace: { leastGapMs: 0, repeatMs: 60, heardWithinMs: 30_000, pollMs: 10, longestPollMs: 40 },
    })
    made.start()
    return { a, b, state, shown, lines, [Symbol.dispose]: () => made.stop() }
  }

  it('shows the first venue, and the second while the first is away', () => {
    using one = desk()
    one.a.on().up(false)
    one.a.on().tick(100)
    one.b.on().up(false)
    one.b.on().tick(100.5)
    one.a.on().tick(101)
    one.a.on().down('a is gone.')
    one.b.on().tick(101.5)
    one.a.on().down('a is still gone.')
    one.a.on().up(true)
    one.a.on().tick(102)
    expect(one.shown).toEqual([
      [100, 'a'],
      [101, 'a'],
      [100.5, 'b'],
      [101.5, 'b'],
      [102, 'a'],
    ])
    expect(one.lines).toEqual(['a is gone. It is tried again later.', 'a answers again.'])
    expect(one.state.gaps).toBe(1)
  })

  it('shows a jump only when a second venue tells of it within a minute', () => {
    using one = desk()
    one.a.on().tick(100)
    one.b.on().tick(100)
    one.a.on().tick(138_000)
    one.a.on().tick(0.06)
    one.a.on().tick(110)
    expect(one.shown).toEqual([[100, 'a']])
    one.state.now += 61_000
    one.a.on().tick(110)
    one.b.on().tick(109)
    expect(one.shown.at(-1)).toEqual([110, 'a'])
  })

  it('goes on when the clock jumps back', () => {
    using one = desk()
    one.a.on().tick(100)
    one.state.now -= 7_200_000
    one.a.on().tick(101)
    expect(one.shown.at(-1)).toEqual([101, 'a'])
    const live = livePrices()
    live.offer(price(100, { at: 10_000_000 }))
    live.offer(price(99, { at: 9_999_000 }))
    expect(live.last('btc')?.price).toBe(100)
    live.offer(price(98, { at: 1_000 }))
    expect(live.last('btc')?.price).toBe(98)
  })

  it('says a quiet price again while the venue is there, and not afterwards', async () => {
    using one = desk()
    one.a.on().up(false)
    one.a.on().tick(100)
    await shows(() => expect(one.shown.length).toBeGreaterThan(2))
    one.a.on().down('a is gone.')
    const { length } = one.shown
    await new Promise((done) => setTimeout(done, 200))
    expect(one.shown).toHaveLength(length)
  })

  it('polls assets without a stream while their exchange is open', async () => {
    const asked: number[] = []
    const source: DailySource = {
      name: 'yahoo',
      title: 'Yahoo',
      asset: 'mstr',
      isOfficial: false,
      isFull: true,
      firstDay: quiet('2020-01-01', '2020-01-01')[0]?.day ?? (0 as never),
      reachDays: null,
      pageDays: 10,
      pauseMs: 0,
      refreshMs: 10,
      daily: async ({ today }) => {
        asked.push(today)
        const [one] = quiet('2026-11-20', '2026-11-20', '90..110>105')
        return { bars: one ? [one] : [], remoteMs: null }
      },
    }
    using one = desk({ polled: [source] })
    await new Promise((done) => setTimeout(done, 60))
    expect(asked).toHaveLength(0)
    one.state.now = Date.parse('2026-11-20T15:00:00Z')
    await shows(() => expect(one.shown[0]).toEqual([105, 'yahoo']))
  })
})

describe('several processes', () => {
  const QUICK = { askMs: 100, beatMs: 200, queryMs: 2_000, firstPauseMs: 20, longestPauseMs: 200 }

  function line(database: TestDatabase) {
    const heard: string[] = []
    const led: boolean[] = []
    const lost: string[] = []
    const made = openLiveLine(
      { connectionString: database.url },
      {
        message: (text) => heard.push(text),
        lead: (isLeader) => led.push(isLeader),
        error: (error) => lost.push(error.message),
      },
      QUICK,
    )
    return { ...made, heard, led, lost }
  }

  it('have one leader, whose end is noticed in less than a second', async () => {
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
    const began = performance.now()
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
    )
    await shows(() => expect([first.isLeader(), second.isLeader()]).toContain(true))
    await shows(() => expect(first.led).toEqual(expect.arrayContaining([true, false])))
    expect(performance.now() - began).toBeLessThan(1_000)
    await shows(() => expect(first.isLeader() !== second.isLeader()).toBe(true))
    await Promise.all([first.stop(), second.stop()])
  })

  it('come back by themselves after PostgreSQL has been away', async () => {
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

/** Throws everybody out of a database and lets nobody in, as a restart does for a while. */
async function closedDatabase(database: TestDatabase) {
  const { default: pg } = await import('pg')
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const admin = new pg.Client({ connectionString: database.url.replace(name, 'postgres') })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  const open = async (): Promise<void> => {
    await admin.query(`alter database ${name} with allow_connections true`)
  }
  return {
    open,
    [Symbol.asyncDispose]: async () => {
      await open()
      await admin.end()
    },
  }
}

describe('all of it together', () => {
  function start(
    prices: Awaited<ReturnType<typeof priceWorld>>,
    log: Parameters<typeof sourceWatch>[0] = silent,
  ): Prices {
    const { database, live } = prices.world
    return startPrices({
      sources: prices.sources,
      db: database.db,
      pool: database.pool,
      connection: { connectionString: database.url },
      clock: { now: () => Date.now() },
      log,
      live,
    })
  }

  it('fills the gap by jobs and tells an open page what it has decided', async () => {
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
    const origin = await listening(world)
    using stream = await events(origin)
    const [one, two] = [start(prices), start(prices)]
    try {
      await vi.waitFor(
        async () => {
          const { rows } = await world.database.pool.query<{ n: number }>(
            `select count(*)::int as n from bars where source = 'kraken' and state = 'final'`,
          )
          expect(rows[0]?.n).toBeGreaterThan(5)
        },
        { timeout: 20_000, interval: 100 },
      )
      const { body } = await world.get('/api/v1/status')
      const { sources } = status.reply.parse(body)
      expect(sources.find((source) => source.source === 'kraken')?.state).toBe('ok')
      expect(Number(one.isLeader()) + Number(two.isLeader())).toBe(1)
      // Two processes, one job for each source.
      const asked = prices.exchanges.calls.filter((call) => call.source === 'bitstamp')
      expect(asked.length).toBeLessThanOrEqual(2)
      const { rows } = await world.database.pool.query<{ text: string }>(
        `select string_agg(distinct outcome, ' ') as text from verdicts`,
      )
      expect(rows[0]?.text).toContain('hit')
    } finally {
      const began = performance.now()
      await Promise.all([one.stop(), two.stop()])
      expect(performance.now() - began).toBeLessThan(5_000)
    }
    expect(stream.state.text).toContain(
      'event: verdict\ndata: {"id":"a","asset":"btc","mode":"touch","outcome":"hit"}\n\n',
    )
  })

  it('survives PostgreSQL being away, and goes on when it is back', async () => {
    await using prices = await priceWorld(new Date().toISOString())
    const lines: string[] = []
    const write = (_: object, line: string): void => void lines.push(line)
    const one = start(prices, { info: write, warn: write, error: write })
    try {
      await shows(() => expect(one.isLeader()).toBe(true))
      await using away = await closedDatabase(prices.world.database)
      await shows(() => expect(one.isLeader()).toBe(false))
      const body = z.object({ leader: z.boolean().nullable() })
      expect(body.parse((await prices.world.get('/api/v1/status')).body)).toBeDefined()
      expect((await prices.world.get('/api/prices')).status).toBe(200)
      await away.open()
      await shows(() => expect(one.isLeader()).toBe(true))
      expect(
        lines.filter((line) => /wait for the database|tried again:/.test(line)).length,
      ).toBeLessThan(4)
    } finally {
      await one.stop()
    }
  })
})

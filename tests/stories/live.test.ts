import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_REPEAT_MS } from '#contracts/paths.ts'
import { Receipt, RECEIPT_EVENTS_PATH } from '#contracts/payments.ts'
import { PriceMessage } from '#contracts/prices.ts'
import { checkedState } from '#server/payments/payments.service.ts'
import { type RecordNews } from '#server/prices/live-prices.ts'
import { closesFile } from '#tests/support/builders.ts'
import { disposals } from '#tests/support/disposals.ts'
import '@fastify/websocket'
import { order, sharedWorld } from '#tests/support/payment-world.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { eventsOf, shows } from '#tests/support/waiting.ts'

const price = (usd: number, overrides: Partial<PriceMessage> = {}): PriceMessage => ({
  asset: 'btc',
  price: usd,
  at: Date.now(),
  source: 'kraken',
  ...overrides,
})

/** News of a version of the record, numbered by the test. */
const newsOf = (version: number, overrides: Partial<RecordNews> = {}): RecordNews => ({
  since: null,
  version: `v${String(version)}`,
  verdicts: [],
  predictions: [],
  ...overrides,
})

const listening = (site: TestApp): Promise<string> =>
  site.app.listen({ port: 0, host: '127.0.0.1' })

const world = sharedWorld({ settings: { trustProxy: ['127.0.0.1'] } })
let origin = ''
beforeAll(async () => {
  origin = await listening(world)
})

/** Connects to the price socket and records the messages. @param headers as a proxy might add them */
async function join(origin: string, path = '/ws/price', headers: Record<string, string> = {}) {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, { headers })
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

/** A minimal websocket client that only connects. */
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

it('a socket and a stream send the last price at once and then each new one of the requested asset', async () => {
  world.live.offer(price(100))
  world.live.offer(price(5, { asset: 'mstr' }))
  using socket = await join(origin)
  using stock = await join(origin, '/ws/price?asset=mstr')
  using stream = await eventsOf(origin)
  using other = await eventsOf(origin, '?asset=mstr')
  expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  await shows(() =>
    expect(stream.state.text).toContain('event: price\ndata: {"asset":"btc","price":100,'),
  )
  world.live.receive({ asset: 'btc', price: 'much', at: 1, source: 'kraken' })
  world.live.offer(price(101.5))
  await shows(() => expect(socket.messages.map((one) => one.price)).toEqual([100, 101.5]))
  await shows(() => expect(stock.messages).toMatchObject([{ price: 5, asset: 'mstr' }]))
  await shows(() => expect(stream.state.text.match(/event: price/g)).toHaveLength(2))
  expect(other.state.text.match(/event: price/g)).toHaveLength(1)
})

it('a stream sends verdicts and changed predictions, thousands at once', async () => {
  using stream = await eventsOf(origin, '?asset=none')
  world.live.recorded(
    newsOf(1, { verdicts: [{ id: 'a', asset: 'btc', mode: 'touch', outcome: 'hit' }] }),
  )
  world.live.recorded(newsOf(2))
  world.live.recorded(newsOf(3, { predictions: [{ id: 'a', asset: 'btc', expert: 'expert-a' }] }))
  const lines = [
    'event: verdict\ndata: {"id":"a","asset":"btc","mode":"touch","outcome":"hit"}\n\n',
    'event: prediction\ndata: {"id":"a","asset":"btc","expert":"expert-a"}\n\n',
  ]
  for (const line of lines) await shows(() => expect(stream.state.text).toContain(line))
  expect(stream.state.text.match(/event: prediction/g)).toHaveLength(1)
  for (let i = 0; i < 50; i += 1) {
    const verdicts = Array.from({ length: 100 }, (_, n) => ({
      id: `p-${String(i * 100 + n)}`,
      asset: 'btc' as const,
      mode: 'touch' as const,
      outcome: 'hit' as const,
    }))
    world.live.recorded(newsOf(4 + i, { verdicts }))
  }
  await shows(() => expect(stream.state.text.match(/event: verdict/g)).toHaveLength(5_001))
  expect(stream.state.text).not.toContain('event: price')
})

it('a price is repeated with its age while the venues are silent; sockets and streams end with the server', async () => {
  // Only the server's timers: those of sockets and the database continue by themselves.
  const timers = vi.spyOn(globalThis, 'setInterval')
  const site = await testApp()
  const repeats = timers.mock.calls.flatMap(([run, ms]) => (ms === LIVE_REPEAT_MS ? [run] : []))
  timers.mockRestore()
  expect(repeats.length).toBeGreaterThan(1)
  const own = await listening(site)
  const old = price(100, { at: Date.now() - 90_000 })
  site.live.offer(old)
  using one = await join(own)
  using stream = await eventsOf(own)
  await shows(() => expect(one.messages).toHaveLength(1))
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + LIVE_REPEAT_MS)
  for (const repeat of repeats) repeat()
  now.mockRestore()
  await shows(() => expect(one.messages).toEqual([old, old]))
  await shows(() => expect(stream.state.text.match(/event: alive\n/g)).toHaveLength(2))
  expect(stream.state.text.match(/event: price/g)).toHaveLength(1)
  // A client that never answers a close.
  const deaf = await rawSocket(own)
  await site[Symbol.asyncDispose]()
  await shows(() => expect(one.closed()).toBe(1_001))
  await stream.reading
  expect(stream.state.ended).toBe(true)
  deaf.destroy()
})

it('the price socket drops a client that stops reading, and serves the others', async () => {
  const { clients } = world.app.websocketServer
  await shows(() => expect(clients.size).toBe(0))
  using fast = await join(origin)
  const slow = await rawSocket(origin)
  slow.pause()
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

it('the event stream resumes after the last received event, or requests a reload of the lists', async () => {
  using first = await eventsOf(origin)
  await shows(() => expect(first.state.text).toMatch(/^id: \S+\nevent: alive$/m))
  const [, welcome = ''] = /^id: (\S+)\nevent: alive$/m.exec(first.state.text) ?? []
  let versions = 0
  let since = welcome
  const publish = (id: string): void => {
    const predictions = [{ id, asset: 'btc', expert: 'expert-a' }] as const
    const news = { ...newsOf((versions += 1), { predictions }), since }
    since = news.version
    world.live.recorded(news)
  }
  for (const id of ['a', 'b', 'c']) publish(id)
  await shows(() => expect(first.state.text).toContain('"c"'))
  const ids = [...first.state.text.matchAll(/^id: (\S+)\nevent: prediction$/gm)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(3)
  const after = (id: string) => eventsOf(origin, '', { 'last-event-id': id })
  using second = await after(ids[0] ?? '')
  await shows(() => expect(second.state.text).toContain('"c"'))
  expect(second.state.text).not.toContain('"a"')
  expect(second.state.text).toContain('"b"')
  using third = await after(ids[2] ?? '')
  publish('d')
  await shows(() => expect(third.state.text).toContain('"d"'))
  expect(third.state.text).not.toMatch(/reset|"c"/)
  // A client disconnected before any event has missed all of them.
  using early = await after(welcome)
  await shows(() => expect(early.state.text).toContain('"d"'))
  expect(early.state.text).toContain('"a"')
  expect(early.state.text).not.toContain('reset')
  // Missed events come before the id that marks the stream as complete.
  expect(early.state.text.indexOf(`id: ${ids[0] ?? ''}\n`)).toBeLessThan(
    early.state.text.indexOf('event: alive'),
  )
  // Another process, an earlier one, or an unknown event.
  for (const id of ['other-1', `${ids[0] ?? ''}9`, '7', 'x'.repeat(500)]) {
    using lost = await after(id)
    await shows(() => expect(lost.state.text).toContain('event: reset\ndata: 1\n\n'))
    expect(lost.state.text).not.toContain('event: prediction')
  }
  // The number of stored events is limited, and so is that of stored versions without events.
  for (let i = 0; i < 1_000; i += 1) publish(String(i))
  for (let i = 0; i < 1_001; i += 1) {
    world.live.recorded({ ...newsOf((versions += 1)), since })
    since = newsOf(versions).version
  }
  using late = await after(ids[1] ?? '')
  await shows(() => expect(late.state.text).toContain('event: reset'))
})

describe('the event stream with a receipt', () => {
  const eventsIn = (text: string, name: string): unknown[] =>
    [...text.matchAll(new RegExp(`^event: ${name}\\ndata: (.*)$`, 'gm'))].map(
      ([, data]) => JSON.parse(data ?? '') as unknown,
    )

  it('the event stream sends a receipt beside the prices, at once and whenever it changes, and ignores an unknown one', async () => {
    const made = [await order(world), await order(world, { amount: 500 })]
    const tokens = made.map(({ receipt }) => receipt.path.split('/')[2] ?? '')
    world.live.offer(price(100))
    using stream = await eventsOf(
      origin,
      `?receipt=${tokens.join('&receipt=')}&receipt=there-is-no-such-receipt`,
    )
    const receipts = (): Receipt[] =>
      eventsIn(stream.state.text, 'receipt').map((one) => Receipt.parse(one))
    const paths = () => [...new Set(receipts().map(({ path }) => path))].toSorted()
    await shows(() => expect(paths()).toEqual(made.map(({ receipt }) => receipt.path).toSorted()))
    expect(receipts().some(({ payment }) => payment.paid)).toBe(false)
    expect(eventsIn(stream.state.text, 'price')).toMatchObject([{ price: 100, asset: 'btc' }])
    world.ledger.pay(made[1]?.invoice.payment_request ?? '')
    world.clock.ms += 2_000
    await checkedState(world.payments.payments, made[1]?.invoice.checking_id ?? '')
    await shows(() =>
      expect(receipts().at(-1)).toMatchObject({
        path: made[1]?.receipt.path,
        payment: { paid: true },
      }),
    )
    expect(receipts().filter(({ payment }) => payment.paid)).toHaveLength(1)
  })

  it('a stream may resume after a received event', async () => {
    const message = (id: string, version: number) =>
      newsOf(version, { predictions: [{ id, asset: 'mstr', expert: 'expert-a' }] })
    world.live.recorded(message('before', 90_001))
    using first = await eventsOf(origin, '?asset=none')
    await shows(() => expect(first.state.text).toContain('event: alive'))
    const id = /^id: (\S+)$/m.exec(first.state.text)?.[1] ?? ''
    world.live.recorded({ ...message('meanwhile', 90_002), since: id })
    using second = await eventsOf(origin, `?asset=none&after=${id}`)
    await shows(() => expect(second.state.text).toContain('event: alive'))
    const received = [{ id: 'meanwhile', asset: 'mstr', expert: 'expert-a' }]
    expect(eventsIn(second.state.text, 'prediction')).toEqual(received)
  })
})

describe('the connection slots', () => {
  it.each(['/ws/price?asset=doge', '/ws/none'])('the price socket refuses %s', async (path) => {
    await expect(join(origin, path)).rejects.toThrow(/40[04]/)
  })

  it('the price socket accepts at most two hundred connections per IPv6 network', async () => {
    await using sockets = disposals()
    const enter = async (address: string): Promise<void> => {
      const socket = await join(origin, '/ws/price', { 'x-forwarded-for': address })
      sockets.defer(() => socket[Symbol.dispose]())
    }
    const own = (i: number): string => `2001:db8:11:2::${i.toString(16)}`
    await Promise.all(Array.from({ length: 200 }, (_, i) => enter(own(i))))
    await expect(enter(own(200))).rejects.toThrow(/429/)
    await expect(enter('2001:db8:11:3::1')).resolves.toBeUndefined()
  })

  it('calls without an upgrade do not use up connections of the price socket', async () => {
    const remoteAddress = '192.0.2.9'
    for (let i = 0; i < 201; i += 1) {
      const plain = await world.app.inject({ remoteAddress, url: '/ws/price' })
      expect([plain.statusCode, plain.headers['upgrade']]).toEqual([426, 'websocket'])
    }
    const stream = { remoteAddress, url: '/api/v1/live', payloadAsStream: true } as const
    expect((await world.app.inject(stream)).statusCode).toBe(200)
  })

  it('the event stream accepts at most two hundred connections per IPv6 network', async () => {
    const join = (remoteAddress: string) =>
      world.app.inject({ remoteAddress, url: '/api/v1/live', payloadAsStream: true })
    const own = (i: number): string => `2001:db8:1:2::${i.toString(16)}`
    await Promise.all(Array.from({ length: 200 }, (_, i) => join(own(i))))
    expect((await join(own(200))).statusCode).toBe(429)
    expect((await join('2001:db8:1:3::1')).statusCode).toBe(200)
  })

  it('the event stream refuses an unknown asset', async () => {
    expect((await world.get('/api/v1/live?asset=doge')).status).toBe(400)
  })

  it('the event stream with receipts is opened at most sixty times a minute by one address, for at most five receipts', async () => {
    const join = async (query: string): Promise<number> => {
      const stream = { url: `/api/v1/live${query}`, payloadAsStream: true } as const
      const answer = await world.app.inject({ remoteAddress: '192.0.2.5', ...stream })
      answer.raw.res.destroy()
      return answer.statusCode
    }
    expect(await join(`?${'receipt=a&'.repeat(6)}`)).toBe(400)
    for (let i = 0; i < 60; i += 1) expect(await join('?receipt=a')).toBe(200)
    expect(await join('?receipt=a')).toBe(429)
    expect(await join('')).toBe(200)
  })

  it('the event stream of a receipt is open at most twenty times per IPv6 network', async () => {
    const { receipt } = await order(world)
    const url = RECEIPT_EVENTS_PATH.replace(':token', receipt.path.split('/')[2] ?? '')
    const join = async (remoteAddress: string): Promise<number> =>
      (await world.app.inject({ remoteAddress, url, payloadAsStream: true })).statusCode
    for (let i = 0; i < 20; i += 1) {
      expect(await join(`2001:db8:21:2::${i.toString(16)}`)).toBe(200)
    }
    expect(await join('2001:db8:21:2:ffff::1')).toBe(503)
    expect(await join('2001:db8:21:3::1')).toBe(200)
  })
})

it('the last known price is the live one, or the close if that is newer', async () => {
  await using site = await testApp()
  await site.imports.prices('btc', closesFile('2026-11-17', [90, 95]), 'starter')
  await site.refresh()
  const ask = async () => (await site.get('/live-price')).body
  expect(await ask()).toEqual({ price: 95, date: '2026-11-18', source: 'starter', at: null })
  const at = Date.parse('2026-11-19T14:05:00Z')
  site.live.offer(price(99, { at }))
  expect(await ask()).toEqual({
    price: 99,
    date: '2026-11-19',
    source: 'kraken',
    at: '2026-11-19T14:05:00.000Z',
  })
  await site.imports.prices('btc', closesFile('2026-11-19', [97]), 'starter')
  await site.refresh()
  expect(await ask()).toMatchObject({ price: 97, at: null })
})

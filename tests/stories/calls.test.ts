import { once } from 'node:events'
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createInvoice } from '#contracts/payments.ts'
import { previewSubmission } from '#contracts/submissions.ts'
import { leave } from '#server/http/listen.ts'
import { entry } from '#tests/support/builders.ts'
import { appOfFile, onceForFile } from '#tests/support/once-for-file.ts'
import { order, SUBMISSION, world as payingWorld } from '#tests/support/payment-world.ts'
import { plainPages, testApp } from '#tests/support/test-app.ts'
import { shows, until } from '#tests/support/waiting.ts'
import { words } from '#tests/support/words.ts'

const site = appOfFile()

const WRONG_CALLS = [
  ['/api/v1/predictions/none', 404, 'not_found'],
  ['/api/v1/experts/none', 404, 'not_found'],
  ['/api/none', 404, 'not_found'],
  ['/live-price?asset=doge', 400, 'invalid'],
  [`/api/v1/predictions/${'x'.repeat(300)}`, 400, 'invalid'],
  ['/api/v1/page?url=no-slash', 400, 'invalid'],
  ["/api/v1/predictions/'%20or%201=1", 404, 'not_found'],
  ['/api/v1/experts/%00', 400, 'invalid'],
  ['/api/v1/predictions/a%00', 400, 'invalid'],
] as const

it('an invalid call is refused with the reason', async () => {
  const world = site()
  for (const [url, status, code] of WRONG_CALLS) {
    expect({ url, ...(await world.get(url)) }).toMatchObject({
      url,
      status,
      body: { success: false, code },
    })
  }
})

const LONG = 'a'.repeat(500)
const ODD_PAGES = [
  '/',
  '/nowhere',
  `/predictions/${LONG}`,
  `/experts/${LONG}`,
  '/%zz',
  '/btc%',
  '//x',
  '*',
  '/predictions/none',
  '/experts/none',
  '/predictions/%E0%A4%A',
  '/experts/%00',
  '/btc/x',
]
const ODD_CALLS = [
  '/api/prices',
  '/api/nowhere',
  '/api/%zz',
  '/api/v1/page',
  `/api/v1/predictions/${LONG}`,
]
const OTHERS = words('/feed.xml /robots.txt /healthz /metrics /theme.js /icons/share.png http:///x')

const PROTECTED: unknown = expect.objectContaining({
  'content-security-policy': expect.stringContaining("default-src 'self'"),
  'permissions-policy': expect.stringContaining('camera=(), '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
})

describe('a page', () => {
  const drawing = { count: 0 }
  let changes = 0
  const pages = plainPages(() => {
    drawing.count += 1
    return { head: '<title>T</title>', body: 'costs $& and $1' }
  })
  const paged = onceForFile(
    () => testApp({ options: { pages } }),
    async (world) => {
      // Cached pages are from an earlier version of the record.
      changes += 1
      await world.publish(entry(`change-${String(changes)}`))
      drawing.count = 0
    },
  )

  it('inlines its data, escaped so that it cannot end its element', async () => {
    const world = paged()
    await world.publish(entry('inlined', { expert_name: '</script><script>alert(1)</script>' }))
    const { body, headers } = await world.app.inject('/predictions/inlined')
    expect(headers['content-type']).toContain('text/html')
    expect(body).toContain('costs $& and $1')
    expect(body).not.toContain('<script>alert')
    expect(body.match(/<\/script>/g)).toHaveLength(1)
  })

  it('the page of a receipt has a status that says whether it exists', async () => {
    await using visited = await payingWorld({ options: { pages } })
    const { receipt } = await order(visited)
    for (const [url, status] of [
      [receipt.path, 200],
      [`/receipt/${'a'.repeat(32)}`, 404],
      ['/receipt/%00', 404],
    ] as const) {
      expect([url, (await visited.app.inject(url)).statusCode]).toEqual([url, status])
    }
  })

  it('redirects an upper-case address to the lower-case one', async () => {
    const world = paged()
    for (const url of ['/BTC?tf=1Y', '/Methodology', '/BTC/Feed.xml', '/Btc.CSV', '/embed/BTC']) {
      let answer = await world.app.inject(url)
      while (answer.statusCode === 301)
        answer = await world.app.inject(answer.headers.location ?? '')
      expect([url, answer.statusCode]).toEqual([url, 200])
    }
    expect((await world.app.inject({ method: 'POST', url: '/BTC' })).statusCode).toBe(404)
  })

  it('every response has the security headers', async () => {
    const world = paged()
    const address = await world.app.listen({ port: 0, host: '127.0.0.1' })
    const all = await Promise.all(
      [...ODD_PAGES, ...ODD_CALLS, ...OTHERS].map(async (url) => ({
        url,
        ...(await rawGet(address, url)),
      })),
    )
    for (const { url, headers } of all) expect([url, headers]).toEqual([url, PROTECTED])
    for (const { url, status, headers, body } of all.filter((one) => ODD_PAGES.includes(one.url))) {
      expect([url, status]).toEqual([url, url === '/' ? 200 : 404])
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(body).toContain('costs $& and $1')
    }
    const failed = all.filter((one) => ODD_CALLS.includes(one.url) && one.status !== 200)
    expect(failed).toHaveLength(ODD_CALLS.length - 1)
    for (const { body } of failed) {
      expect(JSON.parse(body)).toMatchObject({ success: false, message: expect.any(String) })
    }
  })

  const renders = (): number => drawing.count

  it('is rendered once for all addresses that show the same', async () => {
    const world = paged()
    const random = Array.from({ length: 100 }, () => Math.random().toString(36).slice(2))
    const addresses = [
      '/btc',
      '/btc/',
      ...random.map((text) => `/btc?x=${text}&${text}=1&from=${text}`),
    ]
    for (const url of addresses) expect((await world.app.inject(url)).statusCode).toBe(200)
    for (const url of ['/%62tc', '/b%74c/', '/%62%74%63?x=1', '/btc///']) {
      expect((await world.app.inject(url)).body).toContain('"url":"/btc"')
    }
    expect(renders()).toBe(1)
    // Parameters used by the page make another page; their order does not matter.
    for (const url of ['/btc?status=miss&frame=1y', '/btc?frame=1Y&x=1&status=miss']) {
      const { body } = await world.app.inject(url)
      expect(body).toContain('"url":"/btc?frame=1y&status=miss"')
    }
    expect(renders()).toBe(2)
  })

  it('is found whatever its query string', async () => {
    const world = paged()
    for (const url of ['/b%74c?x=100%', '/b%74c?%zz&frame=1y', '/b%74c?x=%E0%A4%A&frame=1y']) {
      const { statusCode, body } = await world.app.inject(url)
      expect([url, statusCode, body.includes('"url":"/btc')]).toEqual([url, 200, true])
      expect(body.includes('frame=1y')).toBe(url.includes('frame=1y'))
    }
    const call = await world.get('/api/v1/experts/n%C3%B6?x=100%')
    expect([call.status, call.body]).toMatchObject([404, { code: 'not_found' }])
    expect((await world.get('/live-price?asset=doge&x=%')).status).toBe(400)
    expect((await world.get('/live-price?asset=mstr&x=%')).status).toBe(200)
  })

  it('uncached pages are limited per address or IPv6 network; cached ones are not', async () => {
    const world = paged()
    const ask = (url: string, end: string) =>
      world.app.inject({ url, remoteAddress: `2001:db8:1:2::${end}` })
    expect((await ask('/btc', 'ffff')).statusCode).toBe(200)
    for (let i = 0; i < 119; i += 1) await ask(`/nowhere/${String(i)}`, i.toString(16))
    expect(renders()).toBe(120)
    const refused = await ask('/nowhere/more', 'ffff')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.body).toContain('Too many pages at once')
    expect((await ask('/btc?x=1', 'ffff')).statusCode).toBe(200)
    for (const remoteAddress of ['2001:db8:1:3::1', '192.0.2.7']) {
      expect((await world.app.inject({ url: '/nowhere/more', remoteAddress })).statusCode).toBe(404)
    }
  })

  it('does not render a page for an overlong path; a long query is harmless', async () => {
    const world = paged()
    const long = await world.app.inject(`/${'a/'.repeat(1_000)}`)
    expect([long.statusCode, long.headers['cache-control']]).toEqual([404, 'no-store'])
    expect(long.headers['content-type']).toContain('text/html')
    expect(long.body).toContain('There is no page at this address.')
    expect(renders()).toBe(0)
    expect((await world.app.inject(`/btc?x=${'a/'.repeat(1_000)}`)).statusCode).toBe(200)
    expect(renders()).toBe(1)
  })
})

it('an overloaded site refuses calls until it has caught up', async () => {
  await using world = await testApp({ options: { busy: { afterMs: 150, sampleMs: 50 } } })
  const status = async (): Promise<number> => (await world.app.inject('/api/v1/status')).statusCode
  const freeze = async (): Promise<void> => {
    const end = performance.now() + 300
    while (performance.now() < end);
    await pause(1)
  }
  await shows(async () => {
    await freeze()
    await freeze()
    expect(await status()).toBe(503)
  })
  const isCalm = () => shows(async () => expect(await status()).toBe(200))
  await shows(async () => {
    await isCalm()
    await freeze()
    expect(await status()).toBe(200)
  })
})

describe('a stopping site', () => {
  const post = (origin: string, path: string, body: object, agent: Agent) =>
    new Promise<{ status: number; connection: string | undefined }>((done, fail) => {
      const sending = request(
        `${origin}${path}`,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (answer) => {
          answer.resume().on('end', () => {
            done({ status: answer.statusCode ?? 0, connection: answer.headers.connection })
          })
        },
      )
      sending.on('error', fail).end(JSON.stringify(body))
    })
  const codeOf = (error: unknown): unknown =>
    error instanceof Error && 'code' in error ? error.code : error
  const now = async (): Promise<void> => {}

  it('answers requests until its port closes, and finishes those in progress', async () => {
    await using site = await payingWorld()
    const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const gate = Promise.withResolvers<void>()
    const request = Promise.withResolvers<void>()
    const make = site.wallet.createInvoice.bind(site.wallet)
    Object.assign(site.wallet, {
      createInvoice: async (...args: Parameters<typeof make>) => {
        request.resolve()
        await gate.promise
        return make(...args)
      },
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const body = { amount: 21, submissionData: SUBMISSION }
    const begun = post(origin, createInvoice.path, body, agent)
    await request.promise

    const ends: unknown[] = []
    const answers: Awaited<typeof begun>[] = []
    const counts = Array.from({ length: 4 }, () => 0)
    const callers = counts.map(async (_, own) => {
      for (;;) {
        try {
          answers.push(await post(origin, previewSubmission.path, body, agent))
          counts[own] = (counts[own] ?? 0) + 1
          // On a busy machine the port may close between two of them, too.
          await pause(100)
        } catch (error) {
          ends.push(codeOf(error))
          return
        }
      }
    })
    await until(() => counts.every((count) => count > 0))
    site.beginStop()
    const drained = Promise.withResolvers<void>()
    const left = leave(site.app, { drained: drained.promise, linger: now })
    const ready = await fetch(`${origin}/readyz`)
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
    // All callers have read that their connection ends, so all continue with new ones.
    const before = [...counts]
    await until(() => counts.every((count, own) => count > (before[own] ?? 0) + 1))
    drained.resolve()
    await Promise.all(callers)
    expect(new Set(ends)).toEqual(new Set(['ECONNREFUSED']))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.at(-1)?.connection).toBe('close')
    expect(site.app.server.listening).toBe(false)
    let hasLeft = false
    void left.then(() => (hasLeft = true))
    await pause(0)
    expect(hasLeft).toBe(false)
    gate.resolve()
    expect(await begun).toEqual({ status: 200, connection: 'close' })
    await left
    agent.destroy()
  })

  /** How the answer to a request on a connection begins. */
  async function statusLine(socket: Socket, headers: string): Promise<string> {
    socket.write(`GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    return head.toString('latin1').slice(0, 12)
  }

  it('answers a request on a connection kept open by a balancer', async () => {
    await using world = await testApp()
    const { hostname, port } = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), hostname)
    const ask = () => statusLine(socket, 'Host: x')
    expect(await ask()).toBe('HTTP/1.1 200')
    const two = connect(Number(port), hostname)
    const refused = await statusLine(two, 'Host: x\r\nHost: y\r\nConnection: close')
    expect(refused, 'a request that names two hosts').toBe('HTTP/1.1 400')
    const shut = Promise.withResolvers<void>()
    const request = Promise.withResolvers<void>()
    const left = leave(world.app, {
      linger: () => {
        shut.resolve()
        return request.promise
      },
    })
    const first = await Promise.race([shut.promise.then(() => 'shut'), left.then(() => 'left')])
    expect(first).toBe('shut')
    expect(world.app.server.listening).toBe(false)
    expect(await ask()).toBe('HTTP/1.1 200')
    request.resolve()
    await left
    socket.destroy()
  })

  it('answers connections already accepted when its port closed', async () => {
    await using world = await testApp()
    const { hostname, port } = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' }))
    const answers = Array.from({ length: 20 }, () =>
      statusLine(connect(Number(port), hostname), 'Host: x\r\nConnection: close'),
    )
    // The system has accepted them, though the process has not seen them yet.
    const left = leave(world.app, { linger: now })
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200']))
    await left
  })

  it('closes its port once idle, even on a slow machine, not at its timeout', async () => {
    await using world = await testApp()
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    // Each turn of the event loop takes three times its time without load.
    let ms = performance.now()
    const reading = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 0.3))
    const began = ms
    await leave(world.app, { linger: now })
    reading.mockRestore()
    expect(ms - began).toBeLessThan(1_000)
  })

  it('cuts off a call that never ends', async () => {
    await using world = await testApp()
    const { hostname, port } = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' }))
    const half = connect(Number(port), hostname)
    half.on('error', () => {})
    half.write('POST /api/v1/submissions/preview HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx')
    await once(half, 'connect')
    await leave(world.app, { linger: now, finishWithinMs: 50 })
    expect(world.app.server.listening).toBe(false)
  })
})

/** Requests an address verbatim, which no tidying client would send. */
async function rawGet(
  site: string,
  path: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { hostname, port } = new URL(site)
  request({ hostname, port, path, agent: false }, resolve).on('error', reject).end()
  const answer = await promise
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(Buffer.from(chunk))
  const { statusCode = 0, headers } = answer
  return { status: statusCode, headers, body: Buffer.concat(chunks).toString() }
}

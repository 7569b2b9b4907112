import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CallCounts, callerOf, connectionLimit } from './limits.ts'

const HOUR = 3_600_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function limited() {
  const app = Fastify()
  await app.register(rateLimit, { global: false, store: CallCounts, keyGenerator: callerOf })
  for (const url of ['/a', '/b']) {
    app.get(url, { config: { rateLimit: { max: 2, timeWindow: '1 minute' } } }, () => 'done')
  }
  await app.ready()
  const from = async (remoteAddress: string, url = '/a') =>
    (await app.inject({ url, remoteAddress })).statusCode
  return { from, [Symbol.asyncDispose]: () => app.close() }
}

it('counts calls by address and route, for a minute', async () => {
  await using site = await limited()
  const codes = []
  for (let i = 0; i < 3; i += 1) codes.push(await site.from('192.0.2.1'))
  expect(codes).toEqual([200, 200, 429])
  expect([await site.from('192.0.2.1', '/b'), await site.from('192.0.2.2')]).toEqual([200, 200])
  vi.advanceTimersByTime(59_000)
  expect(await site.from('192.0.2.1')).toBe(429)
  vi.advanceTimersByTime(2_000)
  expect(await site.from('192.0.2.1')).toBe(200)
})

it('setting the clock back does not extend a limit', async () => {
  await using site = await limited()
  for (let i = 0; i < 3; i += 1) await site.from('192.0.2.1')
  vi.setSystemTime(Date.now() - 3 * HOUR)
  expect(await site.from('192.0.2.1')).toBe(429)
  vi.advanceTimersByTime(61_000)
  expect(await site.from('192.0.2.1')).toBe(200)
})

it('remembers a limited number of recently active addresses', async () => {
  const counts = new CallCounts()
  const countOf = (key: string): number => {
    let seen = 0
    counts.incr(`GET ${key}`, (_, result) => void (seen = result?.current ?? 0), 60_000)
    return seen
  }
  const far = (n: number) => `2001:${n.toString(16)}::1`
  expect([countOf('192.0.2.1'), countOf('192.0.2.1')]).toEqual([1, 2])
  for (let i = 0; i < 4_999; i += 1) countOf(far(i))
  expect(countOf('192.0.2.1')).toBe(3)
  for (let i = 0; i < 5_000; i += 1) countOf(far(i))
  expect(countOf('192.0.2.1')).toBe(1)
})

it('also limits whole prefixes: changes as for one network, other calls as for four', () => {
  const last = (method: string, address: (n: number) => string): number => {
    const counts = new CallCounts()
    let seen = 0
    const note = (_: unknown, result?: { current: number }) => void (seen = result?.current ?? 0)
    for (let n = 0; n < 40; n += 1) counts.incr(`${method} ${address(n)}`, note, 60_000)
    return seen
  }
  const near = (n: number) => `2001:db8:1:${String(n)}::1`
  expect(['GET', 'POST'].map((method) => last(method, near))).toEqual([10, 40])
  expect(last('POST', (n) => `198.51.${String(n)}.1`)).toBe(1)
})

it('counts a connection down once even if its end is reported twice', () => {
  const limit = connectionLimit(2)
  const from = { ip: '203.0.113.9' } as FastifyRequest
  const leave = limit.enter(from)
  limit.enter(from)
  leave()
  leave()
  expect(limit.count()).toBe(1)
})

it.each([
  ['198.51.100.1', 1, null],
  ['198.51.100.1', 2, 429],
  ['2001:db8::1', 2, 429],
  ['127.0.0.1', 2, null],
  ['127.0.0.1', 3, 503],
])('an address %s beside %i others of its network gets %j', async (ip, open, status) => {
  const limit = connectionLimit(3, 2, 429)
  for (let i = 0; i < open; i += 1)
    limit.enter({ ip: ip.replace('8::1', '8::2') } as FastifyRequest)
  await using app = Fastify()
  app.get('/', async (request, reply) => ((await limit.refuse(request, reply)) ? reply : 'in'))
  const { statusCode, headers } = await app.inject({ url: '/', remoteAddress: ip })
  expect([statusCode, headers['retry-after']]).toEqual(status ? [status, '30'] : [200, undefined])
  limit.shut()
  expect((await app.inject('/')).statusCode).toBe(503)
})

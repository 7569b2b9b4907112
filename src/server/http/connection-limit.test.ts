import Fastify, { type FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { connectionLimit } from './connection-limit.ts'

it('a connection that is said twice to have ended is counted down once', () => {
  const limit = connectionLimit({ most: 2 })
  const from = { ip: '203.0.113.9' } as FastifyRequest
  const leave = limit.enter(from)
  limit.enter(from)
  leave()
  leave()
  expect(limit.count()).toBe(1)
})

it.each([
  ['198.51.100.1', 0, null],
  ['198.51.100.1', 1, null],
  ['198.51.100.1', 2, 429],
  // One network of many addresses.
  ['2001:db8::1', 2, 429],
  ['127.0.0.1', 2, null],
  ['127.0.0.1', 3, 503],
])('one of %s beside %i others of it is answered %j', async (ip, open, status) => {
  const limit = connectionLimit({ most: 3, mostOfOne: 2, crowded: 429 })
  const own = ip === '2001:db8::1' ? '2001:db8::2' : ip
  const leaves = Array.from({ length: open }, () => limit.enter({ ip: own } as FastifyRequest))
  await using app = Fastify()
  app.get('/', async (request, reply) => {
    if (!(await limit.refuse(request, reply))) return 'in'
  })
  const ask = () => app.inject({ url: '/', remoteAddress: ip })
  const { statusCode, headers } = await ask()
  expect([statusCode, headers['retry-after']]).toEqual(status ? [status, '30'] : [200, undefined])
  for (const leave of leaves) leave()
  expect((await ask()).statusCode).toBe(200)
  limit.shut()
  expect((await ask()).statusCode).toBe(503)
})

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
  ['198.51.100.1', 1, null],
  ['198.51.100.1', 2, 429],
  ['2001:db8::1', 2, 429],
  ['127.0.0.1', 2, null],
  ['127.0.0.1', 3, 503],
])('one of %s beside %i others of its network is answered %j', async (ip, open, status) => {
  const limit = connectionLimit({ most: 3, mostOfOne: 2, crowded: 429 })
  for (let i = 0; i < open; i += 1)
    limit.enter({ ip: ip.replace('8::1', '8::2') } as FastifyRequest)
  await using app = Fastify()
  app.get('/', async (request, reply) => ((await limit.refuse(request, reply)) ? reply : 'in'))
  const { statusCode, headers } = await app.inject({ url: '/', remoteAddress: ip })
  expect([statusCode, headers['retry-after']]).toEqual(status ? [status, '30'] : [200, undefined])
  limit.shut()
  expect((await app.inject('/')).statusCode).toBe(503)
})

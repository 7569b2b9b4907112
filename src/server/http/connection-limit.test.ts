import { type FastifyRequest } from 'fastify'
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

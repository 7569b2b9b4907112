import { answerErrors, loggedError } from '#server/http/errors.ts'
import { DrizzleQueryError } from 'drizzle-orm'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'

const failed = (): Error => {
  const cause = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), {
    code: '22021',
    detail: 'Failing row contains (jane@example.org).',
  })
  return new DrizzleQueryError('insert into submissions', ['jane@example.org'], cause)
}

it.each([
  ['itself', failed],
  ['as a cause', () => new Error('It failed.', { cause: failed() })],
])('a failed query, %s, leaves nothing of its row in the log', async (_, make) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const loggerInstance: FastifyBaseLogger = pino({ serializers: { err: loggedError } }, stream)
  const app = Fastify({ loggerInstance })
  answerErrors(app)
  app.get('/', () => {
    throw make()
  })
  expect((await app.inject('/')).statusCode).toBe(500)
  loggerInstance.warn({ err: make() }, 'elsewhere')
  const log = lines.filter((line) => line.includes('"err"'))
  expect(log).toHaveLength(2)
  expect(log.join()).not.toContain('jane@')
  for (const line of log) expect(line).toContain('"code":"22021"')
})

import { answerErrors, loggedError } from '#server/http/errors.ts'
import { DrizzleQueryError } from 'drizzle-orm'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'

const failed = (): Error => {
  const cause = Object.assign(new Error('duplicate key value violates unique constraint'), {
    code: '23505',
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
  for (const line of log) expect(line).toContain('"code":"23505"')
})

it.each(['22021', '22P05'])(
  'a text with a NUL (%s) is wrong input, not our fault',
  async (code) => {
    const app = Fastify()
    answerErrors(app)
    app.get('/', () => {
      throw new DrizzleQueryError('insert', [], Object.assign(new Error('0x00'), { code }))
    })
    const response = await app.inject('/')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'invalid',
      error: 'The input holds a character that cannot be stored.',
    })
  },
)

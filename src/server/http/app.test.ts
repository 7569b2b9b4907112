import { connect } from 'node:net'
import { DrizzleQueryError } from 'drizzle-orm'
import Fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { watchOutages } from '#server/database/outages.ts'
import { loggedError } from '#server/kit/log.ts'
import { answerErrors } from './app.ts'
import { swallowBodies } from './bodies.ts'

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
])('omits row values of a failed query, %s, from the log', async (_, make) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const loggerInstance: FastifyBaseLogger = pino({ serializers: { err: loggedError } }, stream)
  const app = Fastify({ loggerInstance })
  answerErrors(app, { notice: () => null })
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

/** The response to a call whose query fails with a code of PostgreSQL. */
function responseTo(code: string, notice = () => null) {
  const app = Fastify()
  answerErrors(app, { notice })
  app.get('/', () => {
    throw new DrizzleQueryError('insert', [], Object.assign(new Error('It failed.'), { code }))
  })
  return app.inject('/')
}

it.each(['22021', '22P05'])('treats a text with a NUL (%s) as invalid input', async (code) => {
  const response = await responseTo(code)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    code: 'invalid',
    error: 'The input holds a character that cannot be stored.',
  })
})

it('treats a lock timeout as retryable and does not log it', async () => {
  const noticed = vi.fn<() => null>(() => null)
  const response = await responseTo('55P03', noticed)
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
  expect(response.json()).toMatchObject({
    code: 'unavailable',
    error: 'The site is busy. Please try again in a moment.',
  })
  expect(noticed).not.toHaveBeenCalled()
})

const refused = (code: string): Error =>
  new DrizzleQueryError(
    'insert into submissions',
    ['jane@example.org'],
    Object.assign(new Error('could not extend file'), { code }),
  )

it.each([
  ['away', '57P01', '5'],
  ['full', '53100', '60'],
] as const)(
  'answers 503 with a sentence while the database is %s, and logs one line',
  async (kind, code, after) => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const loggerInstance: FastifyBaseLogger = pino({ serializers: { err: loggedError } }, stream)
    const app = Fastify({
      loggerInstance,
      logController: new LogController({ disableRequestLogging: true }),
    })
    const outages = watchOutages({
      ping: () => Promise.reject(new Error('away')),
      log: { warn: (text) => loggerInstance.warn(text) },
    })
    expect(outages.notice(new Error('something else'))).toBeNull()
    expect(outages.notice(refused(code))).toBe(kind)
    answerErrors(app, outages)
    const failing = (): never => {
      throw refused(code)
    }
    app.get('/', failing)
    app.post('/', failing)
    app.post('/paid', { config: { unavailableText: 'Nothing was charged.' } }, failing)
    const messages: string[] = []
    for (const [method, url] of [
      ['GET', '/'],
      ['POST', '/'],
      ['POST', '/paid'],
      ['POST', '/paid'],
    ] as const) {
      const response = await app.inject({ method, url })
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, after])
      expect(response.json()).toMatchObject({ success: false, code: 'unavailable' })
      messages.push(response.json<{ error: string }>().error)
    }
    expect(new Set(messages).size).toBe(3)
    expect(messages[2]).toBe('Nothing was charged.')
    expect(lines).toHaveLength(1)
    expect(lines.join()).not.toContain('jane@')
    outages.stop()
  },
)

it('logs the end of an outage and the next outage', async () => {
  const lines: string[] = []
  let isAway = true
  const outages = watchOutages({
    ping: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()),
    log: { warn: (text) => lines.push(text) },
    askEveryMs: 1,
  })
  for (let i = 0; i < 3; i += 1) outages.notice(refused('57P01'))
  await new Promise((done) => setTimeout(done, 20))
  expect(lines).toHaveLength(1)
  isAway = false
  await vi.waitFor(() => expect(lines).toHaveLength(2))
  expect(lines[1]).toMatch(/^The database is back after \d+\.\d s\.$/)
  outages.notice(refused('08006'))
  expect(lines).toHaveLength(3)
  outages.stop()
})

it('takes a caller who hangs up for no outage', async () => {
  const app = Fastify()
  swallowBodies(app)
  const noticed = vi.fn<() => null>(() => null)
  answerErrors(app, { notice: noticed })
  const handled = new Promise((done) => {
    app.addHook('onSend', (_request, _reply, payload) => Promise.resolve(done(payload)))
  })
  app.post('/', () => 'read')
  const caller = connect(Number(new URL(await app.listen({ port: 0 })).port))
  const head = [
    'POST / HTTP/1.1',
    'host: x',
    'content-type: text/plain',
    'content-length: 9',
    '',
    '',
  ]
  caller.write(`${head.join('\r\n')}half`, () => caller.destroy())
  await handled
  expect(noticed).not.toHaveBeenCalled()
  await app.close()
})

import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { failure } from '#server/kit/failure.ts'
import { accepts, answerCache, jsonOf, type Made } from './answer-cache.ts'
import { answerErrors } from './app.ts'

/** A site with one call, its content, and how often that was rendered. */
function cached({ maxBytes = 100_000 }: { maxBytes?: number } = {}) {
  const state = { version: '1', isAway: false, isNoticed: false, made: [] as string[] }
  const answers = answerCache({
    version: () => state.version,
    isNoOlderThan: () => Promise.resolve(true),
    outages: {
      notice: () => {
        state.isNoticed = state.isAway
        return state.isAway ? 'away' : null
      },
      current: () => (state.isNoticed ? 'away' : null),
    },
    maxBytes,
  })
  const make = (address: string, more: Partial<Made> = {}) =>
    answers.get(address, async () => {
      state.made.push(`${address} ${state.version}`)
      if (state.isAway) throw new Error('no database')
      return { ...jsonOf(`"${address} ${state.version}"`), ...more }
    })
  const text = async (address: string, more: Partial<Made> = {}) =>
    gunzipSync((await make(address, more)).gzip).toString()
  return { state, answers, make, text }
}

describe('an answer', () => {
  it('is rendered once per version for concurrent requests, and again for another version', async () => {
    const { state, text } = cached()
    const both = [text('a'), text('a')]
    state.version = '2'
    const later = text('a')
    expect(await Promise.all([...both, later])).toEqual(['"a 1"', '"a 1"', '"a 2"'])
    expect([await text('a'), state.made]).toEqual(['"a 2"', ['a 1', 'a 2']])
  })

  it('with the same content keeps its tag and its time in another version', async () => {
    const { state, make } = cached()
    const first = await make('a', { body: 'same' })
    state.version = '2'
    const second = await make('a', { body: 'same' })
    expect([second.etag, second.madeAt, second.br]).toEqual([first.etag, first.madeAt, first.br])
  })

  it('is not cached if it may change at any time, nor beyond the memory limit', async () => {
    const { state, text, make } = cached({ maxBytes: 5_500 })
    await text('live', { isCached: false })
    await text('live', { isCached: false })
    expect(state.made).toHaveLength(2)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await make(name)
    state.made = []
    for (const name of ['f', 'e', 'a']) await make(name)
    expect(state.made).toEqual(['a 1'])
  })

  it('is the last one with its age during a database outage, and a fresh one afterwards', async () => {
    const now = Date.now()
    vi.setSystemTime(now)
    const { state, answers, text } = cached()
    await text('a')
    Object.assign(state, { version: '2', isAway: true })
    expect([await text('a'), await text('a')]).toEqual(['"a 1"', '"a 1"'])
    // The first request noticed it; later ones do not wait for the database.
    expect(state.made).toEqual(['a 1', 'a 2'])
    await expect(text('b')).rejects.toThrow('no database')
    const app = fastify()
    app.get('/', (request, reply) =>
      answers.answer(request, reply, 'a', () => Promise.reject(new Error('no database'))),
    )
    vi.setSystemTime(now + 60_000)
    const { body, headers } = await app.inject('/')
    vi.useRealTimers()
    expect([body, headers.age]).toEqual(['"a 1"', '60'])
    Object.assign(state, { isAway: false, isNoticed: false })
    expect(await text('a')).toBe('"a 2"')
  })

  it('queues, is refused when the queue is full, and does not block on past days', async () => {
    const { answers } = cached()
    const open = Promise.withResolvers<undefined>()
    const ask = (address: string, queue: 'page' | 'past') =>
      answers.get(address, () => open.promise.then(() => jsonOf(address)), { queue })
    const past = Array.from({ length: 20 }, (_, n) => ask(`past ${String(n)}`, 'past'))
    const pages = [ask('page', 'page'), ask('page', 'page')]
    open.resolve(undefined)
    const settled = await Promise.allSettled(past)
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(9)
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', retryAfterS: 5 } })
    expect(await Promise.all(pages)).toHaveLength(2)
  })

  it('is refused to a rate-limited visitor only if it is not cached', async () => {
    const { answers } = cached()
    const before = () => Promise.reject(failure('too_many', 'Please wait.'))
    const made = () => Promise.resolve(jsonOf('1'))
    await expect(answers.get('a', made, { before })).rejects.toThrow('Please wait.')
    const begun = answers.get('a', made)
    await expect(answers.get('a', made, { before })).resolves.toEqual(await begun)
  })
})

describe('a large answer', () => {
  const parts = Array.from({ length: 500 }, (_, n) => `part ${String(n)} of a list – `)

  async function sent(body: () => Readable, encoding: string) {
    const { answers } = cached()
    const app = fastify()
    answerErrors(app, { notice: () => null })
    app.get('/', (request, reply) =>
      answers.answer(request, reply, 'a', () => Promise.resolve(jsonOf(body))),
    )
    return app.inject({ url: '/', headers: { 'accept-encoding': encoding } })
  }

  it('is compressed while it is sent', async () => {
    const stream = () => Readable.from(parts)
    const text = parts.join('')
    const br = await sent(stream, 'br, gzip')
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(text)
    expect(gunzipSync((await sent(stream, 'gzip')).rawPayload).toString()).toBe(text)
    expect((await sent(stream, '')).body).toBe(text)
  })

  it('that fails is an error, or is cut off once it has begun', async () => {
    const failing = (first: readonly string[]) => () =>
      Readable.from(
        (async function* () {
          yield* first
          await new Promise((done) => setTimeout(done, 20))
          throw new Error('no further part')
        })(),
      )
    const early = await sent(failing([]), 'br')
    expect([early.statusCode, early.headers['content-encoding']]).toEqual([500, undefined])
    const many = Array.from({ length: 5_000 }, () => Math.random().toString(36))
    await expect(sent(failing(many), 'gzip')).rejects.toThrow('destroyed')
  })
})

it.each([
  ['br', true],
  ['gzip, br;q=0.5', true],
  ['gzip', false],
  ['br;q=0', false],
  ['br; q=0.000', false],
])('%s takes Brotli: %s', (header, takes) => {
  expect(accepts(header, 'br')).toBe(takes)
})

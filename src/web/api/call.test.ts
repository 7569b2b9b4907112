import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { call, newKey, sentenceOf } from './call.ts'

const ROUTE = {
  method: 'POST',
  path: '/api/people/:name/calls/:number',
  params: z.object({ name: z.string(), number: z.number() }),
  query: z.record(z.string(), z.unknown()),
  body: z.object({ text: z.string() }),
  reply: z.object({ n: z.number() }),
} as const
const params = { name: 'a/b ?', number: 7 }

let sent: unknown[]
let answer: () => Promise<Response>

beforeEach(() => {
  sent = []
  answer = () => Promise.resolve(Response.json({ n: 1 }))
  vi.stubGlobal('fetch', (url: string, { method, headers, body }: RequestInit) => {
    sent.push([method, url, headers, body])
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

it('fills in the path, omits empty query values, and sends the body as JSON', async () => {
  const query = { q: 'a&b', page: 2, all: false, empty: '', none: null, missing: undefined }
  const body = { text: 'é' }
  expect(await call(ROUTE, { params, query, body, headers: { a: 'b' } })).toEqual({ n: 1 })
  await call(ROUTE, { params, query: { empty: '' } })
  const [path, accept] = ['/api/people/a%2Fb%20%3F/calls/7', 'application/json']
  expect(sent).toEqual([
    [
      'POST',
      `${path}?q=a%26b&page=2&all=false`,
      { accept, 'content-type': accept, a: 'b' },
      '{"text":"é"}',
    ],
    ['POST', path, { accept }, undefined],
  ])
})

const failed = { success: false, error: 'No.' }
const [theirs, ours] = ['The server had a problem.', 'Something went wrong on our side. Try again.']
it.each([
  [409, { ...failed, code: 'conflict', fields: { text: 'Bad.' } }, 'conflict', 'No.'],
  [200, failed, 'invalid', 'No.'],
  [502, { oops: true }, null, theirs],
  [200, { n: 'one' }, null, ours],
])('turns a reply %i %j into an error with a sentence', async (status, body, code, message) => {
  answer = () => Promise.resolve(Response.json(body, { status }))
  const error = await call(ROUTE, { params }).catch((thrown: unknown) => thrown)
  const fields = 'fields' in body ? body.fields : {}
  expect(error).toMatchObject({ name: 'CallError', status, code, fields })
  expect(sentenceOf(error)).toBe(message)
})

it.each([
  ['POST', 'TimeoutError', 'The server did not respond in time. What you sent may have arrived.'],
  ['GET', 'TimeoutError', 'The server cannot be reached.'],
  ['POST', 'NetworkError', 'The server cannot be reached.'],
] as const)(
  'says of a %s that ended by a %s what may have happened',
  async (method, name, text) => {
    answer = () => Promise.reject(new DOMException('', name))
    await expect(call({ ...ROUTE, method }, { params })).rejects.toThrow(text)
  },
)

it('ends an aborted call without a sentence', async () => {
  const ended = new DOMException('', 'AbortError')
  answer = () => Promise.reject(ended)
  await expect(call(ROUTE, { params, signal: AbortSignal.abort() })).rejects.toBe(ended)
})

it('makes keys on unencrypted pages, where browsers lack `randomUUID`', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  expect(newKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newKey()).not.toBe(newKey())
})

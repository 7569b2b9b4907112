import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { call, sentenceOf } from './call.ts'

const ROUTE = {
  method: 'POST',
  path: '/api/people/:name/calls/:number',
  params: z.object({ name: z.string(), number: z.number() }),
  query: z.record(z.string(), z.unknown()),
  body: z.object({ text: z.string() }),
  reply: z.object({ n: z.number() }),
} as const
const params = { name: 'a/b ?', number: 7 }

let sent: { url: string; init: RequestInit }[]
let answer: () => Promise<Response>

beforeEach(() => {
  sent = []
  answer = () => Promise.resolve(Response.json({ n: 1 }))
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>((url, init = {}) => {
      sent.push({ url: String(url as string), init })
      return answer()
    }),
  )
})
afterEach(() => vi.unstubAllGlobals())

/** What a call throws. */
async function failure(input = {}): Promise<unknown> {
  return call(ROUTE, { params, ...input }).catch((error: unknown) => error)
}

it('a call fills in its path, leaves out what is not said, and sends its body as JSON', async () => {
  const query = { q: 'a&b', page: 2, all: false, empty: '', none: null, missing: undefined }
  expect(await call(ROUTE, { params, query, body: { text: 'é' }, headers: { a: 'b' } })).toEqual({
    n: 1,
  })
  await call(ROUTE, { params, query: { empty: '' } })
  expect(sent.map(({ url }) => url)).toEqual([
    '/api/people/a%2Fb%20%3F/calls/7?q=a%26b&page=2&all=false',
    '/api/people/a%2Fb%20%3F/calls/7',
  ])
  expect(sent.map(({ init: { method, headers, body } }) => ({ method, headers, body }))).toEqual([
    {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', a: 'b' },
      body: '{"text":"é"}',
    },
    { method: 'POST', headers: { accept: 'application/json' } },
  ])
})

const failed = { success: false, error: 'No.' }
const [theirs, ours] = ['The server had a problem.', 'Something went wrong on our side. Try again.']
it.each([
  [409, { ...failed, code: 'conflict', fields: { text: 'Bad.' } }, 'conflict', 'No.'],
  [200, failed, 'invalid', 'No.'],
  [502, { oops: true }, null, theirs],
  [200, { n: 'one' }, null, ours],
])('an answer %i %j is an error with a sentence to show', async (status, body, code, said) => {
  answer = () => Promise.resolve(Response.json(body, { status }))
  const error = await failure()
  const fields = 'fields' in body ? body.fields : {}
  expect(error).toMatchObject({ name: 'CallError', status, code, fields })
  expect(sentenceOf(error)).toBe(said)
})

it('a server that cannot be reached is an error without a status; a call that is given up is none', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await failure()).toMatchObject({ status: 0, code: null })
  const gone = new AbortController()
  const given = new Error('given up')
  gone.abort(given)
  answer = () => Promise.reject(given)
  expect(await failure({ signal: gone.signal })).toBe(given)
})

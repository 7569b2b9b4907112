import { type NotPosted, type Picture, type XLimits } from '#server/publish-ports.ts'
import { HAS_SHARED, sharedFile } from '#tests/support/files.ts'
import { X_KEYS, X_PROBLEMS, xServer, type XMood } from '#tests/support/stand-ins/x-server.ts'
import { patiently } from '#tests/support/waiting.ts'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { xPublisher } from './publish-x.ts'

const CLOCK = { now: () => Date.now() }
const PNG: Picture = {
  bytes: Buffer.alloc(2_500_000, 7),
  type: 'image/png',
  width: 1_200,
  height: 675,
  alt: 'A chart',
}

async function world() {
  const x = await xServer()
  const { url, callLimit } = x
  const publisher = xPublisher({ url, keys: X_KEYS, clock: CLOCK, callLimit })
  const seen: { limits: XLimits[]; begun: number } = { limits: [], begun: 0 }
  const post = (text: string, pictures: readonly Picture[] = []) =>
    publisher.post(
      { text, pictures },
      {
        signal: patiently(),
        beforePost: async () => {
          seen.begun += 1
        },
        onLimits: (limits) => void seen.limits.push(limits),
      },
    )
  return { x, publisher, post, seen, [Symbol.asyncDispose]: () => x[Symbol.asyncDispose]() }
}

it('posts a text with pictures and their alternative texts', async () => {
  await using site = await world()
  const { x, post, seen } = site
  const small = { ...PNG, bytes: Buffer.from('small'), alt: '', type: 'image/gif' as const }
  const result = await post('Hello, “world” ₿', [PNG, small])
  expect(result).toEqual({ state: 'posted', id: x.posts[0]?.id })
  expect(x.posts).toHaveLength(1)
  const kept = (x.posts[0]?.media ?? []).map((id) => x.media.get(id))
  expect(kept.map((one) => [one?.bytes.length, one?.alt, one?.isFinal])).toEqual([
    [2_500_000, 'A chart', true],
    [5, null, true],
  ])
  expect(x.requests.every((one) => one.isSigned)).toBe(true)
  expect(seen.limits[0]?.window).toEqual({ limit: 100, remaining: 99, resetMs: 2e12 })
})

it.skipIf(!HAS_SHARED)('sends what X itself describes', async () => {
  await using site = await world()
  await site.post('One', [PNG])
  await site.post('Two')
  await site.publisher.find({ text: 'One', sinceMs: Date.now() - 60_000 }, patiently())
  await site.publisher.whoAmI(patiently())
  const document = JSON.parse(sharedFile('vectors/x-openapi-2.167.json')) as {
    paths: Record<string, Record<string, Operation>>
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addFormat('binary', true)
  ajv.addSchema(document, 'x')
  const asked = new Set<string>()
  for (const { method, operation: path, query, type, body } of site.x.requests) {
    const described = document.paths[path]?.[method.toLowerCase()]
    asked.add(`${method} ${path}`)
    expect([path, described]).not.toEqual([path, undefined])
    const form = type.split(';')[0] ?? ''
    const schema = described?.requestBody?.content[form]?.schema.$ref
    const fields = form === 'multipart/form-data' ? formFields(body) : body
    // What takes no body at all must get none.
    const isValid = ajv.validate(
      schema === undefined ? { const: null } : { $ref: `x${schema}` },
      fields,
    )
    expect([path, isValid, ajv.errorsText()]).toEqual([path, true, 'No errors'])
    const known = (described?.parameters ?? []).map((one) => one.name ?? one.$ref)
    // Its fields are called post.fields there, and tweet.fields by the prose and by what is in use.
    const given = [...query.keys()].filter((name) => name !== 'tweet.fields')
    expect(known).toEqual(expect.arrayContaining(given))
  }
  expect([...asked].toSorted()).toEqual([
    'GET /2/media/upload',
    'GET /2/users/me',
    'GET /2/users/{id}/tweets',
    'POST /2/media/metadata',
    'POST /2/media/upload/initialize',
    'POST /2/media/upload/{id}/append',
    'POST /2/media/upload/{id}/finalize',
    'POST /2/tweets',
  ])
})

type Operation = {
  parameters?: { name?: string; $ref?: string }[]
  requestBody?: { content: Record<string, { schema: { $ref: string } }> }
}

function formFields(body: unknown): object {
  const { segment_index: index, media } = body as { segment_index: string; media: Buffer }
  return { segment_index: Number(index), media: media.toString('latin1') }
}

const LIMITED: XMood = {
  status: 429,
  body: { title: 'Too Many Requests', detail: 'Too Many Requests', status: 429 },
  headers: {
    'x-rate-limit-limit': '100',
    'x-rate-limit-remaining': '3',
    'x-rate-limit-reset': '2000000000',
    'x-user-limit-24hour-limit': '100',
    'x-user-limit-24hour-remaining': '0',
    'x-user-limit-24hour-reset': '2000050000',
  },
}
const SERVER_ERROR: XMood = { status: 503, body: '<html>over capacity</html>' }

const ANSWERS: readonly (readonly [
  string,
  string,
  XMood,
  Partial<Record<string, unknown>>,
  number,
])[] = [
  ['wrong keys', 'a', X_PROBLEMS.unauthorized, { state: 'refused', reason: 'keys' }, 0],
  [
    'a post it has already',
    'a',
    X_PROBLEMS.duplicate,
    { state: 'refused', reason: 'duplicate' },
    0,
  ],
  [
    'too long',
    'a'.repeat(281),
    X_PROBLEMS.notPermitted,
    { state: 'refused', reason: 'too-long' },
    0,
  ],
  ['no right', 'a', X_PROBLEMS.notPermitted, { state: 'refused', reason: 'not-permitted' }, 0],
  ['no credit', 'a', X_PROBLEMS.credits, { state: 'refused', reason: 'no-credit' }, 0],
  ['too many posts', 'a', LIMITED, { state: 'limited', until: 2_000_050_000_000 }, 0],
  ['a failing server', 'a', SERVER_ERROR, { state: 'unknown' }, 0],
  ['success without a number', 'a', { status: 201, body: {} }, { state: 'unknown' }, 0],
  ['a connection broken off', 'a', 'close', { state: 'unknown' }, 0],
  ['one broken off behind the work', 'a', 'store-and-close', { state: 'unknown' }, 1],
  ['no answer at all', 'a', 'store-and-hang', { state: 'unknown' }, 1],
]

it.each(ANSWERS)(
  'tells %s for what it is, and asks once',
  async (_, text, mood, expected, stored) => {
    await using site = await world()
    site.x.mood.post = mood
    const result = await site.post(text)
    expect(result).toMatchObject(expected)
    expect((result as NotPosted).message).not.toMatch(/secret|token/)
    expect(site.x.requests.filter((one) => one.operation === '/2/tweets')).toHaveLength(1)
    expect(site.x.posts).toHaveLength(stored)
  },
)

it('keeps the windows that a refusal tells of', async () => {
  await using site = await world()
  site.x.mood.post = LIMITED
  await site.post('a')
  expect(site.seen.limits[0]).toEqual({
    window: { limit: 100, remaining: 3, resetMs: 2e12 },
    appDay: null,
    userDay: { limit: 100, remaining: 0, resetMs: 2_000_050_000_000 },
  })
})

it('is sure that nothing was posted when X was not there, or pictures did not go up', async () => {
  await using site = await world()
  await site.x.down()
  expect(await site.post('a')).toMatchObject({ state: 'unsent' })
  await site.x.up()
  for (const mood of [SERVER_ERROR, 'close', 'store-and-hang'] as const) {
    site.x.mood.upload = mood
    expect(await site.post('a', [PNG])).toMatchObject({ state: 'unsent' })
  }
  site.x.mood.upload = 'well'
  site.x.mood.metadata = LIMITED
  expect(await site.post('a', [PNG])).toMatchObject({ state: 'limited' })
  site.x.mood.metadata = { status: 400, body: { errors: [{ message: 'alt_text too\nodd' }] } }
  expect(await site.post('a', [PNG])).toMatchObject({ state: 'refused' })
  expect(site.x.requests.filter((one) => one.operation === '/2/tweets')).toHaveLength(0)
  expect(site.x.posts).toHaveLength(0)
  expect(site.seen.begun).toBe(1)
})

it('posts nothing when it may not begin', async () => {
  await using site = await world()
  const never = site.publisher.post(
    { text: 'a', pictures: [] },
    {
      signal: patiently(),
      beforePost: () => Promise.reject(new Error('the lease is lost')),
      onLimits: () => {},
    },
  )
  await expect(never).rejects.toThrow('the lease is lost')
  expect(site.x.requests).toHaveLength(0)
})

it('looks for a post whose outcome nobody knows', async () => {
  await using site = await world()
  const { x, publisher, post } = site
  const find = (text: string) => publisher.find({ text, sinceMs: Date.now() - 60_000 }, patiently())
  expect(await find('a')).toEqual({ state: 'absent' })
  const text = 'Strategy & “friends”: https://example.org/a?b=1 and more'
  await post(text, [{ ...PNG, bytes: Buffer.from('x') }])
  await post('another')
  expect(await find(text)).toEqual({ state: 'found', id: x.posts[0]?.id })
  expect(await find('Strategy')).toEqual({ state: 'absent' })
  for (let n = 0; n < 10; n += 1) await post(`post ${String(n)}`)
  expect(await find(text)).toMatchObject({ state: 'unknown' })
  expect(x.requests.some((one) => one.operation === '/2/users/me')).toBe(false)
  x.mood.read = X_PROBLEMS.credits
  expect(await find(text)).toMatchObject({ state: 'refused', reason: 'no-credit' })
})

it.each([
  ['errors instead of posts', { errors: [{ title: 'Authorization Error' }] }],
  ['nothing', {}],
  [
    'one post and word of more',
    { data: [{ id: '1', text: 'b' }], meta: { result_count: 1, next_token: 'n' } },
  ],
])('does not take it for absent where X shows %s', async (_, body) => {
  await using site = await world()
  site.x.mood.read = { status: 200, body }
  const ask = { text: 'a', sinceMs: Date.now() - 60_000 }
  const seen = await site.publisher.find(ask, patiently())
  expect(seen).toMatchObject({ state: 'unknown' })
})

it('asks who it is', async () => {
  await using site = await world()
  const signal = patiently()
  expect(await site.publisher.whoAmI(signal)).toEqual({ state: 'known', handle: 'the_site' })
  site.x.mood.read = { status: 200, body: { data: { id: '1', username: '<b>' } } }
  expect(await site.publisher.whoAmI(signal)).toMatchObject({ state: 'unsent' })
})

import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Behaviour } from '#tests/support/stand-ins/faulty-server.ts'
import { X_KEYS, X_PROBLEMS, xServer } from '#tests/support/stand-ins/x-server.ts'
import { patiently } from '#tests/support/waiting.ts'
import { words } from '#tests/support/words.ts'
import { type NotPosted, type Picture, type PostFault, type XLimits } from './ports.ts'
import { xPublisher } from './x.ts'

const CLOCK = { now: () => Date.now() }
const SIZE = { width: 1_200, height: 675 }
const PNG: Picture = {
  bytes: Buffer.alloc(2_500_000, 7),
  type: 'image/png',
  ...SIZE,
  alt: 'A chart',
}

const recent = (text: string) => ({ text, sinceMs: Date.now() - 60_000, remoteId: null })
const notPosted = ({ not }: PostFault): NotPosted => not

async function world(keys = X_KEYS) {
  const x = await xServer(keys)
  const { url, callLimit } = x
  const publisher = xPublisher({ url, keys, clock: CLOCK, callLimit })
  const seen: { limits: XLimits[]; begun: number } = { limits: [], begun: 0 }
  const post = (text: string, pictures: readonly Picture[] = []) => {
    const beforePost = async () => void (seen.begun += 1)
    const onLimits = (limits: XLimits) => void seen.limits.push(limits)
    const hooks = { signal: patiently(), beforePost, onLimits }
    return publisher.post({ key: '', text, pictures }, hooks).catch(notPosted)
  }
  return { x, publisher, post, seen, [Symbol.asyncDispose]: () => x[Symbol.asyncDispose]() }
}

it('posts a text with pictures and their alternative texts', async () => {
  await using site = await world()
  const { x, post, seen } = site
  const small = { ...PNG, bytes: Buffer.from('small'), alt: '', type: 'image/gif' as const }
  expect(await post('Hello, “world” ₿', [PNG, small])).toBe(x.posts[0]?.id)
  expect(x.posts).toHaveLength(1)
  const uploaded = (x.posts[0]?.media ?? []).map((id) => x.media.get(id))
  expect(uploaded.map((one) => [one?.bytes.length, one?.alt, one?.isFinal])).toEqual([
    [2_500_000, 'A chart', true],
    [5, null, true],
  ])
  expect(x.requests.every((one) => one.isSigned)).toBe(true)
  // With other pictures a GIF is a still image.
  const categories = x.requests.flatMap(({ operation, body }) =>
    operation.endsWith('/initialize') ? [body] : [],
  )
  const still = { media_category: 'tweet_image' }
  expect(categories).toMatchObject([still, still])
  expect(seen.limits[0]).toEqual([{ limit: 100, remaining: 99, resetMs: 2e12 }])
})

const XId = z.string().regex(/^\d{1,19}$/)
const EXPANSIONS = words('expansions user.fields tweet.fields media.fields poll.fields')
const Nothing = z.null()

/** The calls of API v2 that we make, with their parameters: https://docs.x.com/x-api. Rejects any others. */
const DESCRIBED: Readonly<
  Record<string, { query?: readonly string[]; type?: string; body: z.ZodType }>
> = {
  'POST /2/media/upload/initialize': {
    type: 'application/json',
    body: z.strictObject({
      media_type: z.enum(['image/jpeg', 'image/gif', 'image/png', 'image/webp']),
      media_category: z.enum(['tweet_image', 'tweet_gif', 'tweet_video', 'subtitles']),
      total_bytes: z.int().min(0).max(17_179_869_184),
    }),
  },
  'POST /2/media/upload/{id}/append': {
    type: 'multipart/form-data',
    body: z.strictObject({
      segment_index: z.string().regex(/^\d{1,3}$/),
      media: z.instanceof(Buffer),
    }),
  },
  'POST /2/media/upload/{id}/finalize': { body: Nothing },
  'GET /2/media/upload': { query: ['media_id', 'command'], body: Nothing },
  'POST /2/media/metadata': {
    type: 'application/json',
    body: z.strictObject({
      id: XId,
      metadata: z.strictObject({ alt_text: z.strictObject({ text: z.string().max(1_000) }) }),
    }),
  },
  'POST /2/tweets': {
    type: 'application/json',
    body: z.strictObject({
      text: z.string(),
      media: z.strictObject({ media_ids: z.array(XId).min(1).max(4) }).optional(),
    }),
  },
  'GET /2/users/{id}/tweets': {
    query: [
      ...words('max_results pagination_token start_time end_time since_id until_id'),
      ...EXPANSIONS,
    ],
    body: Nothing,
  },
  'GET /2/users/me': { query: EXPANSIONS, body: Nothing },
}

it('sends X only documented parameters', async () => {
  await using site = await world()
  await site.post('One', [PNG])
  await site.post('Two')
  await site.publisher.find(recent('One'), patiently())
  await site.publisher.whoAmI(patiently())
  for (const { method, operation, query, type, body } of site.x.requests) {
    const call = `${method} ${operation}`
    const described = DESCRIBED[call]
    expect([call, described === undefined]).toEqual([call, false])
    expect([call, described?.body.safeParse(body).error]).toEqual([call, undefined])
    expect([call, type.split(';')[0]]).toEqual([call, described?.type ?? ''])
    expect(described?.query ?? []).toEqual(expect.arrayContaining([...query.keys()]))
  }
  const request = site.x.requests.map(({ method, operation }) => `${method} ${operation}`)
  expect(new Set(request)).toEqual(new Set(Object.keys(DESCRIBED)))
})

const LIMITED: Behaviour = {
  status: 429,
  body: { title: 'Too Many Requests', detail: 'Too Many Requests', status: 429 },
  headers: {
    'x-rate-limit-limit': '100',
    'x-rate-limit-remaining': '3',
    'x-rate-limit-reset': '2000090000',
    'x-user-limit-24hour-limit': '100',
    'x-user-limit-24hour-remaining': '0',
    'x-user-limit-24hour-reset': '2000050000',
  },
}
const SERVER_ERROR: Behaviour = { status: 503, body: '<html>over capacity</html>' }

const LONG = 'a'.repeat(281)
it.each<[string, string, Behaviour, Partial<NotPosted>, number]>([
  ['wrong keys', 'a', X_PROBLEMS.unauthorized, { state: 'refused', reason: 'keys' }, 0],
  ['a duplicate', 'a', X_PROBLEMS.duplicate, { state: 'refused', reason: 'duplicate' }, 0],
  ['too long', LONG, X_PROBLEMS.notPermitted, { state: 'refused', reason: 'too-long' }, 0],
  ['no permission', 'a', X_PROBLEMS.notPermitted, { state: 'refused', reason: 'not-permitted' }, 0],
  ['no credit', 'a', X_PROBLEMS.credits, { state: 'refused', reason: 'no-credit' }, 0],
  ['a rate limit', 'a', LIMITED, { state: 'limited', until: 2_000_050_000_000 }, 0],
  ['a failing server', 'a', SERVER_ERROR, { state: 'unknown' }, 0],
  ['a timeout of its own', 'a', { status: 408, body: {} }, { state: 'unknown' }, 0],
  ['success without an id', 'a', { status: 201, body: {} }, { state: 'unknown' }, 0],
  ['a broken connection', 'a', 'close', { state: 'unknown' }, 0],
  ['one that broke after posting', 'a', 'store-and-close', { state: 'unknown' }, 1],
  ['no answer at all', 'a', 'store-and-hang', { state: 'unknown' }, 1],
])(
  'classifies an answer of X with %s, and asks X once',
  async (_, text, behaviour, expected, stored) => {
    await using site = await world()
    site.x.behaviour.post = behaviour
    const result = await site.post(text)
    expect(result).toMatchObject(expected)
    expect((result as NotPosted).message).not.toMatch(/secret|token/)
    expect(site.x.requests.filter((one) => one.operation === '/2/tweets')).toHaveLength(1)
    expect(site.x.posts).toHaveLength(stored)
  },
)

it('stores the rate limit windows of a refusal', async () => {
  await using site = await world()
  site.x.behaviour.post = LIMITED
  await site.post('a')
  expect(site.seen.limits[0]).toEqual([
    { limit: 100, remaining: 3, resetMs: 2_000_090_000_000 },
    { limit: 100, remaining: 0, resetMs: 2_000_050_000_000 },
  ])
})

it('treats a post as not sent if X is unreachable or the upload of pictures fails', async () => {
  await using site = await world()
  await site.x.down()
  expect(await site.post('a')).toMatchObject({ state: 'unsent' })
  await site.x.up()
  for (const behaviour of [SERVER_ERROR, 'close', 'store-and-hang'] as const) {
    site.x.behaviour.upload = behaviour
    expect(await site.post('a', [PNG])).toMatchObject({ state: 'unsent' })
  }
  site.x.behaviour.upload = 'well'
  site.x.behaviour.metadata = LIMITED
  expect(await site.post('a', [PNG])).toMatchObject({ state: 'limited' })
  site.x.behaviour.metadata = { status: 400, body: { errors: [{ message: 'alt_text too\nodd' }] } }
  expect(await site.post('a', [PNG])).toMatchObject({ state: 'refused' })
  expect(site.x.requests.filter((one) => one.operation === '/2/tweets')).toHaveLength(0)
  expect(site.x.posts).toHaveLength(0)
  expect(site.seen.begun).toBe(1)
})

it('does not post to X if `beforePost` throws', async () => {
  await using site = await world()
  const beforePost = () => Promise.reject(new Error('the lease is lost'))
  const hooks = { signal: patiently(), beforePost, onLimits: () => {} }
  const never = site.publisher.post({ key: '', text: 'a', pictures: [] }, hooks)
  await expect(never).rejects.toThrow('the lease is lost')
  expect(site.x.requests).toHaveLength(0)
})

it('searches X for a post of unknown outcome', async () => {
  await using site = await world()
  const { x, publisher, post } = site
  const find = (text: string) => publisher.find(recent(text), patiently()).catch(notPosted)
  expect(await find('a')).toBeNull()
  const text = 'Strategy & “friends”: https://example.org/a?b=1 and more'
  await post(text, [{ ...PNG, bytes: Buffer.from('x') }])
  await post('another')
  expect(await find(text)).toBe(x.posts[0]?.id)
  expect(await find('Strategy')).toBeNull()
  for (let n = 0; n < 10; n += 1) await post(`post ${String(n)}`)
  expect(await find(text)).toMatchObject({ state: 'unknown' })
  expect(x.requests.some((one) => one.operation === '/2/users/me')).toBe(false)
  x.behaviour.read = X_PROBLEMS.credits
  expect(await find(text)).toMatchObject({ state: 'refused', reason: 'no-credit' })
})

it('asks X for the id of the account if the token does not begin with it', async () => {
  await using site = await world({ ...X_KEYS, token: 'account-token' })
  const id = await site.post('a')
  expect(await site.publisher.find(recent('a'), patiently())).toBe(id)
  expect(site.x.requests.map(({ operation }) => operation)).toContain('/2/users/me')
})

const MORE = { result_count: 1, next_token: 'n' }
it.each([
  ['errors instead of posts', { errors: [{ title: 'Authorization Error' }] }],
  ['nothing', {}],
  ['one post and a link to more', { data: [{ id: '1', text: 'b' }], meta: MORE }],
])('does not conclude that a post is absent from %s', async (_, body) => {
  await using site = await world()
  site.x.behaviour.read = { status: 200, body }
  const found = await site.publisher.find(recent('a'), patiently()).catch(notPosted)
  expect(found).toMatchObject({ state: 'unknown' })
})

it("asks X for the account's name", async () => {
  await using site = await world()
  const signal = patiently()
  expect(await site.publisher.whoAmI(signal)).toBe('the_site')
  site.x.behaviour.read = { status: 200, body: { data: { id: '1', username: '<b>' } } }
  expect(await site.publisher.whoAmI(signal).catch(notPosted)).toMatchObject({ state: 'unsent' })
})

import { PNG } from '#tests/support/pictures.ts'
import {
  form,
  MINUTE,
  NOON,
  postOf,
  socialWorld,
  type SocialWorld,
} from '#tests/support/social-world.ts'
import { PDS_DID, type PdsMood } from '#tests/support/stand-ins/pds.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'

const POSTS = '/api/v1/admin/social/posts'
const TEXT = 'A call by prices: https://example.org/a #Bitcoin'
const POST = { networks: ['bluesky'], bluesky_text: TEXT, action: 'send' }

async function sent(site: SocialWorld, part: object = {}) {
  return postOf((await site.admin.call('POST', POSTS, { ...POST, ...part })).body)
}

async function stateOf(site: SocialWorld, id: string) {
  return postOf((await site.admin.call('GET', `${POSTS}/${id}`)).body).results[0]
}

async function uploaded(site: SocialWorld, file: Buffer): Promise<string> {
  const upload = form([['image', file, 'a']])
  const headers = { ...site.admin.headers, ...upload.headers }
  const url = '/api/v1/admin/social/pictures'
  const answer = await site.app.inject({ method: 'POST', url, ...upload, headers })
  return answer.json<{ picture: { id: string } }>().picture.id
}

it('a post on Bluesky has its links, its time and its pictures, each as small as Bluesky wants it', async () => {
  await using site = await socialWorld()
  const { pds } = site
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const large = await sharp({
    create: { width: 1_500, height: 900, channels: 3, background: '#fff', noise },
  })
    .jpeg({ quality: 98 })
    .toBuffer()
  expect(large.length).toBeGreaterThan(1_000_000)
  const pictures = [
    { id: await uploaded(site, PNG), alt: 'A small one' },
    { id: await uploaded(site, large), alt: 'A large one' },
  ]
  const { results } = await sent(site, { pictures })
  const [[key, record] = []] = pds.records
  expect(results).toMatchObject([
    {
      network: 'bluesky',
      state: 'posted',
      error: null,
      remote_id: `at://${PDS_DID}/app.bsky.feed.post/${String(key)}`,
      url: `https://bsky.app/profile/${PDS_DID}/post/${String(key)}`,
    },
  ])
  expect(record).toMatchObject({
    text: TEXT,
    createdAt: '2026-11-20T12:00:00.000Z',
    facets: [
      { index: { byteStart: 18, byteEnd: 39 }, features: [{ uri: 'https://example.org/a' }] },
      { index: { byteStart: 40, byteEnd: 48 }, features: [{ tag: 'Bitcoin' }] },
    ],
    embed: {
      images: [
        { alt: 'A small one', aspectRatio: { width: 12, height: 8 } },
        { alt: 'A large one' },
      ],
    },
  })
  const types = [...pds.blobs.values()].map(({ type }) => type)
  expect(types).toEqual(['image/png', 'image/jpeg'])
  for (const { bytes } of pds.blobs.values()) expect(bytes.length).toBeLessThanOrEqual(1_000_000)
})

it('a post on Bluesky is refused here where it is too long, blank, or has a picture that moves', async () => {
  await using site = await socialWorld()
  const ask = (part: object) => site.admin.call('POST', POSTS, { ...POST, ...part })
  const family = '👨‍👩‍👧‍👦'
  for (const text of ['a'.repeat(301), ' ', family.repeat(150)]) {
    expect(await ask({ bluesky_text: text })).toMatchObject({
      status: 400,
      body: { fields: { bluesky_text: expect.any(String) as string } },
    })
  }
  expect(site.pds.writes).toEqual([])
  // Many more code units, but no more characters than there may be.
  const { results } = await sent(site, { bluesky_text: family.repeat(100) })
  expect(results).toMatchObject([{ state: 'posted' }])
})

const REFUSALS: readonly (readonly [string, Partial<Record<'login' | 'put', PdsMood>>, object])[] =
  [
    [
      'wrong password',
      { login: { status: 401, error: 'AuthenticationRequired' } },
      { fault: 'keys' },
    ],
    [
      'closed account',
      { login: { status: 401, error: 'AccountTakedown' } },
      { fault: 'not-permitted' },
    ],
    ['a fault of ours', { put: { status: 400, error: 'InvalidRequest' } }, { fault: 'other' }],
    ['too large', { put: { status: 413 } }, { fault: 'pictures' }],
    ['no sign-in for now', { login: { status: 503 } }, { fault: 'unsent' }],
    ['no connection', { put: 'well' }, { fault: 'unsent' }],
    [
      'too many',
      { put: { status: 429, headers: { 'ratelimit-reset': String(NOON / 1_000 + 600) } } },
      { fault: 'limited' },
    ],
  ]

it.each(REFUSALS)(
  'a post that Bluesky did not take says why, and is a new one when it is sent again: %s',
  async (what, mood, result) => {
    await using site = await socialWorld()
    const { pds, admin, clock } = site
    Object.assign(pds.mood, mood)
    if (what === 'no connection') await pds.down()
    const post = await sent(site)
    expect(post.results).toMatchObject([
      { state: 'failed', remote_id: null, next_try_at: null, ...result },
    ])
    expect(pds.writes).toEqual([])
    // The password is in no message, and nothing is asked again by the server.
    expect(JSON.stringify(post)).not.toContain('abcd')
    if (what === 'no connection') await pds.up()
    Object.assign(pds.mood, { login: 'well', put: 'well' })
    clock.ms += 20 * MINUTE
    const again = await admin.call('POST', `${POSTS}/${post.id}/send`, {})
    expect(postOf(again.body).results).toMatchObject([{ state: 'posted' }])
    expect([...pds.records.values()].map(({ createdAt }) => createdAt)).toEqual([
      '2026-11-20T12:20:00.000Z',
    ])
  },
)

it('Bluesky is not asked before the time that it named itself', async () => {
  await using site = await socialWorld()
  const { pds, clock } = site
  const reset = { 'ratelimit-reset': String(NOON / 1_000 + 600) }
  pds.mood.put = { status: 429, headers: reset }
  await sent(site)
  pds.mood.put = 'well'
  clock.ms += 5 * MINUTE
  expect((await sent(site)).results).toMatchObject([{ state: 'failed', fault: 'limited' }])
  clock.ms += 6 * MINUTE
  expect((await sent(site)).results).toMatchObject([{ state: 'posted' }])
})

it.each<PdsMood>(['store-and-close', 'store-and-hang'])(
  'a post whose answer was lost is found on Bluesky at once: %s',
  async (mood) => {
    await using site = await socialWorld()
    site.pds.mood.put = mood
    expect((await sent(site)).results).toMatchObject([{ state: 'posted', fault: null }])
    expect(site.pds.writes).toHaveLength(1)
  },
)

it('a post that may be on Bluesky is looked for by the server, and sent again it is the same one', async () => {
  await using site = await socialWorld()
  const { pds, admin, clock } = site
  Object.assign(pds.mood, { put: 'store-and-close', get: { status: 503 } })
  const first = await sent(site)
  expect(first.results).toMatchObject([
    { state: 'unknown', fault: 'unknown', next_try_at: '2026-11-20T12:01:00.000Z' },
  ])
  // Sent again on purpose, under the key that it has.
  pds.mood.put = 'well'
  const doubled = await admin.call('POST', `${POSTS}/${first.id}/send`, {})
  expect(postOf(doubled.body).results).toMatchObject([{ state: 'unknown' }])
  pds.mood.get = 'well'
  clock.ms += MINUTE
  await site.work()
  expect(await stateOf(site, first.id)).toMatchObject({ state: 'posted', next_try_at: null })
  expect(pds.writes).toHaveLength(1)
})

it('a post that is not on Bluesky after all waits for a person, and goes out once, even where the first try arrives late', async () => {
  await using site = await socialWorld()
  const { pds, admin, clock } = site
  pds.mood.put = { status: 502 }
  const { id, results } = await sent(site)
  expect(results).toMatchObject([{ state: 'unknown' }])
  pds.mood.put = 'well'
  const check = await admin.call('POST', `${POSTS}/${id}/check?network=bluesky`)
  expect(check.body).toMatchObject({
    found: false,
    message: expect.stringContaining('not on Bluesky') as string,
  })
  expect(await stateOf(site, id)).toMatchObject({ state: 'failed', fault: 'unsent' })
  clock.ms += MINUTE
  await site.work()
  expect(pds.writes).toEqual([])
  // The first try, which was long under way.
  pds.mood.put = 'store-and-close'
  pds.mood.get = 'close'
  await admin.call('POST', `${POSTS}/${id}/send`, {})
  Object.assign(pds.mood, { put: 'well', get: 'well' })
  await admin.call('POST', `${POSTS}/${id}/send`, {})
  expect(pds.records.size).toBe(1)
  expect(new Set(pds.writes.map(({ body }) => body)).size).toBeLessThanOrEqual(1)
})

it('a post that is sent again long after a try that did not arrive is one of its own time', async () => {
  await using site = await socialWorld()
  const { pds, admin, clock } = site
  pds.mood.put = { status: 502 }
  const { id } = await sent(site)
  await admin.call('POST', `${POSTS}/${id}/check?network=bluesky`)
  pds.mood.put = 'well'
  clock.ms += 30 * MINUTE
  const again = await admin.call('POST', `${POSTS}/${id}/send`, {})
  const [[key, record] = []] = pds.records
  expect(record).toMatchObject({ createdAt: '2026-11-20T12:30:00.000Z' })
  expect(postOf(again.body).results).toMatchObject([
    { state: 'posted', url: `https://bsky.app/profile/${PDS_DID}/post/${String(key)}` },
  ])
})

it('what a person says of a post stays, whatever a look that was under way finds', async () => {
  await using site = await socialWorld()
  const { pds, admin, clock } = site
  Object.assign(pds.mood, { put: 'close', get: 'close' })
  const { id } = await sent(site)
  pds.mood.get = 'well'
  clock.ms += MINUTE
  let marked: Promise<unknown> = Promise.resolve()
  pds.before.get = () => {
    marked = admin.call('POST', `${POSTS}/${id}/mark`, { posted: true, network: 'bluesky' })
    return marked
  }
  await site.work()
  await marked
  expect(await stateOf(site, id)).toMatchObject({ state: 'posted' })
})

it('a post that the server looked for and did not find is not sent by the server', async () => {
  await using site = await socialWorld()
  const { pds, clock } = site
  Object.assign(pds.mood, { put: 'close', get: 'close' })
  const { id, results } = await sent(site)
  expect(results).toMatchObject([{ state: 'unknown' }])
  Object.assign(pds.mood, { put: 'well', get: 'well' })
  clock.ms += MINUTE
  await site.work()
  expect(await stateOf(site, id)).toMatchObject({ state: 'failed', fault: 'unsent' })
  expect(pds.writes).toEqual([])
})

it.each([
  ['is there', 3, true, { state: 'posted' }, 1],
  ['is there, and long over its time', 30, true, { state: 'posted' }, 1],
  ['is not there', 5, false, { state: 'posted' }, 2],
  ['is not there, and long over its time', 30, false, { state: 'failed', fault: 'unsent' }, 1],
])(
  'a post that a process left behind is taken up: it %s',
  async (_, minutes, isThere, result, writes) => {
    await using site = await socialWorld()
    const { pds, clock, database } = site
    const { id } = await sent(site)
    const last = [...pds.records.keys()]
    // As a process leaves it that is killed over the request.
    await database.pool.query(
      `with post as (update social_posts set state = 'sending')
     update social_results set state = 'sending', finished_at = null, next_try_at = $1`,
      [new Date(NOON + 3 * MINUTE).toISOString()],
    )
    if (!isThere) pds.records.clear()
    clock.ms = NOON + minutes * MINUTE
    await site.work()
    expect(await stateOf(site, id)).toMatchObject(result)
    expect([pds.writes.length, new Set(pds.writes.map(({ key }) => key)).size]).toEqual([writes, 1])
    expect(pds.writes[0]?.key).toBe(last[0])
  },
)

it('a person may say whether a post is on Bluesky, which ends the looking', async () => {
  await using site = await socialWorld()
  const { pds, admin, clock } = site
  Object.assign(pds.mood, { put: 'close', get: 'close' })
  const { id } = await sent(site)
  const marked = await admin.call('POST', `${POSTS}/${id}/mark`, {
    posted: false,
    network: 'bluesky',
  })
  expect(postOf(marked.body).results).toMatchObject([{ state: 'failed', next_try_at: null }])
  clock.ms += 10 * MINUTE
  await site.work()
  expect(await stateOf(site, id)).toMatchObject({ state: 'failed' })
})

it('a session that has ended is begun again, and the post goes out once', async () => {
  await using site = await socialWorld()
  const { pds } = site
  await sent(site)
  pds.expire()
  expect((await sent(site)).results).toMatchObject([{ state: 'posted' }])
  expect([pds.logins.length, pds.refreshes.length]).toEqual([1, 1])
  pds.expire(false)
  expect((await sent(site)).results).toMatchObject([{ state: 'posted' }])
  expect([pds.logins.length, pds.writes.length]).toEqual([2, 3])
})

it('the page says whether the account can be posted with, without signing in at each glance', async () => {
  await using site = await socialWorld()
  const { pds, admin, clock } = site
  const status = async () => (await admin.call('GET', '/api/bluesky/status')).body
  pds.mood.login = { status: 401, error: 'AuthenticationRequired' }
  const refused = {
    success: false,
    configured: true,
    error: expect.stringContaining('BLUESKY_APP_PASSWORD') as string,
  }
  expect(await status()).toMatchObject(refused)
  expect(await status()).toMatchObject(refused)
  expect(pds.logins).toHaveLength(1)
  pds.mood.login = 'well'
  clock.ms += MINUTE
  expect(await status()).toMatchObject({ success: true, error: null, handle: 'site.example.org' })
  await using bare = await socialWorld({ isConfigured: false })
  expect((await bare.admin.call('GET', '/api/bluesky/status')).body).toMatchObject({
    configured: false,
  })
  expect((await sent(bare)).results).toMatchObject([
    { state: 'failed', error: expect.stringContaining('not set up') as string },
  ])
})

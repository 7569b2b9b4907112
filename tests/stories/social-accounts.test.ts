import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'
import { callsOf, MINUTE, POSTS, socialOfFile, socialWorld } from '#tests/support/social-world.ts'
import { describe, expect, it } from 'vitest'

const world = socialOfFile()
const { post, tweet } = callsOf(world)

it('a site without keys says what is missing', async () => {
  await using site = await socialWorld({ isConfigured: false })
  const { admin } = site
  const missing = (name: string) => expect.stringContaining(name) as string
  const post = { networks: ['bluesky'], bluesky_text: 'a', action: 'send' }
  for (const [method, url, body, says] of [
    [
      'GET',
      '/api/x/test',
      undefined,
      { success: false, configured: false, error: missing('X_API_KEY') },
    ],
    ['GET', '/api/x/rate-limit-status', undefined, { success: false, canPost: false }],
    [
      'GET',
      '/api/nostr/status',
      undefined,
      { configured: false, publicKey: null, error: missing('NOSTR_PRIVATE_KEY') },
    ],
    ['GET', '/api/bluesky/status', undefined, { configured: false }],
    ['POST', '/api/nostr/post', { content: 'a' }, { success: false, publishedToRelays: 0 }],
    ['POST', '/api/x/tweet', { text: 'a' }, { success: false, unknown: false }],
    [
      'POST',
      POSTS,
      post,
      { post: { results: [{ state: 'failed', error: missing('not set up') }] } },
    ],
  ] as const) {
    expect([url, (await admin.call(method, url, body)).body]).toMatchObject([url, says])
  }
})

describe('account data from X', () => {
  it('is requested once, and stored', async () => {
    const { admin, x, clock } = world()
    const test = async () => (await admin.call('GET', '/api/x/test')).body
    for (let n = 0; n < 3; n += 1) {
      expect(await test()).toMatchObject({ success: true, handle: 'the_site' })
    }
    clock.ms += 11 * 60 * MINUTE
    await test()
    expect(x.requests).toHaveLength(1)
    x.behaviour.post = X_PROBLEMS.credits
    await tweet('a')
    expect(await test()).toMatchObject({
      success: false,
      error: expect.stringContaining('credit') as string,
    })
  })

  it('is also requested after earlier posts', async () => {
    const { x, admin, clock } = world()
    const test = async () => (await admin.call('GET', '/api/x/test')).body
    await tweet('First')
    x.behaviour.read = { status: 503 }
    // A post proves the keys, whatever else X omits.
    expect(await test()).toMatchObject({ success: true, handle: null })
    x.behaviour.read = 'well'
    await test()
    const request = () => x.requests.filter(({ operation }) => operation === '/2/users/me')
    expect(request()).toHaveLength(1)
    clock.ms += 60 * MINUTE
    for (let n = 0; n < 3; n += 1) expect(await test()).toMatchObject({ handle: 'the_site' })
    expect(request()).toHaveLength(2)
  })

  it('closes posting until its window opens again', async () => {
    const { admin, x, clock } = world()
    const limit = async () => (await admin.call('GET', '/api/x/rate-limit-status')).body
    expect(await limit()).toMatchObject({ canPost: true, remaining: null })
    x.limits.remaining = 1
    x.limits.reset = (clock.ms + 7.5 * MINUTE) / 1_000
    await tweet('The last one')
    expect(await limit()).toMatchObject({
      success: true,
      canPost: false,
      remaining: 0,
      limit: 100,
      minutesUntilReset: 8,
    })
    const refused = await tweet('One more')
    expect(refused.results).toMatchObject([{ state: 'failed', fault: 'limited' }])
    expect(x.posts).toHaveLength(1)
    clock.ms += 8 * MINUTE
    expect(await limit()).toMatchObject({ canPost: true, remaining: 100 })
    expect((await post({}, `/${refused.id}/send`)).results).toMatchObject([{ state: 'posted' }])
  })
})

describe('the account on Bluesky', () => {
  it('renews an expired session, and posts once', async () => {
    const { pds } = world()
    const sent = () => post({ networks: ['bluesky'], bluesky_text: 'Hello', action: 'send' })
    pds.expire(false)
    const counts = () => [pds.logins.length, pds.refreshes.length, pds.writes.length]
    await sent()
    const [logins = 0, refreshes = 0] = counts()
    pds.expire()
    expect((await sent()).results).toMatchObject([{ state: 'posted' }])
    expect(counts()).toEqual([logins, refreshes + 1, 2])
    pds.expire(false)
    expect((await sent()).results).toMatchObject([{ state: 'posted' }])
    expect([pds.logins.length, pds.writes.length]).toEqual([logins + 1, 3])
  })

  it('shows whether it is usable without signing in on each view', async () => {
    const { pds, admin, clock } = world()
    const status = async () => (await admin.call('GET', '/api/bluesky/status')).body
    pds.expire(false)
    pds.behaviour.login = { status: 401, error: 'AuthenticationRequired' }
    const refused = {
      success: false,
      configured: true,
      error: expect.stringContaining('BLUESKY_APP_PASSWORD') as string,
    }
    expect(await status()).toMatchObject(refused)
    expect(await status()).toMatchObject(refused)
    expect(pds.logins).toHaveLength(1)
    pds.behaviour.login = 'well'
    clock.ms += MINUTE
    const well = { success: true, error: null, handle: 'site.example.org' }
    expect(await status()).toMatchObject(well)
    // One refused post says nothing about the account.
    pds.behaviour.put = { status: 400, error: 'InvalidRequest' }
    const { results } = await post({
      networks: ['bluesky'],
      bluesky_text: 'Hello',
      action: 'send',
    })
    pds.behaviour.put = 'well'
    expect(results).toMatchObject([{ state: 'failed' }])
    expect(await status()).toMatchObject(well)
  })
})

import {
  callsOf,
  form,
  POSTS,
  postOf,
  socialOfFile,
  socialWorld,
  MINUTE,
} from '#tests/support/social-world.ts'
import { gif, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { describe, expect, it } from 'vitest'
import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'

const world = socialOfFile()
const { post, tweet, upload } = callsOf(world)

type Parts = Parameters<typeof form>[0]
const TEXT = ['text', 'a'] as const
const WITH_IMAGES = '/api/x/tweet-with-images'
/** A post with one file. */
const file = (bytes: string | Buffer, name = 'a.png'): Parts => [TEXT, ['images[]', bytes, name]]

describe('a post with pictures', () => {
  it('carries them without metadata, with their alternative texts', async () => {
    const { app, admin, x } = world()
    const answer = await upload(WITH_IMAGES, [
      ['text', 'Two pictures'],
      ['images[]', noisyJpeg(JPEG), 'photo.png'],
      ['alt[]', 'A place'],
      ['images[]', gif(1), 'move.exe'],
    ])
    expect(answer.json()).toMatchObject({ success: true })
    const stored = (x.posts[0]?.media ?? []).map((id) => x.media.get(id))
    expect(stored.map((one) => one?.alt)).toEqual(['A place', null])
    for (const one of stored) expect(one?.bytes.toString('latin1')).not.toMatch(/secret|GPS/)
    const [picture] = postOf(answer.json()).pictures
    // Rotated by the camera's orientation.
    expect(picture).toMatchObject({ type: 'image/jpeg', width: 8, height: 12, alt: 'A place' })
    const visible = await app.inject({ url: picture?.url ?? '', headers: admin.headers })
    expect([visible.statusCode, visible.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await app.inject({ url: picture?.url ?? '' })).statusCode).toBe(401)
  })

  const BAD: readonly (readonly [string, Parts, RegExp])[] = [
    [
      'five pictures',
      [TEXT, ...Array.from({ length: 5 }, () => ['images[]', PNG, 'a.png'] as const)],
      /^Up to 4 pictures per post\./,
    ],
    ['no picture', file('MZ\u0090 This program', 'photo.png'), /cannot use this file/],
    ['more than 5 MB', file(Buffer.alloc(6_000_000, 1), 'a.jpg'), /5 MB/],
    ['a long alternative', [...file(PNG), ['alt[]', 'a'.repeat(1_001)]], /alternative text/],
    ['a broken alternative', [...file(PNG), ['alt[]', 'a\0']], /alternative text/],
    ['a secret', [...file(PNG), ['alt[]', `nsec1${'q'.repeat(58)}`]], /secret/],
    [
      'a moving GIF beside another picture',
      [...file(gif(2), 'a.gif'), ['images[]', PNG, 'a.png']],
      /animated GIF only as the sole picture/,
    ],
    ['another field of files', [TEXT, ['evil', PNG, 'a.png']], /images\[\]/],
    ['no text', [['text', '  '], ...file(PNG).slice(1)], /Please enter tweet text/],
    ['a cut field', [...file(PNG), ['alt[]', 'a'.repeat(140_000)]], /The field alt is too long/],
  ]
  it('is rejected with an invalid picture, too many pictures, or a partial upload', async () => {
    const { app, admin, x } = world()
    for (const [what, parts, sentence] of BAD) {
      const answer = await upload(WITH_IMAGES, parts)
      expect([what, answer.statusCode]).toEqual([what, 400])
      expect(answer.json()).toMatchObject({ success: false, code: 'invalid' })
      expect(answer.json<{ error: string }>().error).toMatch(sentence)
    }
    const { headers, payload: whole } = form(file(PNG))
    for (const payload of [whole.subarray(0, -60), Buffer.from('x')]) {
      const answer = await app.inject({
        method: 'POST',
        url: WITH_IMAGES,
        headers: { ...admin.headers, ...headers },
        payload,
      })
      expect(answer.statusCode).toBe(400)
    }
    expect(x.requests).toHaveLength(0)
  })
})

it('texts that X would refuse stay here, and long ones go out unchanged', async () => {
  const { admin, x } = world()
  // The messages are those of `post-length.ts`.
  for (const text of [' \n', 'a'.repeat(10_001), '$BTC and $MSTR', `nsec1${'q'.repeat(58)}`]) {
    const { status, body } = await admin.call('POST', '/api/x/tweet', { text })
    expect([status, (body as { error: string }).error]).toEqual([400, expect.any(String)])
  }
  expect(x.requests).toHaveLength(0)
  const texts = ['a'.repeat(281), 'b'.repeat(4_001), '👨‍👩‍👧‍👦'.repeat(140)]
  for (const text of texts) expect((await tweet(text)).results).toMatchObject([{ state: 'posted' }])
  expect(x.posts.map((one) => one.text)).toEqual(texts)
})

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
})

import {
  callsOf,
  form,
  PICTURES,
  POSTS,
  postOf,
  socialOfFile,
  socialWorld,
  MINUTE,
} from '#tests/support/social-world.ts'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { handTimers } from '#tests/support/timers.ts'
import { until } from '#tests/support/waiting.ts'
import { gif, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'

const world = socialOfFile()
const { call, post, tweet, upload } = callsOf(world)

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

  it('accepts uploaded pictures, but for X no animated GIF with other pictures', async () => {
    const { app, admin, x } = world()
    const pictures: { id: string; alt: string }[] = []
    for (const bytes of [gif(2), PNG]) {
      const taken = await upload(PICTURES, [['image', bytes, 'a']])
      const { id } = taken.json<{ picture: { id: string } }>().picture
      const visible = await app.inject({ url: `${PICTURES}/${id}`, headers: admin.headers })
      expect([visible.statusCode, visible.headers['cache-control']]).toEqual([200, 'no-store'])
      pictures.push({ id, alt: 'c' })
    }
    const both = { networks: ['x', 'nostr'], x_text: 'a', nostr_text: 'b', pictures }
    const { id } = await post({ ...both, action: 'draft' })
    const plan = { action: 'schedule', scheduled_at: '2027-01-01T12:00:00Z' }
    for (const answer of [
      await call(`/${id}/send`),
      await call('', { ...both, action: 'send' }),
      await admin.call('PUT', `${POSTS}/${id}`, { ...both, ...plan }),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: {
          fields: { pictures: expect.stringContaining('animated GIF only as the sole picture') },
        },
      })
    }
    expect(x.requests).toHaveLength(0)
    expect((await call('', { ...both, ...plan, networks: ['nostr'] })).status).toBe(200)

    const one = { ...both, networks: ['x'], pictures: pictures.slice(1), action: 'send' }
    expect((await post(one)).results).toMatchObject([{ state: 'posted' }])
    expect(x.media.get(x.posts[0]?.media[0] ?? '')?.alt).toBe('c')
    const gone = { ...one, pictures: [{ id: randomUUID(), alt: '' }] }
    expect((await call('', gone)).status).toBe(400)
    const none = { prediction_id: 'none' }
    expect((await admin.call('POST', `${PICTURES}/of-prediction`, none)).status).toBe(404)
  })

  it('is refused with a message if reading its picture crashes or hangs, and the next is accepted', async () => {
    const time = handTimers()
    const worker = new URL('../support/hanging-picture-worker.ts', import.meta.url)
    const pictureReader = sharpReader({ file: worker, withinMs: 100, after: time.after })
    await using site = await socialWorld({ pictureReader })
    const send = (picture: string | Buffer) =>
      callsOf(() => site).upload(PICTURES, [['image', picture, 'a.png']])
    const crashed = await send('crash')
    expect([crashed.statusCode, crashed.json()]).toMatchObject([
      503,
      { error: expect.stringContaining('The picture could not be read. Please try again') },
    ])
    const hung = send('hang')
    await until(() => time.open().includes(100))
    expect((await site.app.inject('/healthz')).statusCode).toBe(200)
    time.runOut(100)
    expect([(await hung).statusCode, (await hung).json()]).toMatchObject([
      400,
      { fields: { image: expect.stringContaining('takes too long') } },
    ])
    expect((await send(PNG)).statusCode).toBe(200)
    // Its process ends with the site.
    const last = pictureReader.read(Buffer.from('hang'))
    await Promise.all([expect(last).rejects.toThrow('The server stops.'), site.publishing.stop()])
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
    const { results } = await post({ networks: ['bluesky'], bluesky_text: 'Hello', action: 'send' })
    pds.behaviour.put = 'well'
    expect(results).toMatchObject([{ state: 'failed' }])
    expect(await status()).toMatchObject(well)
  })
})

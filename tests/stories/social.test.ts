// Over 400 lines: posts on X and Nostr, their retries and what they carry, with the same networks.

import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { gif, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { audited } from '#tests/support/review.ts'
import {
  callsOf,
  MINUTE,
  postOf,
  sendDue,
  sendKit,
  socialOfFile,
  form,
  POSTS,
  PICTURES,
  socialWorld,
} from '#tests/support/social-world.ts'
import { type Behaviour } from '#tests/support/stand-ins/faulty-server.ts'
import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'

const world = socialOfFile()
const { call, post, tweet, shown: visible, upload } = callsOf(world)
const BOTH = { networks: ['x', 'nostr'], x_text: 'On X', nostr_text: 'On Nostr', action: 'send' }

describe('a post on X', () => {
  it('goes out once, is reported correctly, and is in the audit log', async () => {
    const { x, admin } = world()
    expect(await admin.call('POST', '/api/x/tweet', { text: 'Hello' })).toMatchObject({
      status: 200,
      body: {
        success: true,
        tweet: { id: x.posts[0]?.id, url: `https://x.com/i/status/${x.posts[0]?.id ?? ''}` },
        error: null,
        detailedError: null,
        unknown: false,
        post: { state: 'done', x_weight: 5, x_cost_usd: 0.015, created_by: 'Admin A' },
      },
    })
    expect(x.posts.map((one) => one.text)).toEqual(['Hello'])
    expect(await audited(world(), `subject_kind = 'social post'`)).toMatchObject([
      { username: 'Admin A', action: 'post sent' },
      { username: 'Admin A', action: 'posted on X' },
    ])
  })

  it('is not sent again under the same Idempotency-Key, however often it is requested', async () => {
    const { app, admin, x } = world()
    const send = (text: string, key: string) => {
      const headers = { ...admin.headers, 'idempotency-key': key }
      return app.inject({ method: 'POST', url: '/api/x/tweet', headers, payload: { text } })
    }
    const key = randomUUID()
    const all = await Promise.all([send('Once', key), send('Once', key), send('Once', key)])
    all.push(await send('Once', key))
    expect(new Set(all.map((one) => postOf(one.json()).id)).size).toBe(1)
    expect(all.map((one) => one.json<{ success: boolean }>().success)).toEqual(all.map(() => true))
    expect(x.posts).toHaveLength(1)
    expect((await send('Other', key)).statusCode).toBe(409)
    expect((await send('Other', 'short')).statusCode).toBe(400)
  })

  // Each answer is tested in `x.test.ts`.
  const ANSWERS: readonly (readonly [Behaviour, string, string, boolean])[] = [
    [X_PROBLEMS.notPermitted, 'failed', 'too-long', false],
    [{ status: 429 }, 'failed', 'limited', false],
    [{ status: 500, body: 'oops' }, 'unknown', 'unknown', true],
    ['store-and-hang', 'unknown', 'unknown', true],
  ]
  it("shows X's answer, and is never retried automatically", async () => {
    const { x, admin, clock, work } = world()
    for (const [behaviour, state, fault, unknown] of ANSWERS) {
      x.behaviour.post = behaviour
      const { body } = await admin.call('POST', '/api/x/tweet', { text: 'a'.repeat(300) })
      expect([behaviour, body]).toMatchObject([
        behaviour,
        {
          success: false,
          tweet: null,
          error: unknown ? 'We don’t know whether this is on X' : 'Failed to post tweet',
          unknown,
          post: { state: 'done', results: [{ network: 'x', state, fault, next_try_at: null }] },
        },
      ])
    }
    x.behaviour.post = 'well'
    for (const minutes of [1, 9, 590]) {
      clock.ms += minutes * MINUTE
      await work()
    }
    expect(x.requests.filter((one) => one.operation === '/2/tweets')).toHaveLength(ANSWERS.length)
  })

  it('can be searched for, or sent again on purpose, if its outcome is unknown', async () => {
    const { x } = world()
    x.behaviour.post = 'store-and-hang'
    const { id } = await tweet('Perhaps')
    x.behaviour.post = 'well'
    expect((await call(`/${id}/send`)).status).toBe(409)
    expect((await call(`/${id}/check`)).body).toMatchObject({
      found: true,
      post: { results: [{ state: 'posted', remote_id: x.posts[0]?.id }] },
    })
    expect((await call(`/${id}/check`)).status).toBe(409)

    x.behaviour.post = 'close'
    const lost = await tweet('Gone')
    x.behaviour.post = 'well'
    const absent = await call(`/${lost.id}/check`)
    expect(absent.body).toMatchObject({ found: false, post: { results: [{ state: 'failed' }] } })
    expect((await post({}, `/${lost.id}/send`)).results).toMatchObject([{ state: 'posted' }])

    x.behaviour.post = { status: 502 }
    const unsure = await tweet('Unsure')
    x.behaviour.post = 'well'
    const forced = await post({ even_if_unknown: true }, `/${unsure.id}/send`)
    expect(forced.results).toMatchObject([{ state: 'posted' }])
    expect(x.posts.map((one) => one.text)).toEqual(['Perhaps', 'Gone', 'Unsure'])
  })

  it('is confirmed by an administrator who saw it there, also if X refused it as a duplicate', async () => {
    const { x } = world()
    x.behaviour.post = 'store-and-close'
    const seen = await tweet('Seen')
    const marked = await post({ posted: true }, `/${seen.id}/mark`)
    expect(marked.results).toMatchObject([{ state: 'posted', error: null }])
    expect((await call(`/${seen.id}/mark`, { posted: true })).status).toBe(409)
    expect((await call(`/${seen.id}/send`)).status).toBe(409)

    x.behaviour.post = 'close'
    const gone = await tweet('Gone')
    x.behaviour.post = 'well'
    const failed = await post({ posted: false }, `/${gone.id}/mark`)
    expect(failed.results).toMatchObject([{ state: 'failed' }])
    expect((await post({}, `/${gone.id}/send`)).results).toMatchObject([{ state: 'posted' }])

    x.behaviour.post = 'store-and-close'
    const { id } = await tweet('Twice')
    x.behaviour.post = X_PROBLEMS.duplicate
    const again = await post({ even_if_unknown: true }, `/${id}/send`)
    expect(again.results).toMatchObject([{ state: 'failed', fault: 'duplicate' }])
    expect((await call(`/${id}/mark`, { posted: false })).status).toBe(409)
    const there = await post({ posted: true }, `/${id}/mark`)
    expect(there.results).toMatchObject([{ state: 'posted', error: null }])
    expect(x.posts.map((one) => one.text)).toEqual(['Seen', 'Gone', 'Twice'])
    x.behaviour.post = X_PROBLEMS.credits
    const other = await tweet('Poor')
    expect((await call(`/${other.id}/mark`, { posted: true })).status).toBe(409)
  })
})

const noted = async (content: string) =>
  postOf((await world().admin.call('POST', '/api/nostr/post', { content })).body)

describe('a note on Nostr', () => {
  it('shows the result of each relay', async () => {
    const { nostr, admin } = world()
    nostr.answers.set('wss://b.example', 'refused')
    expect((await admin.call('POST', '/api/nostr/post', { content: 'Hello' })).body).toMatchObject({
      success: true,
      publishedToRelays: 1,
      totalRelays: 2,
      eventId: nostr.sent[0]?.event.id,
      error: null,
      details: [
        { relay: 'wss://a.example', state: 'accepted' },
        { relay: 'wss://b.example', state: 'refused' },
      ],
    })
    expect((await admin.call('GET', '/api/nostr/status')).body).toEqual({
      configured: true,
      publicKey: expect.stringMatching(/^npub1/),
      connectedRelays: 1,
      totalRelays: 2,
      error: null,
      faults: ['wss://b.example cannot be reached.'],
    })
  })

  it('is sent again unchanged to relays that could not accept it, and the post follows', async () => {
    const { nostr, clock, resend, work } = world()
    nostr.answer('later')
    const first = await upload('/api/nostr/post', [['content', 'Hello']])
    expect(first.json()).toMatchObject({ success: false, publishedToRelays: 0, totalRelays: 2 })
    const { id } = postOf(first.json())
    for (const [minutes, relay, state, relays] of [
      [3, 'a', 'accepted', ['accepted', 'later']],
      [10, 'b', 'already', ['accepted', 'already']],
    ] as const) {
      nostr.answers.set(`wss://${relay}.example`, state)
      clock.ms += minutes * MINUTE
      await resend()
      await work()
      expect((await visible(id)).results).toMatchObject([
        { state: 'posted', relays: relays.map((one) => ({ state: one })) },
      ])
    }
    clock.ms += 1_000 * MINUTE
    await resend()
    await work()
    expect(nostr.asked()).toEqual([2, 3])
    expect(new Set(nostr.sent.map((one) => one.event.id)).size).toBe(1)
  })

  it('is refused if it is blank or not a note', async () => {
    const { admin, nostr } = world()
    const contents = [' ', undefined, 7, 'a'.repeat(10_001), 'a\0b', 'half \ud83d']
    for (const body of [[], ...contents.map((content) => ({ content }))]) {
      expect((await admin.call('POST', '/api/nostr/post', body)).status).toBe(400)
    }
    expect(nostr.sent).toHaveLength(0)
  })

  it('stays posted if the key is removed before the other relays have it', async () => {
    const { nostr, clock } = world()
    nostr.answers.set('wss://b.example', 'later')
    const { id } = await noted('Here')
    clock.ms += 5 * MINUTE
    expect(await sendDue(sendKit(world()))).toBe(true)
    expect((await visible(id)).results).toMatchObject([{ state: 'posted', next_try_at: null }])
  })

  it('is not reported as unsent if it was sent but that could not be stored', async () => {
    const { nostr, clock, publishing, work } = world()
    const { nostr: publisher } = publishing.kit
    if (!publisher) throw new Error('there is a key')
    const { publish } = publisher
    const lost = vi.spyOn(publisher, 'publish').mockImplementation(async (...args) => {
      await publish(...args)
      throw new Error('the database is away')
    })
    const { id } = await noted('Here')
    expect((await visible(id)).results).toMatchObject([
      { state: 'failed', error: expect.stringMatching(/relays may have it/) as string },
    ])
    lost.mockRestore()
    clock.ms += 3 * MINUTE
    await work()
    expect((await visible(id)).results).toMatchObject([{ state: 'posted' }])
    expect(new Set(nostr.sent.map(({ event }) => event.id)).size).toBe(1)
  })
})

describe('a retry', () => {
  it('reaches only the network it is meant for', async () => {
    const { x, nostr } = world()
    nostr.answers.set('wss://b.example', 'later')
    x.behaviour.post = X_PROBLEMS.unauthorized
    const url = `/${(await post(BOTH)).id}/send`
    x.behaviour.post = 'well'
    nostr.answers.set('wss://b.example', 'accepted')
    expect((await post({ networks: ['nostr'] }, url)).results).toMatchObject([
      { network: 'x', state: 'failed', fault: 'keys' },
      { network: 'nostr', state: 'posted', relays: [{ state: 'accepted' }, { state: 'accepted' }] },
    ])
    expect(x.posts).toHaveLength(0)
    expect((await call(url, { networks: ['nostr'] })).status).toBe(409)
    const last = await post({ networks: ['x'] }, url)
    expect(last.results).toMatchObject([{ state: 'posted' }, { state: 'posted' }])
    expect([x.posts.length, nostr.sent.length]).toEqual([1, 3])
  })

  it('on Nostr does not wait for the outcome on X', async () => {
    const { x, nostr } = world()
    nostr.answer('later')
    x.behaviour.post = 'store-and-close'
    const url = `/${(await post(BOTH)).id}/send`
    nostr.answer('accepted')
    expect((await call(url)).status).toBe(409)
    expect((await call(url, { networks: ['x'] })).status).toBe(409)
    const again = await post({ networks: ['nostr'] }, url)
    expect(again.results).toMatchObject([{ state: 'unknown' }, { state: 'posted' }])
    expect(x.posts).toHaveLength(1)
  })
})

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
    const unknown = `${picture?.url.slice(0, -36) ?? ''}${randomUUID()}`
    expect((await app.inject({ url: unknown, headers: admin.headers })).statusCode).toBe(404)
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
    const whole = await form(file(PNG))
    const headers = { ...admin.headers, ...whole.headers }
    for (const payload of [whole.payload.subarray(0, -60), Buffer.from('x')]) {
      const answer = await app.inject({ method: 'POST', url: WITH_IMAGES, headers, payload })
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
      pictures.push({ id, alt: pictures.length === 0 ? '' : 'c' })
    }
    const both = { networks: ['x', 'nostr'], x_text: 'a', nostr_text: 'b', pictures }
    const { id, x_cost_usd } = await post({ ...both, action: 'draft' })
    // Only alternative texts cost.
    expect(x_cost_usd).toBe(0.02)
    const plan = { action: 'schedule', scheduled_at: '2027-01-01T12:00:00Z' }
    for (const answer of [
      await call(`/${id}/send`),
      await call('', { ...both, action: 'send' }),
      await admin.call('PUT', `${POSTS}/${id}`, { ...both, ...plan }),
    ]) {
      const fields = { pictures: expect.stringContaining('animated GIF only as the sole picture') }
      expect(answer).toMatchObject({ status: 400, body: { fields } })
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

  it('is refused with a message if reading its picture crashes; the reader ends with the site', async () => {
    const file = new URL('../support/hanging-picture-worker.ts', import.meta.url)
    const pictureReader = sharpReader({ file })
    await using site = await socialWorld({ pictureReader })
    const send = (text: string) => callsOf(() => site).upload(PICTURES, [['image', text, 'a.png']])
    const [empty, crashed] = [await send(''), await send('crash')]
    expect([empty.statusCode, crashed.statusCode]).toEqual([400, 503])
    expect(empty.json()).toMatchObject({ fields: { image: expect.any(String) } })
    expect(crashed.json()).toMatchObject({
      error: expect.stringContaining('The picture could not be read. Please try again'),
    })
    const last = pictureReader.read(Buffer.from('hang'))
    await Promise.all([
      expect(last).rejects.toThrow('The server is stopping.'),
      site.publishing.stop(),
    ])
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
  const failed = { state: 'failed', error: missing('not set up') }
  const off = { configured: false }
  for (const [url, says, body] of [
    ['/api/x/test', { success: false, ...off, error: missing('X_API_KEY') }],
    ['/api/x/rate-limit-status', { success: false, canPost: false }],
    ['/api/nostr/status', { ...off, publicKey: null, error: missing('NOSTR_PRIVATE_KEY') }],
    ['/api/bluesky/status', off],
    ['/api/nostr/post', { success: false, publishedToRelays: 0 }, { content: 'a' }],
    ['/api/x/tweet', { success: false, unknown: false }, { text: 'a' }],
    [POSTS, { post: { results: [failed] } }, post],
  ] as const) {
    const answer = await admin.call(body ? 'POST' : 'GET', url, body)
    expect([url, answer.body]).toMatchObject([url, says])
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

it('the account on Bluesky renews an expired session, and posts once', async () => {
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

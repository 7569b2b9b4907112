import { type SocialPost } from '#contracts/social.ts'
import { X_PROBLEMS, type XMood } from '#tests/support/stand-ins/x-server.ts'
import { form, MINUTE, NOON, postOf, socialWorld } from '#tests/support/social-world.ts'
import { gif, hugePng, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'

const ISO = (ms: number): string => new Date(ms).toISOString()
const POSTS = '/api/v1/admin/social/posts'

describe('a post on X', () => {
  it('goes out once, is told truly, and stands in the log of who did what', async () => {
    await using site = await socialWorld()
    const { x, admin, database } = site
    const answer = await admin.call('POST', '/api/x/tweet', { text: 'Hello' })
    expect(answer).toMatchObject({
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
    const { rows } = await database.pool.query(
      `select username, action from audit_log where subject_kind = 'social post' order by id`,
    )
    expect(rows).toEqual([
      { username: 'Admin A', action: 'post sent' },
      { username: 'Admin A', action: 'posted on X' },
    ])
  })

  it('is not sent again under the same Idempotency-Key, however often it is asked for', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const send = (text: string, key: string) =>
      app.inject({
        method: 'POST',
        url: '/api/x/tweet',
        headers: { ...admin.headers, 'idempotency-key': key },
        payload: { text },
      })
    const key = randomUUID()
    const all = await Promise.all([send('Once', key), send('Once', key), send('Once', key)])
    const again = await send('Once', key)
    const ids = [...all, again].map((one) => postOf(one.json()).id)
    expect(new Set(ids).size).toBe(1)
    expect([...all, again].map((one) => one.json<{ success: boolean }>().success)).toEqual(
      Array.from({ length: 4 }, () => true),
    )
    expect(x.posts).toHaveLength(1)
    expect((await send('Other', key)).statusCode).toBe(409)
    expect((await send('Other', 'short')).statusCode).toBe(400)
  })

  const ANSWERS: readonly (readonly [string, XMood, string, string, boolean])[] = [
    ['wrong keys', X_PROBLEMS.unauthorized, 'failed', 'keys', false],
    ['a duplicate', X_PROBLEMS.duplicate, 'failed', 'duplicate', false],
    ['one too long for the account', X_PROBLEMS.notPermitted, 'failed', 'too-long', false],
    ['no credit', X_PROBLEMS.credits, 'failed', 'no-credit', false],
    ['too many posts', { status: 429 }, 'failed', 'limited', false],
    ['a failing X', { status: 500, body: 'oops' }, 'unknown', 'unknown', true],
    ['a broken connection', 'store-and-close', 'unknown', 'unknown', true],
    ['no answer', 'store-and-hang', 'unknown', 'unknown', true],
  ]
  it('tells what X answered, and never tries it twice by itself', async () => {
    await using site = await socialWorld({ callMs: 300 })
    const { x, admin, clock } = site
    for (const [what, mood, state, fault, unknown] of ANSWERS) {
      x.mood.post = mood
      const { body } = await admin.call('POST', '/api/x/tweet', { text: 'a'.repeat(300) })
      expect([what, body]).toMatchObject([
        what,
        {
          success: false,
          tweet: null,
          error: 'Failed to post tweet',
          unknown,
          post: { state: 'done', results: [{ network: 'x', state, fault, next_try_at: null }] },
        },
      ])
    }
    x.mood.post = 'well'
    for (const minutes of [1, 10, 600]) {
      clock.ms = NOON + minutes * MINUTE
      await site.work()
    }
    const asked = x.requests.filter((one) => one.operation === '/2/tweets')
    expect(asked).toHaveLength(ANSWERS.length)
  })

  it('can be looked for, or sent again on purpose, when nobody knows whether it is out', async () => {
    await using site = await socialWorld({ callMs: 300 })
    const { x, admin } = site
    x.mood.post = 'store-and-hang'
    const sent = await admin.call('POST', '/api/x/tweet', { text: 'Perhaps' })
    const { id } = postOf(sent.body)
    x.mood.post = 'well'
    expect((await admin.call('POST', `${POSTS}/${id}/send`, {})).status).toBe(409)
    const found = await admin.call('POST', `${POSTS}/${id}/check`)
    expect(found.body).toMatchObject({
      found: true,
      post: { results: [{ state: 'posted', remote_id: x.posts[0]?.id }] },
    })
    expect((await admin.call('POST', `${POSTS}/${id}/check`)).status).toBe(409)

    x.mood.post = 'close'
    const lost = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Gone' })).body)
    x.mood.post = 'well'
    const absent = await admin.call('POST', `${POSTS}/${lost.id}/check`)
    expect(absent.body).toMatchObject({ found: false, post: { results: [{ state: 'failed' }] } })
    const again = await admin.call('POST', `${POSTS}/${lost.id}/send`, {})
    expect(postOf(again.body).results).toMatchObject([{ state: 'posted' }])

    x.mood.post = { status: 502 }
    const unsure = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Unsure' })).body)
    x.mood.post = 'well'
    const url = `${POSTS}/${unsure.id}/send`
    const forced = await admin.call('POST', url, { even_if_unknown: true })
    expect(postOf(forced.body).results).toMatchObject([{ state: 'posted' }])
    expect(x.posts.map((one) => one.text)).toEqual(['Perhaps', 'Gone', 'Unsure'])
  })

  it('is what somebody saw on X and says so', async () => {
    await using site = await socialWorld()
    const { admin, x } = site
    x.mood.post = 'store-and-close'
    const seen = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Seen' })).body)
    const marked = await admin.call('POST', `${POSTS}/${seen.id}/mark`, { posted: true })
    expect(postOf(marked.body).results).toMatchObject([{ state: 'posted', error: null }])
    expect((await admin.call('POST', `${POSTS}/${seen.id}/mark`, { posted: true })).status).toBe(
      409,
    )
    expect((await admin.call('POST', `${POSTS}/${seen.id}/send`, {})).status).toBe(409)

    x.mood.post = 'close'
    const gone = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Gone' })).body)
    x.mood.post = 'well'
    const failed = await admin.call('POST', `${POSTS}/${gone.id}/mark`, { posted: false })
    expect(postOf(failed.body).results).toMatchObject([{ state: 'failed' }])
    const again = await admin.call('POST', `${POSTS}/${gone.id}/send`, {})
    expect(postOf(again.body).results).toMatchObject([{ state: 'posted' }])
    expect(x.posts.map((one) => one.text)).toEqual(['Seen', 'Gone'])
  })

  it('is what somebody saw there although X refused it as a second one', async () => {
    await using site = await socialWorld()
    const { admin, x } = site
    x.mood.post = 'store-and-close'
    const { id } = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Twice' })).body)
    x.mood.post = X_PROBLEMS.duplicate
    const again = await admin.call('POST', `${POSTS}/${id}/send`, { even_if_unknown: true })
    expect(postOf(again.body).results).toMatchObject([{ state: 'failed', fault: 'duplicate' }])
    const no = await admin.call('POST', `${POSTS}/${id}/mark`, { posted: false })
    expect(no.status).toBe(409)
    const marked = await admin.call('POST', `${POSTS}/${id}/mark`, { posted: true })
    expect(postOf(marked.body).results).toMatchObject([{ state: 'posted', error: null }])
    expect(x.posts).toHaveLength(1)
    x.mood.post = X_PROBLEMS.credits
    const other = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Poor' })).body)
    const refused = await admin.call('POST', `${POSTS}/${other.id}/mark`, { posted: true })
    expect(refused.status).toBe(409)
  })
})

describe('a post with pictures', () => {
  it('carries them without metadata, with their alternative texts', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const upload = form([
      ['text', 'Two pictures'],
      ['images[]', noisyJpeg(JPEG), 'photo.png'],
      ['alt[]', 'A place'],
      ['images[]', gif(1), 'move.exe'],
    ])
    const answer = await app.inject({
      method: 'POST',
      url: '/api/x/tweet-with-images',
      ...upload,
      headers: { ...admin.headers, ...upload.headers },
    })
    expect(answer.json()).toMatchObject({ success: true })
    const kept = (x.posts[0]?.media ?? []).map((id) => x.media.get(id))
    expect(kept.map((one) => one?.alt)).toEqual(['A place', null])
    for (const one of kept) expect(one?.bytes.toString('latin1')).not.toMatch(/secret|GPS/)
    const [picture] = postOf(answer.json()).pictures
    expect(picture).toMatchObject({ type: 'image/jpeg', width: 12, height: 8, alt: 'A place' })
    const shown = await app.inject({ url: picture?.url ?? '', headers: admin.headers })
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await app.inject({ url: picture?.url ?? '' })).statusCode).toBe(401)
  })

  const TEXT = ['text', 'a'] as const
  const BAD: readonly (readonly [string, Parameters<typeof form>[0], RegExp])[] = [
    [
      'five pictures',
      [TEXT, ...Array.from({ length: 5 }, () => ['images[]', PNG, 'a.png'] as const)],
      /At most 4/,
    ],
    ['a program', [TEXT, ['images[]', 'MZ\u0090 This program', 'photo.png']], /no picture/],
    ['40 megapixels', [TEXT, ['images[]', hugePng(8_000, 5_000), 'a.png']], /8000 × 5000/],
    ['a cut off picture', [TEXT, ['images[]', JPEG.subarray(0, 300), 'a.jpg']], /incomplete/],
    ['an empty picture', [TEXT, ['images[]', '', 'a.jpg']], /empty/],
    ['more than 5 MB', [TEXT, ['images[]', Buffer.alloc(6_000_000, 1), 'a.jpg']], /5 MB/],
    [
      'a long alternative text',
      [TEXT, ['images[]', PNG, 'a.png'], ['alt[]', 'a'.repeat(1_001)]],
      /alternative text/,
    ],
    [
      'a broken alternative text',
      [TEXT, ['images[]', PNG, 'a.png'], ['alt[]', 'a\0']],
      /alternative text/,
    ],
    ['another field of files', [TEXT, ['evil', PNG, 'a.png']], /images\[\]/],
    [
      'no text',
      [
        ['text', '  '],
        ['images[]', PNG, 'a.png'],
      ],
      /Please enter tweet text/,
    ],
  ]
  it('is not sent with what is no picture, or too many of them', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    for (const [what, parts, sentence] of BAD) {
      const upload = form(parts)
      const headers = { ...admin.headers, ...upload.headers }
      const url = '/api/x/tweet-with-images'
      const answer = await app.inject({ method: 'POST', url, ...upload, headers })
      expect([what, answer.statusCode]).toEqual([what, 400])
      expect(answer.json()).toMatchObject({ success: false, code: 'invalid' })
      expect(answer.json<{ error: string }>().error).toMatch(sentence)
    }
    expect(x.requests).toHaveLength(0)
  })

  it('is not sent when the upload breaks off', async () => {
    await using site = await socialWorld()
    const { app, admin } = site
    const upload = form([TEXT, ['images[]', PNG, 'a.png']])
    for (const payload of [upload.payload.subarray(0, -60), Buffer.alloc(0), Buffer.from('x')]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/x/tweet-with-images',
        headers: { ...admin.headers, ...upload.headers },
        payload,
      })
      expect(answer.statusCode).toBe(400)
    }
  })

  it('takes pictures that were uploaded before, drawn or not', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const upload = form([['image', PNG, 'a.png']])
    const url = '/api/v1/admin/social/pictures'
    const headers = { ...admin.headers, ...upload.headers }
    const taken = await app.inject({ method: 'POST', url, ...upload, headers })
    const { id } = taken.json<{ picture: { id: string } }>().picture
    const post = {
      networks: ['x', 'nostr'],
      x_text: 'a',
      nostr_text: 'b',
      pictures: [{ id, alt: 'c' }],
    }
    const sent = await admin.call('POST', POSTS, { ...post, action: 'send' })
    expect(postOf(sent.body).results).toMatchObject([{ state: 'posted' }, { state: 'posted' }])
    expect(x.media.get(x.posts[0]?.media[0] ?? '')?.alt).toBe('c')
    expect(site.nostr.prepared.pictures).toBe(1)
    const gone = { ...post, pictures: [{ id: randomUUID(), alt: '' }], action: 'send' }
    expect((await admin.call('POST', POSTS, gone)).status).toBe(400)
    const none = { prediction_id: 'none' }
    expect((await admin.call('POST', `${url}/of-prediction`, none)).status).toBe(404)
  })
})

describe('texts', () => {
  it('that X or good sense would refuse stay here', async () => {
    await using site = await socialWorld()
    for (const [text, sentence] of [
      [' \n', 'Please enter tweet text'],
      ['a'.repeat(10_001), '10001 of 10000'],
      ['漢'.repeat(5_001), '10002 of 10000'],
      ['$BTC and $MSTR', 'one cashtag'],
      [`nsec1${'q'.repeat(58)}`, 'secret Nostr key'],
    ] as const) {
      const answer = await site.admin.call('POST', '/api/x/tweet', { text })
      expect(answer.status).toBe(400)
      expect((answer.body as { error: string }).error).toContain(sentence)
    }
    const upload = form([
      ['text', 'A picture'],
      ['images[]', PNG, 'a.png'],
      ['alt[]', `nsec1${'q'.repeat(58)}`],
    ])
    const alt = await site.app.inject({
      method: 'POST',
      url: '/api/x/tweet-with-images',
      ...upload,
      headers: { ...site.admin.headers, ...upload.headers },
    })
    expect(alt.json()).toMatchObject({ success: false, error: expect.stringContaining('secret') })
    expect(site.x.requests).toHaveLength(0)
  })

  it('of 281, of 4,001 and of emoji go out as they are', async () => {
    await using site = await socialWorld()
    const texts = ['a'.repeat(281), 'b'.repeat(4_001), '👨‍👩‍👧‍👦'.repeat(140)]
    for (const text of texts) {
      expect((await site.admin.call('POST', '/api/x/tweet', { text })).body).toMatchObject({
        success: true,
      })
    }
    expect(site.x.posts.map((one) => one.text)).toEqual(texts)
  })
})

describe('Nostr', () => {
  it('tells for each relay what became of a note', async () => {
    await using site = await socialWorld()
    const { nostr, admin } = site
    nostr.answers.set('wss://b.example', 'refused')
    const answer = await admin.call('POST', '/api/nostr/post', { content: 'Hello' })
    expect(answer.body).toMatchObject({
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
      publicKey: 'npub1example',
      connectedRelays: 1,
      totalRelays: 2,
      error: null,
      faults: ['wss://b.example cannot be reached.'],
    })
  })

  it('sends the very same note again to relays that could not take it', async () => {
    await using site = await socialWorld()
    const { app, nostr, admin, clock } = site
    for (const relay of nostr.relays) nostr.answers.set(relay, 'later')
    const upload = form([
      ['content', 'A picture'],
      ['images[]', PNG, 'a.png'],
    ])
    const first = await app.inject({
      method: 'POST',
      url: '/api/nostr/post',
      ...upload,
      headers: { ...admin.headers, ...upload.headers },
    })
    expect(first.json()).toMatchObject({ success: false, publishedToRelays: 0, totalRelays: 2 })
    nostr.answers.set('wss://a.example', 'accepted')
    clock.ms += 3 * MINUTE
    await site.work()
    const { id } = postOf(first.json())
    const post = postOf((await admin.call('GET', `${POSTS}/${id}`)).body)
    expect(post.results).toMatchObject([
      { state: 'posted', relays: [{ state: 'accepted' }, { state: 'later' }] },
    ])
    clock.ms += 10 * MINUTE
    nostr.answers.set('wss://b.example', 'already')
    await site.work()
    clock.ms += 1_000 * MINUTE
    await site.work()
    expect(new Set(nostr.sent.map((one) => one.event.id)).size).toBe(1)
    expect(nostr.sent.map((one) => one.relay.slice(6, 7)).join('')).toBe('ababb')
    expect(nostr.prepared).toMatchObject({ times: 1, pictures: 1 })
  })

  it('sends it to the missing relays at once when somebody asks for it', async () => {
    await using site = await socialWorld()
    const { nostr, admin } = site
    nostr.answers.set('wss://b.example', 'later')
    const note = { content: 'To be continued' }
    const { id, results } = postOf((await admin.call('POST', '/api/nostr/post', note)).body)
    expect(results).toMatchObject([{ relays: [{ state: 'accepted' }, { state: 'later' }] }])
    nostr.answers.set('wss://b.example', 'accepted')
    const again = await admin.call('POST', `${POSTS}/${id}/send`, {})
    expect(postOf(again.body).results).toMatchObject([
      { state: 'posted', relays: [{ state: 'accepted' }, { state: 'accepted' }] },
    ])
    expect((await admin.call('POST', `${POSTS}/${id}/send`, {})).status).toBe(409)
    expect(nostr.sent.map((one) => one.relay.slice(6, 7)).join('')).toBe('abb')
    expect(new Set(nostr.sent.map((one) => one.event.id)).size).toBe(1)
  })

  it('refuses blank notes and what is no note', async () => {
    await using site = await socialWorld()
    for (const body of [
      { content: ' ' },
      {},
      { content: 7 },
      [],
      { content: 'a'.repeat(10_001) },
    ]) {
      expect((await site.admin.call('POST', '/api/nostr/post', body)).status).toBe(400)
    }
    for (const content of ['a\0b', 'half \ud83d'] as const) {
      const answer = await site.admin.call('POST', '/api/nostr/post', { content })
      expect(answer.status).toBe(400)
    }
    expect(site.nostr.sent).toHaveLength(0)
  })
})

describe('a site without keys', () => {
  it('says what is missing', async () => {
    await using site = await socialWorld({ isConfigured: false })
    const { admin } = site
    expect((await admin.call('GET', '/api/x/test')).body).toMatchObject({
      success: false,
      configured: false,
      error: expect.stringContaining('X_API_KEY') as string,
    })
    expect((await admin.call('GET', '/api/x/rate-limit-status')).body).toMatchObject({
      success: false,
      canPost: false,
    })
    expect((await admin.call('GET', '/api/nostr/status')).body).toMatchObject({
      configured: false,
      publicKey: null,
      error: expect.stringContaining('NOSTR_PRIVATE_KEY') as string,
    })
    const sent = await admin.call('POST', '/api/nostr/post', { content: 'a' })
    expect(sent.body).toMatchObject({ success: false, publishedToRelays: 0 })
    const tweet = await admin.call('POST', '/api/x/tweet', { text: 'a' })
    expect(tweet.body).toMatchObject({ success: false, unknown: false })
  })

  it('lets nobody in who is not signed in', async () => {
    await using site = await socialWorld()
    const calls = [
      ['GET', '/api/x/test'],
      ['GET', '/api/x/rate-limit-status'],
      ['GET', '/api/x/scheduled-tweets'],
      ['GET', '/api/x/scheduling-stats'],
      ['POST', '/api/x/tweet'],
      ['POST', '/api/x/tweet-with-images'],
      ['GET', '/api/nostr/status'],
      ['POST', '/api/nostr/post'],
      ['GET', POSTS],
      ['POST', POSTS],
      ['PUT', '/api/v1/admin/social/settings'],
      ['POST', '/api/v1/admin/social/pictures'],
    ] as const
    for (const [method, url] of calls) {
      const answer = await site.app.inject({ method, url })
      expect([url, answer.statusCode]).toEqual([url, 401])
    }
  })
})

describe('what X tells of itself', () => {
  it('is asked for once, and kept', async () => {
    await using site = await socialWorld()
    const { admin, x, clock } = site
    for (let n = 0; n < 3; n += 1) {
      expect((await admin.call('GET', '/api/x/test')).body).toMatchObject({
        success: true,
        handle: 'the_site',
      })
    }
    clock.ms += 11 * 60 * MINUTE
    await admin.call('GET', '/api/x/test')
    expect(x.requests).toHaveLength(1)
    x.mood.post = X_PROBLEMS.credits
    await admin.call('POST', '/api/x/tweet', { text: 'a' })
    expect((await admin.call('GET', '/api/x/test')).body).toMatchObject({
      success: false,
      error: expect.stringContaining('credit') as string,
    })
  })

  it('closes the desk until the window opens again', async () => {
    await using site = await socialWorld()
    const { admin, x, clock } = site
    const limit = '/api/x/rate-limit-status'
    expect((await admin.call('GET', limit)).body).toMatchObject({ canPost: true, remaining: null })
    x.limits.remaining = 1
    x.limits.reset = (NOON + 7.5 * MINUTE) / 1_000
    await admin.call('POST', '/api/x/tweet', { text: 'The last one' })
    expect((await admin.call('GET', limit)).body).toMatchObject({
      success: true,
      canPost: false,
      remaining: 0,
      limit: 100,
      minutesUntilReset: 8,
    })
    const refused = await admin.call('POST', '/api/x/tweet', { text: 'One more' })
    expect(postOf(refused.body).results).toMatchObject([{ state: 'failed', fault: 'limited' }])
    expect(x.posts).toHaveLength(1)
    clock.ms += 8 * MINUTE
    expect((await admin.call('GET', limit)).body).toMatchObject({ canPost: true, remaining: 100 })
    const again = await admin.call('POST', `${POSTS}/${postOf(refused.body).id}/send`, {})
    expect(postOf(again.body).results).toMatchObject([{ state: 'posted' }])
  })
})

describe('a plan', () => {
  const PLAN = { networks: ['x', 'nostr'], x_text: 'On X', nostr_text: 'On Nostr' }
  const planned = (body: unknown): SocialPost[] => (body as { tweets: SocialPost[] }).tweets

  it('is kept, changed, taken back, and carried out once at its time by whoever is there', async () => {
    await using site = await socialWorld()
    const { admin, clock, x, nostr } = site
    const at = ISO(NOON + 60 * MINUTE)
    const schedule = { ...PLAN, action: 'schedule', zone: 'Europe/Berlin' }
    const made = postOf((await admin.call('POST', POSTS, { ...schedule, scheduled_at: at })).body)
    expect(made).toMatchObject({ state: 'scheduled', scheduled_at: at, zone: 'Europe/Berlin' })
    const other = postOf((await admin.call('POST', POSTS, { ...schedule, scheduled_at: at })).body)
    await admin.call('POST', `${POSTS}/${other.id}/cancel`)
    const later = ISO(NOON + 90 * MINUTE)
    const edit = { ...schedule, x_text: 'Edited', scheduled_at: later }
    await admin.call('PUT', `${POSTS}/${made.id}`, edit)
    expect(planned((await admin.call('GET', '/api/x/scheduled-tweets')).body)).toMatchObject([
      { id: made.id, x_text: 'Edited', scheduled_at: later },
    ])
    clock.ms = NOON + 89 * MINUTE
    await site.work()
    expect(x.posts).toHaveLength(0)
    clock.ms = NOON + 90 * MINUTE
    await Promise.all([site.work(), site.work(), site.work()])
    expect(x.posts.map((one) => one.text)).toEqual(['Edited'])
    expect(nostr.sent.map((one) => one.event.content)).toEqual(['On Nostr', 'On Nostr'])
    expect((await admin.call('PUT', `${POSTS}/${made.id}`, edit)).status).toBe(409)
    expect((await admin.call('POST', `${POSTS}/${made.id}/cancel`)).status).toBe(409)
    expect((await admin.call('POST', `${POSTS}/${made.id}/send`, {})).status).toBe(409)
    expect((await admin.call('POST', `${POSTS}/${other.id}/send`, {})).status).toBe(409)
    expect((await admin.call('GET', '/api/x/scheduling-stats')).body).toMatchObject({
      stats: {
        scheduled: 0,
        cancelled: 1,
        posted: 2,
        posted_last_24h: 2,
        cost_last_30d_usd: 0.015,
      },
    })
  })

  it('that missed its time is asked about instead of sent late', async () => {
    await using site = await socialWorld()
    const { admin, clock, x } = site
    const at = ISO(NOON + MINUTE)
    const made = postOf(
      (await admin.call('POST', POSTS, { ...PLAN, action: 'schedule', scheduled_at: at })).body,
    )
    clock.ms = NOON + 12 * MINUTE
    await site.work()
    expect(x.posts).toHaveLength(0)
    const [missed] = planned((await admin.call('GET', '/api/x/scheduled-tweets')).body)
    expect(missed).toMatchObject({ id: made.id, state: 'missed' })
    const sent = await admin.call('POST', `${POSTS}/${made.id}/send`, {})
    expect(postOf(sent.body)).toMatchObject({ state: 'done' })
    expect(x.posts).toHaveLength(1)
  })

  it('is tried again while it is still its time when X was surely not reached', async () => {
    await using site = await socialWorld()
    const { admin, clock, x } = site
    const at = ISO(NOON + MINUTE)
    const plan = { ...PLAN, networks: ['x'], action: 'schedule', scheduled_at: at }
    const { id } = postOf((await admin.call('POST', POSTS, plan)).body)
    await x.down()
    clock.ms = NOON + MINUTE
    await site.work()
    const state = async () => postOf((await admin.call('GET', `${POSTS}/${id}`)).body)
    expect((await state()).results).toMatchObject([{ state: 'waiting', fault: 'unsent' }])
    await x.up()
    clock.ms += MINUTE
    await site.work()
    expect(await state()).toMatchObject({ state: 'done', results: [{ state: 'posted' }] })

    const next = postOf(
      (await admin.call('POST', POSTS, { ...plan, scheduled_at: ISO(clock.ms) })).body,
    )
    await x.down()
    for (let n = 0; n < 15; n += 1) {
      await site.work()
      clock.ms += MINUTE
    }
    const given = postOf((await admin.call('GET', `${POSTS}/${next.id}`)).body)
    expect(given).toMatchObject({ state: 'done', results: [{ state: 'failed', fault: 'unsent' }] })
    expect(x.posts).toHaveLength(1)
  })

  it('that makes no sense is refused with its field', async () => {
    await using site = await socialWorld()
    for (const [what, given, field] of [
      ['no time', {}, 'scheduled_at'],
      ['a time that is over', { scheduled_at: ISO(NOON - 10 * MINUTE) }, 'scheduled_at'],
      ['a time without a zone', { scheduled_at: '2026-11-21T12:00:00' }, 'scheduled_at'],
      ['a zone that is none', { scheduled_at: ISO(NOON + MINUTE), zone: 'Moon/Base' }, 'zone'],
      ['no text for X', { scheduled_at: ISO(NOON + MINUTE), x_text: '' }, 'x_text'],
      ['no network', { scheduled_at: ISO(NOON + MINUTE), networks: [] }, 'networks'],
      [
        'an unknown submission',
        { scheduled_at: ISO(NOON + MINUTE), submission_id: randomUUID() },
        'submission_id',
      ],
    ] as const) {
      const plan = { ...PLAN, action: 'schedule', ...given }
      const { status, body } = await site.admin.call('POST', POSTS, plan)
      const { fields = {} } = body as { fields?: Record<string, string> }
      expect([what, status, Object.keys(fields)]).toEqual([what, 400, [field]])
    }
  })

  it('can rest as a draft, which may be empty', async () => {
    await using site = await socialWorld()
    const { admin } = site
    const draft = { networks: ['x'], action: 'draft' }
    const { id } = postOf((await admin.call('POST', POSTS, draft)).body)
    expect((await admin.call('POST', `${POSTS}/${id}/send`, {})).status).toBe(400)
    await admin.call('PUT', `${POSTS}/${id}`, { ...draft, x_text: 'Written' })
    const list = await admin.call('GET', `${POSTS}?state=draft`)
    expect(list.body).toMatchObject({ posts: [{ id, x_text: 'Written', state: 'draft' }] })
    const sent = postOf((await admin.call('POST', `${POSTS}/${id}/send`, {})).body)
    expect(sent).toMatchObject({ state: 'done', results: [{ state: 'posted' }] })
  })
})

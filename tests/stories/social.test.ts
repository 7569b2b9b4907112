import { beginPosting, noteResult, takeResult } from '#server/publishing/posts.store.ts'
import { X_PROBLEMS, type XMood } from '#tests/support/stand-ins/x-server.ts'
import { form, MINUTE, NOON, postOf, socialWorld } from '#tests/support/social-world.ts'
import { PNG } from '#tests/support/pictures.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'

const POSTS = '/api/v1/admin/social/posts'

describe('a post on X', () => {
  it('a post on X goes out once, is reported truly, and is in the log of who did what', async () => {
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

  it('a post on X is sent, and its outcome written down, only by the process that holds its lease', async () => {
    await using site = await socialWorld()
    const { admin, database } = site
    const { db, pool } = database
    const { body } = await admin.call('POST', '/api/x/tweet', { text: 'Hello' })
    // As before it was sent.
    await pool.query(
      `update social_results set state = 'waiting', posting_at = null, next_try_at = $1`,
      [new Date(NOON).toISOString()],
    )
    const take = async (lease: string, at: number) => {
      const [now, until] = [at, at + MINUTE].map((ms) => new Date(ms).toISOString())
      const taken = await takeResult(db, { now: now ?? '', until: until ?? '', lease })
      if (!taken) throw new Error('nothing is due')
      return taken
    }
    const slow = await take(randomUUID(), NOON)
    expect(slow.postId).toBe(postOf(body).id)
    const next = await take(randomUUID(), NOON + 2 * MINUTE)
    const now = new Date(NOON + 2 * MINUTE).toISOString()
    const done = { state: 'posted', nextTryAt: null } as const
    expect(await beginPosting(db, slow, now)).toBe(false)
    expect(await noteResult(db, slow, done)).toBe(false)
    expect(await beginPosting(db, next, now)).toBe(true)
    expect(await noteResult(db, next, done)).toBe(true)
  })

  it('a post on X is not sent again under the same Idempotency-Key, however often it is asked for', async () => {
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
  it('a post on X shows what X answered, and is never tried twice by itself', async () => {
    await using site = await socialWorld()
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

  it('a post on X can be looked for, or sent again on purpose, when it is not known whether it is out', async () => {
    await using site = await socialWorld()
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

  it('a post on X is what an administrator saw there, and says so', async () => {
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

  it('a post on X is what an administrator saw there although X refused it as a second one', async () => {
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

describe('Nostr', () => {
  it('a note on Nostr shows for each relay what became of it', async () => {
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

  it('the very same note is sent again to relays that could not take it', async () => {
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

  it('the note is sent to the missing relays at once when an administrator asks for it', async () => {
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

  it('publishing refuses blank notes and what is no note', async () => {
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
  it('a site without keys says what is missing', async () => {
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

  it('publishing is only for administrators who are signed in', async () => {
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

describe('what X says of the account', () => {
  it('what X says of the account is asked for once, and kept', async () => {
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

  it('posting to X is closed until its window opens again', async () => {
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

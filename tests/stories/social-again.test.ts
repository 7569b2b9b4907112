import { sendOne } from '#server/publishing/send-posts.service.ts'
import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'
import { moodyRelay } from '#tests/support/stand-ins/moody-relay.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import {
  MINUTE,
  postOf,
  sendKit,
  socialWorld,
  type SocialWorld,
} from '#tests/support/social-world.ts'
import { testApp } from '#tests/support/test-app.ts'
import { describe, expect, it, vi } from 'vitest'

const POSTS = '/api/v1/admin/social/posts'
const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const BOTH = { networks: ['x', 'nostr'], x_text: 'On X', nostr_text: 'On Nostr' }

describe('another try', () => {
  it('another try reaches the network it is meant for and no other', async () => {
    await using site = await socialWorld()
    const { x, nostr, admin } = site
    nostr.answers.set('wss://b.example', 'later')
    x.mood.post = X_PROBLEMS.unauthorized
    const first = await admin.call('POST', POSTS, { ...BOTH, action: 'send' })
    const url = `${POSTS}/${postOf(first.body).id}/send`
    x.mood.post = 'well'
    nostr.answers.set('wss://b.example', 'accepted')
    const again = postOf((await admin.call('POST', url, { networks: ['nostr'] })).body)
    expect(again.results).toMatchObject([
      { network: 'x', state: 'failed', fault: 'keys' },
      { network: 'nostr', state: 'posted', relays: [{ state: 'accepted' }, { state: 'accepted' }] },
    ])
    expect(x.posts).toHaveLength(0)
    expect((await admin.call('POST', url, { networks: ['nostr'] })).status).toBe(409)
    const last = postOf((await admin.call('POST', url, { networks: ['x'] })).body)
    expect(last.results).toMatchObject([{ state: 'posted' }, { state: 'posted' }])
    expect(x.posts).toHaveLength(1)
    expect(nostr.sent).toHaveLength(3)
  })

  it('another try on Nostr does not wait for the answer to what became of it on X', async () => {
    await using site = await socialWorld()
    const { x, nostr, admin } = site
    for (const relay of nostr.relays) nostr.answers.set(relay, 'later')
    x.mood.post = 'store-and-close'
    const first = await admin.call('POST', POSTS, { ...BOTH, action: 'send' })
    const url = `${POSTS}/${postOf(first.body).id}/send`
    for (const relay of nostr.relays) nostr.answers.set(relay, 'accepted')
    expect((await admin.call('POST', url, {})).status).toBe(409)
    expect((await admin.call('POST', url, { networks: ['x'] })).status).toBe(409)
    const again = postOf((await admin.call('POST', url, { networks: ['nostr'] })).body)
    expect(again.results).toMatchObject([{ state: 'unknown' }, { state: 'posted' }])
    expect(x.posts).toHaveLength(1)
  })

  it('another try goes to relays that refused, too, and what they say then is kept', async () => {
    await using relay = await moodyRelay('refuses-notes')
    const clock = { ms: Date.now(), now: () => clock.ms }
    await using site = await testApp({
      clock,
      settings: { nostr: { privateKey: KEY, relays: [relay.url] } },
    })
    const admin = await signedIn(site)
    const first = await admin.call('POST', '/api/nostr/post', { content: 'Please' })
    expect(first.body).toMatchObject({ success: false, details: [{ state: 'refused' }] })
    relay.mood = 'takes'
    const { id, results } = postOf(first.body)
    const eventId = results[0]?.remote_id ?? ''
    const again = await admin.call('POST', `${POSTS}/${id}/send`, {})
    expect(postOf(again.body).results).toMatchObject([
      { state: 'posted', remote_id: eventId, relays: [{ state: 'accepted' }] },
    ])
    const known = await site.nostr.outbox?.resultsOf(eventId)
    expect(known).toMatchObject([{ relay: relay.url, state: 'accepted' }])
  })
})

describe('a note that a relay has', () => {
  const states = async (site: SocialWorld, id: string) =>
    postOf((await site.admin.call('GET', `${POSTS}/${id}`)).body).results

  it('a note that a relay has stays posted when the key is taken away before the others have it', async () => {
    await using site = await socialWorld()
    const { nostr, admin, clock } = site
    nostr.answers.set('wss://b.example', 'later')
    const { id } = postOf((await admin.call('POST', '/api/nostr/post', { content: 'Here' })).body)
    clock.ms += 5 * MINUTE
    const keyless = sendKit(site)
    expect(await sendOne(keyless)).toBe(true)
    expect(await states(site, id)).toMatchObject([
      { state: 'posted', error: null, next_try_at: null, relays: [{ state: 'accepted' }, {}] },
    ])
  })

  it('a note that a relay has is not said to be nowhere when it was sent and that could not be written down', async () => {
    await using site = await socialWorld()
    const { nostr, admin, clock } = site
    const { publish } = nostr
    const lost = vi.spyOn(nostr, 'publish').mockImplementation(async (...given) => {
      await publish(...given)
      throw new Error('the database is away')
    })
    const { id } = postOf((await admin.call('POST', '/api/nostr/post', { content: 'Here' })).body)
    expect(await states(site, id)).toMatchObject([
      { state: 'failed', error: expect.stringMatching(/relays may have it/) as string },
    ])
    lost.mockRestore()
    clock.ms += 3 * MINUTE
    await site.work()
    expect(await states(site, id)).toMatchObject([{ state: 'posted' }])
    expect(new Set(nostr.sent.map(({ event }) => event.id)).size).toBe(1)
  })
})

it('the site learns whose account it is also after posts that went out before it asked', async () => {
  await using site = await socialWorld()
  const { x, admin, clock } = site
  await admin.call('POST', '/api/x/tweet', { text: 'First' })
  x.mood.read = { status: 503 }
  // A post proves the keys, whatever else X does not say.
  expect((await admin.call('GET', '/api/x/test')).body).toMatchObject({
    success: true,
    handle: null,
  })
  x.mood.read = 'well'
  await admin.call('GET', '/api/x/test')
  const asked = () => x.requests.filter(({ operation }) => operation === '/2/users/me')
  expect(asked()).toHaveLength(1)
  clock.ms += 60 * MINUTE
  for (let n = 0; n < 3; n += 1) {
    expect((await admin.call('GET', '/api/x/test')).body).toMatchObject({ handle: 'the_site' })
  }
  expect(asked()).toHaveLength(2)
})

describe('two administrators at one post', () => {
  it('two administrators at one post do not overwrite, or send, unseen what the other one has written', async () => {
    await using site = await socialWorld()
    const { x, admin, clock } = site
    const draft = { ...BOTH, action: 'draft' }
    const made = postOf((await admin.call('POST', POSTS, draft)).body)
    const url = `${POSTS}/${made.id}`
    const seen_at = made.updated_at
    clock.ms += MINUTE
    const theirs = { ...draft, x_text: 'Theirs', seen_at }
    const changed = postOf((await admin.call('PUT', url, theirs)).body)
    const mine = await admin.call('PUT', url, { ...draft, x_text: 'Mine', seen_at })
    expect(mine).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await admin.call('POST', `${url}/send`, { seen_at })).status).toBe(409)
    expect(postOf((await admin.call('GET', url)).body)).toMatchObject({ x_text: 'Theirs' })
    // Twice within a millisecond is twice.
    const last = { ...draft, x_text: 'Last', seen_at: changed.updated_at }
    const kept = postOf((await admin.call('PUT', url, last)).body)
    expect((await admin.call('PUT', url, last)).status).toBe(409)
    const sent = await admin.call('POST', `${url}/send`, { seen_at: kept.updated_at })
    expect(postOf(sent.body)).toMatchObject({ state: 'done', x_text: 'Last' })
    expect(x.posts.map(({ text }) => text)).toEqual(['Last'])
    const late = await admin.call('POST', `${url}/cancel`)
    expect(late).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('already being sent') as string },
    })
  })

  it('two administrators change a plan and send it in one call, which is on record as the doing of the one who made it', async () => {
    await using site = await socialWorld()
    const { x, admin, clock } = site
    const other = await signedIn(site, 'Admin B')
    const at = new Date(clock.ms + MINUTE).toISOString()
    const plan = { ...BOTH, networks: ['x'], action: 'schedule', scheduled_at: at }
    const { id, updated_at } = postOf((await admin.call('POST', POSTS, plan)).body)
    const url = `${POSTS}/${id}/send`
    const mine = { ...BOTH, networks: ['x'], x_text: 'Mended' }
    const ask = { post: mine, seen_at: updated_at }
    const empty = { post: { ...mine, x_text: ' ' }, seen_at: updated_at }
    expect((await other.call('POST', url, empty)).status).toBe(400)
    const kept = postOf((await admin.call('GET', `${POSTS}/${id}`)).body)
    expect(kept, 'what is refused changes nothing').toMatchObject({
      state: 'scheduled',
      updated_at,
    })
    const sent = await other.call('POST', url, ask)
    expect(postOf(sent.body)).toMatchObject({
      state: 'done',
      x_text: 'Mended',
      created_by: 'Admin A',
    })
    expect((await other.call('POST', url, { post: mine })).status).toBe(409)
    expect(x.posts.map(({ text }) => text)).toEqual(['Mended'])
    const { rows } = await site.database.pool.query<{ username: string; action: string }>(
      "select username, action from audit_log where subject_kind = 'social post' order by id",
    )
    expect(rows).toEqual([
      { username: 'Admin A', action: 'post planned' },
      { username: 'Admin B', action: 'post sent' },
      { username: 'Admin B', action: 'posted on X' },
    ])
  })
})

it('the list of what is gone holds nothing that waits, and drafts take no room in it', async () => {
  await using site = await socialWorld()
  const { admin, clock } = site
  const sent = postOf((await admin.call('POST', '/api/x/tweet', { text: 'Out' })).body)
  const at = new Date(clock.ms + MINUTE).toISOString()
  await admin.call('POST', POSTS, { ...BOTH, action: 'draft', scheduled_at: at })
  await admin.call('POST', POSTS, { ...BOTH, action: 'schedule', scheduled_at: at })
  const list = await admin.call('GET', `${POSTS}?state=gone`)
  expect((list.body as { posts: object[] }).posts).toMatchObject([{ id: sent.id }])
  const drafts = await admin.call('GET', `${POSTS}?state=draft`)
  // A draft keeps the time that was chosen for it, and is not sent at it.
  expect(drafts.body).toMatchObject({ posts: [{ scheduled_at: at }] })
  clock.ms += 2 * MINUTE
  const { id } = (drafts.body as { posts: { id: string }[] }).posts[0] ?? { id: '' }
  await site.work()
  expect(postOf((await admin.call('GET', `${POSTS}/${id}`)).body).state).toBe('draft')
})

it('history is sorted by when posts went out, and its pages neither lose nor repeat any', async () => {
  await using site = await socialWorld()
  const { admin, clock } = site
  const draft = postOf(
    (await admin.call('POST', POSTS, { ...BOTH, networks: ['x'], action: 'draft' })).body,
  )
  const ids: string[] = []
  // All within one millisecond.
  for (const text of ['One', 'Two', 'Three']) {
    ids.push(postOf((await admin.call('POST', '/api/x/tweet', { text })).body).id)
  }
  clock.ms += MINUTE
  await admin.call('POST', `${POSTS}/${draft.id}/send`, {})
  const idsOf = async (query: string): Promise<readonly string[]> => {
    const { body } = await admin.call('GET', `${POSTS}?state=gone${query}`)
    return (body as { posts: { id: string }[] }).posts.map(({ id }) => id)
  }
  const all = await idsOf('')
  expect(all).toEqual([draft.id, ...ids.toSorted().toReversed()])
  const [, second = ''] = all
  const { scheduled_at: at } = postOf((await admin.call('GET', `${POSTS}/${second}`)).body)
  expect(await idsOf(`&before=${at ?? ''}&before_id=${second}`)).toEqual(all.slice(2))
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { reviewWaiting } from '#contracts/accounts.ts'
import { listPosts, postsToDecide, scheduledTweets } from '#contracts/publishing.ts'
import { socialAccount } from '#server/publishing/account.ts'
import { type Publisher } from '#server/publishing/ports.ts'
import { postDetail } from '#server/publishing/posts.service.ts'
import { SEND_LIMITS } from '#server/publishing/publishing-kit.ts'
import { beginDue, sendPart } from '#server/publishing/send-posts.service.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { audited } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import {
  callsOf,
  MINUTE,
  POSTS,
  postOf,
  sendKit,
  socialOfFile,
  type SocialWorld,
} from '#tests/support/social-world.ts'
import { X_KEYS, X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'
import { SILENT } from '#tests/support/test-site.ts'

const world = socialOfFile()
const { call, post, tweet, shown: visible } = callsOf(world)

const BOTH = { networks: ['x', 'nostr'], x_text: 'On X', nostr_text: 'On Nostr' }
const PLAN = { ...BOTH, action: 'schedule' }

const iso = (ms: number): string => new Date(ms).toISOString()
/** A time so many minutes from now. */
const inMinutes = (minutes: number): string => iso(world().clock.ms + minutes * MINUTE)
const planned = async () => (await world().admin.read(scheduledTweets)).tweets
const listed = async (query: string) => (await world().admin.read(listPosts, query)).posts

describe('a plan', () => {
  it('is stored, changed, cancelled, and sent once at its time by any process', async () => {
    const { admin, clock, x, nostr, work } = world()
    const schedule = { ...PLAN, zone: 'Europe/Berlin', scheduled_at: inMinutes(60) }
    const made = await post(schedule)
    expect(made).toMatchObject({ state: 'scheduled', zone: 'Europe/Berlin' })
    expect(made.scheduled_at).toBe(schedule.scheduled_at)
    const other = await post(schedule)
    await call(`/${other.id}/cancel`)
    const edit = { ...schedule, x_text: 'Edited', scheduled_at: inMinutes(90) }
    await admin.call('PUT', `${POSTS}/${made.id}`, edit)
    expect(await planned()).toMatchObject([
      { id: made.id, x_text: 'Edited', scheduled_at: edit.scheduled_at },
    ])
    expect(await audited(world(), `action = 'post edited'`)).toMatchObject([
      { before: { x_text: PLAN.x_text, pictures: [] }, after: { x_text: 'Edited' } },
    ])
    clock.ms += 89 * MINUTE
    await work()
    expect(x.posts).toHaveLength(0)
    clock.ms += MINUTE
    await Promise.all([work(), work(), work()])
    expect(x.posts.map((one) => one.text)).toEqual(['Edited'])
    expect(nostr.sent.map((one) => one.event.content)).toEqual(['On Nostr', 'On Nostr'])
    expect((await admin.call('PUT', `${POSTS}/${made.id}`, edit)).status).toBe(409)
    for (const path of [`/${made.id}/cancel`, `/${made.id}/send`, `/${other.id}/send`]) {
      expect((await call(path)).status).toBe(409)
    }
    expect((await admin.call('GET', '/api/x/scheduling-stats')).body).toMatchObject({
      stats: {
        scheduled: 0,
        cancelled: 1,
        posted: 2,
        posted_last_24h: 1,
        posted_on_x_last_24h: 1,
        cost_last_30d_usd: 0.015,
      },
    })
  })

  it('that missed its time is asked about instead of sent late', async () => {
    const { clock, x, work } = world()
    const { id } = await post({ ...PLAN, scheduled_at: inMinutes(1) })
    clock.ms += 12 * MINUTE
    await work()
    expect(x.posts).toHaveLength(0)
    expect(await planned()).toMatchObject([{ id, state: 'missed' }])
    expect(await post({}, `/${id}/send`)).toMatchObject({ state: 'done' })
    expect(x.posts).toHaveLength(1)
  })

  it('is retried within its time if X was certainly not reached', async () => {
    const { clock, x, work } = world()
    const plan = { ...PLAN, networks: ['x'] }
    const { id } = await post({ ...plan, scheduled_at: inMinutes(1) })
    await x.down()
    clock.ms += MINUTE
    await work()
    expect((await visible(id)).results).toMatchObject([{ state: 'waiting', fault: 'unsent' }])
    await x.up()
    clock.ms += MINUTE
    await work()
    expect(await visible(id)).toMatchObject({ state: 'done', results: [{ state: 'posted' }] })

    const next = await post({ ...plan, scheduled_at: inMinutes(0) })
    await x.down()
    for (const minutes of [0, 11]) {
      clock.ms += minutes * MINUTE
      await work()
    }
    await x.up()
    const failed = { state: 'failed', fault: 'unsent' }
    expect(await visible(next.id)).toMatchObject({ state: 'done', results: [failed] })
    expect(x.posts).toHaveLength(1)
  })

  it('is refused with its field if it makes no sense', async () => {
    const time = { scheduled_at: inMinutes(1) }
    for (const [input, field] of [
      [{}, 'scheduled_at'],
      [{ scheduled_at: inMinutes(-10) }, 'scheduled_at'],
      [{ scheduled_at: '2027-11-21T12:00:00' }, 'scheduled_at'],
      [{ ...time, zone: 'Moon/Base' }, 'zone'],
      [{ ...time, x_text: '' }, 'x_text'],
      [{ ...time, networks: [] }, 'networks'],
      [{ ...time, networks: ['bluesky'], bluesky_text: 'a'.repeat(301) }, 'bluesky_text'],
      [{ ...time, submission_id: randomUUID() }, 'submission_id'],
    ] as const) {
      const { status, body } = await call('', { ...PLAN, ...input })
      const { fields = {} } = body as { fields?: Record<string, string> }
      expect([input, status, Object.keys(fields)]).toEqual([input, 400, [field]])
    }
  })

  it('can be saved as a draft, which may be empty', async () => {
    const draft = { networks: ['x'], action: 'draft' }
    const { id } = await post(draft)
    expect((await call(`/${id}/send`)).status).toBe(400)
    await world().admin.call('PUT', `${POSTS}/${id}`, { ...draft, x_text: 'Written' })
    const drafts = await listed('?state=draft')
    expect(drafts).toMatchObject([{ id, x_text: 'Written', state: 'draft' }])
    const sent = await post({}, `/${id}/send`)
    expect(sent).toMatchObject({ state: 'done', results: [{ state: 'posted' }] })
  })
})

it('a post being sent shows when its outcome is known', async () => {
  const { clock, database, sending, x } = world()
  const [asks, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Another process of the site, slow to ask X.
  const real = xPublisher({ url: x.url, keys: X_KEYS, clock, callLimit: x.callLimit })
  const publisher: Publisher = {
    ...real,
    post: async (one, on) => {
      reached.resolve()
      await asks.promise
      return real.post(one, on)
    },
  }
  const kit = { db: database.db, clock, log: SILENT }
  const account = socialAccount(kit, 'x', { publisher, keyHash: 'keys' })
  const slow = sendKit(world(), { x: account })
  const plan = { networks: ['x'], x_text: 'Once', nostr_text: '', action: 'schedule' }
  const { id } = await post({ ...plan, scheduled_at: inMinutes(1) })
  clock.ms += MINUTE
  await beginDue(slow)
  const late = sendPart(slow, id, 'x')
  await reached.promise
  const known = async () => (await visible(id)).results[0]?.known_at
  const end = iso(clock.ms + SEND_LIMITS.takenForMs)
  // Another process may still be sending it; one with its own database knows at once after a restart.
  expect(await known()).toBeNull()
  const detail = (aloneSinceMs: number) => postDetail({ ...sending, aloneSinceMs }, id)
  expect((await detail(clock.ms)).results[0]?.known_at).toBeNull()
  expect((await detail(clock.ms + 1)).results[0]?.known_at).toBe(end)
  clock.ms += SEND_LIMITS.sendWithinMs
  expect(await known()).toBeNull()
  clock.ms += 1
  expect(await known()).toBe(end)
  asks.resolve()
  await late
  expect(await known()).toBeNull()
})

describe('two administrators at one post', () => {
  it('neither overwrite nor send unseen changes of the other', async () => {
    const { x, admin, clock } = world()
    const draft = { ...BOTH, action: 'draft' }
    const { id, updated_at: seen_at } = await post(draft)
    const url = `${POSTS}/${id}`
    clock.ms += MINUTE
    const theirs = { ...draft, x_text: 'Theirs', seen_at }
    const changed = postOf((await admin.call('PUT', url, theirs)).body)
    const mine = await admin.call('PUT', url, { ...draft, x_text: 'Mine', seen_at })
    expect(mine).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await call(`/${id}/send`, { seen_at })).status).toBe(409)
    expect(await visible(id)).toMatchObject({ x_text: 'Theirs' })
    // Twice within a millisecond is still twice.
    const last = { ...draft, x_text: 'Last', seen_at: changed.updated_at }
    await admin.call('PUT', url, last)
    expect((await admin.call('PUT', url, { ...last, x_text: 'Later' })).status).toBe(409)
    // The same request again is idempotent: the first reply may have been lost.
    const stored = postOf((await admin.call('PUT', url, last)).body)
    expect(stored.x_text).toBe('Last')
    // The same texts at another time are not the same.
    const plan = { ...PLAN, scheduled_at: inMinutes(5) }
    const moved = await post(plan)
    clock.ms += MINUTE
    const known = { ...plan, seen_at: moved.updated_at }
    const move = (scheduled_at: string) =>
      admin.call('PUT', `${POSTS}/${moved.id}`, { ...known, scheduled_at })
    expect((await move(inMinutes(90))).status).toBe(200)
    expect((await move(plan.scheduled_at)).status).toBe(409)
    await call(`/${moved.id}/cancel`)
    // A plan that became a draft stays one, whatever a stale screen says.
    const back = await post(plan)
    const put = (body: object) => admin.call('PUT', `${POSTS}/${back.id}`, { ...plan, ...body })
    const again = { seen_at: back.updated_at }
    expect((await put({ ...again, action: 'draft' })).status).toBe(200)
    expect((await put(again)).status).toBe(409)
    expect(await visible(back.id)).toMatchObject({ state: 'draft' })
    const sent = await post({ seen_at: stored.updated_at }, `/${id}/send`)
    expect(sent).toMatchObject({ state: 'done', x_text: 'Last' })
    expect(x.posts.map(({ text }) => text)).toEqual(['Last'])
    expect(await call(`/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('already being sent') as string },
    })
  })

  it('change a plan and send it in one call, which is logged under the one who made it', async () => {
    const { x } = world()
    const other = await signedIn(world(), 'Admin B')
    const plan = { ...PLAN, networks: ['x'], scheduled_at: inMinutes(1) }
    const { id, updated_at } = await post(plan)
    const url = `${POSTS}/${id}/send`
    const mine = { ...BOTH, networks: ['x'], x_text: 'Mended' }
    const empty = { post: { ...mine, x_text: ' ' }, seen_at: updated_at }
    expect((await other.call('POST', url, empty)).status).toBe(400)
    const stored = { state: 'scheduled', updated_at }
    expect(await visible(id), 'what is refused changes nothing').toMatchObject(stored)
    const sent = await other.call('POST', url, { post: mine, seen_at: updated_at })
    const mended = { state: 'done', x_text: 'Mended', created_by: 'Admin A' }
    expect(postOf(sent.body)).toMatchObject(mended)
    const again = await other.call('POST', url, { post: mine, seen_at: updated_at })
    expect(postOf(again.body)).toMatchObject(mended)
    const more = { ...mine, x_text: 'Mended again' }
    expect((await other.call('POST', url, { post: more })).status).toBe(409)
    expect(x.posts.map(({ text }) => text)).toEqual(['Mended'])
    expect(await audited(world(), `subject_kind = 'social post'`)).toMatchObject([
      { username: 'Admin A', action: 'post planned' },
      { username: 'Admin B', action: 'post sent' },
      { username: 'Admin B', action: 'posted on X' },
    ])
  })
})

it('the list of past posts contains nothing pending, and a draft is not sent at its time', async () => {
  const { clock, work } = world()
  const sent = await tweet('Out')
  const scheduled_at = inMinutes(1)
  await post({ ...BOTH, action: 'draft', scheduled_at })
  await post({ ...PLAN, scheduled_at })
  expect(await listed('?state=gone')).toMatchObject([{ id: sent.id }])
  // A draft keeps its chosen time, but is not sent then.
  const drafts = await listed('?state=draft')
  expect(drafts).toMatchObject([{ scheduled_at }])
  clock.ms += 2 * MINUTE
  await work()
  expect((await visible(drafts[0]?.id ?? '')).state).toBe('draft')
})

it('lists of posts are sorted by when they went out, and their pages neither lose nor repeat any', async () => {
  const draft = await post({ ...BOTH, networks: ['x'], action: 'draft' })
  const ids: string[] = []
  // All within one millisecond.
  for (const text of ['One', 'Two', 'Three']) ids.push((await tweet(text)).id)
  world().clock.ms += MINUTE
  await call(`/${draft.id}/send`)
  await post({ ...PLAN, scheduled_at: inMinutes(1) })
  const idsOf = async (query: string) => (await listed(`?state=gone${query}`)).map(({ id }) => id)
  const all = await idsOf('')
  expect(all).toEqual([draft.id, ...ids.toSorted().toReversed()])
  const [, second = ''] = all
  const { scheduled_at: at } = await visible(second)
  expect(await idsOf(`&before=${at ?? ''}&before_id=${second}`)).toEqual(all.slice(2))
})

it('missed, failed and unknown posts wait in one counted list until a person has decided each', async () => {
  const { admin, clock, x, nostr, work } = world()
  const ON_X = { networks: ['x'], action: 'send' }
  const inMenu = async (of: SocialWorld['admin']) => (await of.read(reviewWaiting)).to_do.posts
  const toDecide = async (): Promise<string[]> => {
    const { count, posts } = await admin.read(postsToDecide)
    expect(posts).toHaveLength(count)
    return posts.map((one) => one.x_text).toSorted()
  }
  await post({ ...ON_X, x_text: 'Fine' })
  expect(await inMenu(admin)).toBe(0)
  x.behaviour.post = X_PROBLEMS.unauthorized
  const failed = await post({ ...ON_X, x_text: 'Failed' })
  x.behaviour.post = 'store-and-close'
  nostr.answer('refused')
  const unknown = await post({ ...BOTH, action: 'send', x_text: 'Unknown' })
  expect(unknown.results).toMatchObject([{ state: 'unknown' }, { state: 'failed' }])
  x.behaviour.post = 'well'
  const plan = { ...ON_X, action: 'schedule', scheduled_at: inMinutes(1) }
  const missed = await post({ ...plan, x_text: 'Missed' })
  await post({ ...plan, x_text: 'To come', scheduled_at: inMinutes(10_000) })
  clock.ms += 20 * MINUTE
  await work()
  expect(await toDecide()).toEqual(['Failed', 'Missed', 'Unknown'])
  expect(await inMenu(admin)).toBe(3)

  // People who may not see posts get no count.
  expect(await inMenu(await signedIn(world(), 'Reviewer', 'reviewer'))).toBeNull()

  // A post that may be out is searched for first.
  expect((await call(`/${unknown.id}/leave`)).status).toBe(409)
  expect((await call(`/${missed.id}/leave`)).status).toBe(409)
  await post({ posted: false }, `/${unknown.id}/mark`)
  expect(await inMenu(admin)).toBe(3)
  expect((await post({}, `/${unknown.id}/leave`)).left_at).not.toBeNull()
  await post({}, `/${missed.id}/cancel`)
  expect(await toDecide()).toEqual(['Failed'])
  await post({}, `/${failed.id}/leave`)
  expect(await inMenu(admin)).toBe(0)

  // Sent again and failed again, it waits again.
  x.behaviour.post = X_PROBLEMS.unauthorized
  expect((await post({}, `/${failed.id}/send`)).left_at).toBeNull()
  expect(await toDecide()).toEqual(['Failed'])
})

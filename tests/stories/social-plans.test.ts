import { type SocialPost } from '#contracts/publishing.ts'
import { xPublisher } from '#server/publishing/x/publish-x.ts'
import { type XPublisher } from '#server/publishing/ports.ts'
import { postDetail } from '#server/publishing/post-changes.service.ts'
import { SEND_LIMITS } from '#server/publishing/publishing-kit.ts'
import { sendOne, sendPart } from '#server/publishing/send-posts.service.ts'
import { xAccount } from '#server/publishing/x/x-account.service.ts'
import {
  MINUTE,
  NOON,
  postOf,
  sendKit,
  socialWorld,
  type SocialWorld,
} from '#tests/support/social-world.ts'
import { X_KEYS } from '#tests/support/stand-ins/x-server.ts'
import { until } from '#tests/support/waiting.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'

const ISO = (ms: number): string => new Date(ms).toISOString()
const POSTS = '/api/v1/admin/social/posts'

describe('a plan', () => {
  const PLAN = { networks: ['x', 'nostr'], x_text: 'On X', nostr_text: 'On Nostr' }
  const planned = (body: unknown): SocialPost[] => (body as { tweets: SocialPost[] }).tweets

  it('a plan is kept, changed, taken back, and carried out once at its time by any process', async () => {
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
        posted_last_24h: 1,
        posted_on_x_last_24h: 1,
        cost_last_30d_usd: 0.015,
      },
    })
  })

  it('a plan that missed its time is asked about instead of sent late', async () => {
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

  it('a plan is tried again while it is still its time when X was surely not reached', async () => {
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

  it('a plan that makes no sense is refused with its field', async () => {
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

  it('a plan can rest as a draft, which may be empty', async () => {
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

describe('a process that has lost its lease', () => {
  const TAKEN_MS = SEND_LIMITS.takenForMs

  /** Another process of a site, which asks X only once its gate is open, and hears the answer only once the second one is. */
  function slowProcess(site: SocialWorld) {
    const { database, clock, x } = site
    const [asks, hears] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reached = { asking: false, asked: false }
    const real = xPublisher({ url: x.url, keys: X_KEYS, clock, callLimit: x.callLimit })
    const publisher: XPublisher = {
      ...real,
      post: async (post, on) => {
        reached.asking = true
        await asks.promise
        const outcome = await real.post(post, on)
        reached.asked = true
        await hears.promise
        return outcome
      },
    }
    const account = xAccount({ db: database.db, clock, publisher, keyHash: 'keys' })
    return { sending: sendKit(site, { x: account }), reached, asks, hears }
  }

  async function stateOf({ database }: SocialWorld): Promise<unknown[]> {
    return (await database.pool.query('select state from social_results')).rows
  }

  async function due(site: SocialWorld): Promise<string> {
    const plan = { networks: ['x'], x_text: 'Once', nostr_text: '', action: 'schedule' }
    const at = ISO(NOON + MINUTE)
    const made = await site.admin.call('POST', POSTS, { ...plan, scheduled_at: at })
    site.clock.ms = NOON + MINUTE
    return postOf(made.body).id
  }

  it('a process that has lost its lease does not post what another one is about to post', async () => {
    await using site = await socialWorld()
    await due(site)
    const [first, second] = [slowProcess(site), slowProcess(site)]
    const late = sendOne(first.sending)
    await until(() => first.reached.asking)
    site.clock.ms += TAKEN_MS
    const taken = sendOne(second.sending)
    await until(() => second.reached.asking)
    first.asks.resolve()
    first.hears.resolve()
    await late
    expect(site.x.posts).toHaveLength(0)
    second.asks.resolve()
    second.hears.resolve()
    await taken
    expect(site.x.posts.map((one) => one.text)).toEqual(['Once'])
  })

  it('a post that a stopped process was sending says so, and when it is known what became of it', async () => {
    await using site = await socialWorld()
    const id = await due(site)
    const first = slowProcess(site)
    const late = sendOne(first.sending)
    await until(() => first.reached.asking)
    const known = async () =>
      postOf((await site.admin.call('GET', `${POSTS}/${id}`)).body).results[0]?.known_at
    const end = ISO(site.clock.ms + TAKEN_MS)
    // Another process may still be sending it; one that shares its database with none knows at once after a restart.
    expect(await known()).toBeNull()
    const detail = (aloneSinceMs: number) => postDetail({ ...site.sending, aloneSinceMs }, id)
    expect((await detail(site.clock.ms)).results[0]?.known_at).toBeNull()
    expect((await detail(site.clock.ms + 1)).results[0]?.known_at).toBe(end)
    site.clock.ms += SEND_LIMITS.sendWithinMs
    expect(await known()).toBeNull()
    site.clock.ms += 1
    expect(await known()).toBe(end)
    first.asks.resolve()
    first.hears.resolve()
    await late
    expect(await known()).toBeNull()
  })

  it('a process that has lost its lease does not take again what it has perhaps posted, also when an administrator asks', async () => {
    await using site = await socialWorld()
    const id = await due(site)
    const first = slowProcess(site)
    const late = sendOne(first.sending)
    first.asks.resolve()
    await until(() => first.reached.asked)
    site.clock.ms += TAKEN_MS
    await sendPart(site.sending, id, 'x')
    expect(site.x.posts).toHaveLength(1)
    await site.work()
    expect(await stateOf(site)).toEqual([{ state: 'unknown' }])
    // It was only slow: what X said to it is kept.
    first.hears.resolve()
    await late
    expect(await stateOf(site)).toEqual([{ state: 'posted' }])
    expect(site.x.posts).toHaveLength(1)
  })
})

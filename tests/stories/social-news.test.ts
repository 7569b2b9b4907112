import { closesFile, entry } from '#tests/support/builders.ts'
import { SUBMISSION } from '#tests/support/payment-world.ts'
import { type SignedInBrowser } from '#tests/support/sign-in.ts'
import {
  MINUTE,
  postOf,
  sendKit,
  socialWorld,
  type SocialWorld,
} from '#tests/support/social-world.ts'
import { planAutomatic } from '#server/publishing/automatic-posts.service.ts'
import { type PublishingKit } from '#server/publishing/publishing-kit.ts'
import { endPost } from '#server/publishing/end-posts.service.ts'
import { addPost } from '#server/publishing/posts.store.ts'
import { type SocialPost } from '#contracts/publishing.ts'
import { postWeight } from '#domain/publishing/post-length.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'

const POSTS = '/api/v1/admin/social/posts'
const SETTINGS = '/api/v1/admin/social/settings'

async function submission(admin: SignedInBrowser, given: object = {}): Promise<string> {
  const answer = await admin.call('POST', '/api/submissions', { ...SUBMISSION, ...given })
  const { submission: made } = answer.body as { submission: { id: string } }
  return made.id
}

async function reviewed(site: SocialWorld, id: string) {
  const { rows } = await site.database.pool.query<Record<string, unknown>>(
    'select status, admin_comment, prediction_made::text, decided_by, prediction_id from submissions where id = $1',
    [id],
  )
  return rows[0]
}

describe('a post made from an open submission', () => {
  it('a post made from an open submission approves it, once it is out', async () => {
    await using site = await socialWorld()
    const { admin, x } = site
    const id = await submission(admin, { prediction_made: '2026-11-10' })
    x.mood.post = { status: 403 }
    const tweet = { text: 'Look at this', submission_id: id }
    const failed = postOf((await admin.call('POST', '/api/x/tweet', tweet)).body)
    expect(failed.approval).toMatchObject({ state: 'waiting' })
    expect(await reviewed(site, id)).toMatchObject({ status: 'pending' })
    x.mood.post = 'well'
    const sent = postOf((await admin.call('POST', `${POSTS}/${failed.id}/send`, {})).body)
    expect(sent.approval).toEqual({ state: 'done', error: null })
    expect(await reviewed(site, id)).toMatchObject({
      status: 'approved',
      admin_comment: 'Posted to social media: X',
      prediction_made: '2026-11-10',
      decided_by: 'Admin A',
      prediction_id: expect.any(String) as string,
    })
  })

  it('a post made from an open submission names both networks, also when a plan carries it out', async () => {
    await using site = await socialWorld()
    const { admin, clock } = site
    const id = await submission(admin)
    const at = new Date(clock.ms + MINUTE).toISOString()
    const plan = { networks: ['x', 'nostr'], x_text: 'a', nostr_text: 'b', submission_id: id }
    await admin.call('POST', POSTS, { ...plan, action: 'schedule', scheduled_at: at })
    expect(await reviewed(site, id)).toMatchObject({ status: 'pending' })
    clock.ms += MINUTE
    await site.work()
    expect(await reviewed(site, id)).toMatchObject({
      status: 'approved',
      admin_comment: 'Posted to social media: X and Nostr',
    })
  })

  it('a post made from an open submission does not wait for others that end at the same moment, more than there are connections', async () => {
    await using site = await socialWorld()
    const { admin, clock, nostr } = site
    const { db } = site.database
    const answer = postOf((await admin.call('POST', '/api/x/tweet', { text: 'One' })).body)
    const submissionId = await submission(admin)
    const ids = Array.from({ length: 12 }, () => randomUUID())
    const { rows } = await site.database.pool.query<{ created_by: number }>(
      'select created_by from social_posts where id = $1',
      [answer.id],
    )
    for (const id of ids) {
      const at = new Date(clock.ms).toISOString()
      await addPost(db, {
        id,
        kind: 'manual',
        state: 'sending',
        networks: ['x'],
        pictures: [],
        submissionId,
        approval: 'waiting',
        scheduledAt: at,
        createdBy: Number(rows[0]?.created_by),
        createdAt: at,
        updatedAt: at,
      })
      await site.database.pool.query(
        `insert into social_results (post_id, network, state) values ($1, 'x', 'posted')`,
        [id],
      )
    }
    const approved: string[] = []
    const sending = sendKit(site, {
      nostr,
      approve: async (_, id) => {
        await db.execute('select pg_sleep(0.02)')
        approved.push(id)
        return { ok: true }
      },
    })
    await Promise.all(ids.map((id) => endPost(sending, id)))
    expect(approved).toHaveLength(12)
  })

  it('a post made from an open submission shows as sent although the submission cannot be looked after at once', async () => {
    await using site = await socialWorld()
    const { admin } = site
    const id = await submission(admin)
    // Whatever keeps an approval from being written is no word about the post.
    await site.database.pool.query(
      `alter table submissions add constraint no_approval check (status <> 'approved')`,
    )
    const sent = await admin.call('POST', '/api/x/tweet', { text: 'Out', submission_id: id })
    expect(sent).toMatchObject({ status: 200, body: { success: true } })
    expect(postOf(sent.body).approval).toMatchObject({ state: 'waiting' })
    await site.database.pool.query('alter table submissions drop constraint no_approval')
    await site.work()
    expect(await reviewed(site, id)).toMatchObject({ status: 'approved' })
    expect(site.x.posts).toHaveLength(1)
  })

  it('a post made from an open submission is kept also when the submission cannot be approved, and says why', async () => {
    await using site = await socialWorld()
    const { admin } = site
    const id = await submission(admin)
    const url = `/api/admin/prediction_submissions/${id}`
    await admin.call('PUT', url, { status: 'rejected', admin_comment: 'No.' })
    const sent = await admin.call('POST', '/api/nostr/post', { content: 'a', submission_id: id })
    expect(sent.body).toMatchObject({ success: true })
    expect(postOf(sent.body).approval).toMatchObject({ state: 'failed' })
    expect(postOf(sent.body).approval?.error).not.toBeNull()
    expect(await reviewed(site, id)).toMatchObject({ status: 'rejected' })
  })

  it('a post about an open submission does not approve it where something grave has to be seen first', async () => {
    await using site = await socialWorld()
    const { admin } = site
    const id = await submission(admin, { notes: 'More at scam.example.com' })
    const sent = await admin.call('POST', '/api/nostr/post', { content: 'a', submission_id: id })
    expect(postOf(sent.body).approval).toEqual({
      state: 'failed',
      error: expect.stringContaining('There is a link in the notes of the submitter'),
    })
    expect(await reviewed(site, id)).toMatchObject({ status: 'pending' })
  })
})

/** A record with one prediction of each name, open until a price of 150 comes. */
async function record(site: SocialWorld, names: readonly string[]): Promise<void> {
  await site.imports.prices('btc', closesFile('2024-01-01', [100, 110, 120]), 'test')
  const predictions = names.map((name) =>
    entry(name.slice(-1).toLowerCase(), {
      expert_name: name,
      prediction_made: '2024-01-02',
      target_time: '2027-01-10',
    }),
  )
  await site.imports.predictions(JSON.stringify(predictions))
  await site.refresh()
}

async function priceComes(site: SocialWorld): Promise<void> {
  await site.imports.prices('btc', closesFile('2024-01-04', [151, 152]), 'test')
  await site.refresh()
}

describe('texts from the record', () => {
  it('texts from the record are offered for a prediction and for its verdict, with what they cost', async () => {
    await using site = await socialWorld()
    const { admin } = site
    await record(site, ['Expert A'])
    const compose = async (news: string, link = 'false') => {
      const url = `/api/v1/admin/social/compose?prediction_id=a&news=${news}&link=${link}`
      return (await admin.call('GET', url)).body
    }
    expect(await compose('prediction')).toMatchObject({
      asset: 'btc',
      x_text: expect.stringContaining('$BTC reaches $150 by 10/01/2027') as string,
      nostr_text: expect.stringContaining('http://localhost:3001/predictions/a') as string,
      x_cost_usd: 0.015,
    })
    expect(await compose('verdict')).toMatchObject({ x_text: null, nostr_text: null })
    await priceComes(site)
    const composed = (await compose('verdict', 'true')) as { x_text: string; x_weight: number }
    expect(composed.x_text).toMatch(/^SUCCESS: Expert A said 3 years ago that \$BTC/)
    // X takes localhost for no link.
    expect(composed).toMatchObject({ x_weight: postWeight(composed.x_text), x_cost_usd: 0.015 })
    expect(
      (await admin.call('GET', '/api/v1/admin/social/compose?prediction_id=none&news=verdict'))
        .status,
    ).toBe(404)
  })
})

describe('automatic posts about verdicts', () => {
  const ON = {
    auto_verdicts: true,
    auto_networks: ['x', 'nostr', 'bluesky'],
    auto_with_link: false,
    auto_daily_cap: 2,
  }

  /** Verdicts carry the database's time, so these stories run at it. */
  const today = () => socialWorld({ startMs: Date.now() })

  /** Plans them as the server does in the background, but without charts. */
  function plan(
    site: SocialWorld,
    networks: Partial<Pick<PublishingKit, 'x' | 'nostr' | 'bluesky'>> = {},
  ) {
    const drawChart = () => Promise.reject(new Error('charts cannot be drawn'))
    return planAutomatic({ ...site.publishing.kit, ...networks, drawChart })
  }

  const written = async (admin: SignedInBrowser): Promise<SocialPost[]> =>
    ((await admin.call('GET', POSTS)).body as { posts: SocialPost[] }).posts

  it('automatic posts about verdicts are off until an administrator turns them on, and then announce each verdict once, up to the cap', async () => {
    await using site = await today()
    const { admin } = site
    await record(site, ['Expert A', 'Expert B', 'Expert C'])
    expect((await admin.call('GET', SETTINGS)).body).toMatchObject({
      auto_verdicts: false,
      changed_by: null,
    })
    await priceComes(site)
    expect(await plan(site)).toBe(0)

    await using later = await today()
    await record(later, ['Expert A', 'Expert B', 'Expert C'])
    const on = await later.admin.call('PUT', SETTINGS, ON)
    expect(on.body).toMatchObject({ auto_verdicts: true, changed_by: 'Admin A' })
    expect(await plan(later)).toBe(0)
    await priceComes(later)
    const counts = await Promise.all([plan(later), plan(later), plan(later)])
    expect(counts.reduce((sum, one) => sum + one)).toBe(2)
    expect(await plan(later)).toBe(0)
    const posts = await written(later.admin)
    expect(new Set(posts.map((one) => one.prediction_id)).size).toBe(2)
    // A larger cap lets out what it held back; turning it off and on starts again.
    await later.followDatabase()
    await later.admin.call('PUT', SETTINGS, { ...ON, auto_daily_cap: 3 })
    expect(await plan(later)).toBe(1)
    for (const post of posts) {
      expect(post).toMatchObject({ kind: 'verdict', automatic: true, state: 'scheduled' })
      expect(post.x_text).toMatch(/^SUCCESS: /)
      expect(post.bluesky_text).toMatch(
        /^SUCCESS: .* BTC [^]*\n\nhttp:\/\/localhost:3001\/predictions\//,
      )
    }
    await later.followDatabase()
    await later.work()
    expect(later.x.posts).toHaveLength(3)
  })

  it('automatic posts about verdicts of a time when they were off stay unsaid', async () => {
    await using site = await today()
    await record(site, ['Expert A'])
    await site.admin.call('PUT', SETTINGS, ON)
    await site.admin.call('PUT', SETTINGS, { ...ON, auto_verdicts: false })
    await priceComes(site)
    expect(await plan(site)).toBe(0)
    await site.followDatabase()
    await site.admin.call('PUT', SETTINGS, ON)
    expect(await plan(site)).toBe(0)
  })

  it('automatic posts about verdicts go to what is set up only, and take no settings that make no sense', async () => {
    await using site = await today()
    await record(site, ['Expert A'])
    await site.admin.call('PUT', SETTINGS, ON)
    await priceComes(site)
    expect(await plan(site, { x: null, nostr: null, bluesky: null })).toBe(0)
    expect(await plan(site, { x: null, bluesky: null })).toBe(1)
    expect(await written(site.admin)).toMatchObject([{ networks: ['nostr'] }])
    for (const bad of [{ auto_daily_cap: 0 }, { auto_daily_cap: 1_000 }, { auto_networks: [] }]) {
      const answer = await site.admin.call('PUT', SETTINGS, { ...ON, ...bad })
      expect(answer.status).toBe(400)
    }
  })
})

import { type SocialPost } from '#contracts/publishing.ts'
import { postWeight } from '#domain/publishing/post-length.ts'
import { planAutomatic } from '#server/publishing/news.service.ts'
import { type PublishingKit } from '#server/publishing/publishing-kit.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { SUBMISSION } from '#tests/support/payment-world.ts'
import { callsOf, MINUTE, POSTS, postOf, socialOfFile } from '#tests/support/social-world.ts'
import { describe, expect, it } from 'vitest'

const SOCIAL = '/api/v1/admin/social'
const SETTINGS = `${SOCIAL}/settings`

/** Verdicts have the database's time, so these stories use it, too. */
const world = socialOfFile({ startMs: Date.now() })
const { post, tweet } = callsOf(world)

describe('a post made from an open submission', () => {
  async function submission(overrides: object = {}): Promise<string> {
    const request = { ...SUBMISSION, ...overrides }
    const { body } = await world().admin.call('POST', '/api/submissions', request)
    return (body as { submission: { id: string } }).submission.id
  }
  async function reviewed(id: string) {
    const { rows } = await world().database.pool.query<Record<string, unknown>>(
      'select status, admin_comment, prediction_made::text, decided_by, prediction_id from submissions where id = $1',
      [id],
    )
    return rows[0]
  }
  const note = async (submission_id: string) => {
    const request = { content: 'a', submission_id }
    return (await world().admin.call('POST', '/api/nostr/post', request)).body
  }

  it('approves it once it is published', async () => {
    const { x } = world()
    const id = await submission({ prediction_made: '2026-11-10' })
    x.behaviour.post = { status: 403 }
    const failed = await tweet('Look at this', { submission_id: id })
    expect(failed.approval).toMatchObject({ state: 'waiting' })
    expect(await reviewed(id)).toMatchObject({ status: 'pending' })
    x.behaviour.post = 'well'
    expect((await post({}, `/${failed.id}/send`)).approval).toEqual({ state: 'done', error: null })
    expect(await reviewed(id)).toMatchObject({
      status: 'approved',
      admin_comment: 'Posted to social media: X',
      prediction_made: '2026-11-10',
      decided_by: 'Admin A',
      prediction_id: expect.any(String) as string,
    })
  })

  it('names both networks, also when scheduled', async () => {
    const { clock, work } = world()
    const id = await submission()
    const plan = { networks: ['x', 'nostr'], x_text: 'a', nostr_text: 'b', submission_id: id }
    const scheduled_at = new Date(clock.ms + MINUTE).toISOString()
    await post({ ...plan, action: 'schedule', scheduled_at })
    expect(await reviewed(id)).toMatchObject({ status: 'pending' })
    clock.ms += MINUTE
    await work()
    expect(await reviewed(id)).toMatchObject({
      status: 'approved',
      admin_comment: 'Posted to social media: X and Nostr',
    })
  })

  it('shows as sent although the submission cannot be approved at once', async () => {
    const { admin, database, work, x } = world()
    const id = await submission()
    // A failure to store the approval says nothing about the post.
    await database.pool.query(
      `alter table submissions add constraint no_approval check (status <> 'approved')`,
    )
    const sent = await admin.call('POST', '/api/x/tweet', { text: 'Out', submission_id: id })
    await database.pool.query('alter table submissions drop constraint no_approval')
    expect(sent).toMatchObject({ status: 200, body: { success: true } })
    expect(postOf(sent.body).approval).toMatchObject({ state: 'waiting' })
    await work()
    expect(await reviewed(id)).toMatchObject({ status: 'approved' })
    expect(x.posts).toHaveLength(1)
  })

  it('is also kept if the submission cannot be approved, and says why', async () => {
    const id = await submission()
    const url = `/api/admin/prediction_submissions/${id}`
    await world().admin.call('PUT', url, { status: 'rejected', admin_comment: 'No.' })
    const sent = await note(id)
    expect(sent).toMatchObject({ success: true })
    expect(postOf(sent).approval).toEqual({ state: 'failed', error: expect.any(String) as string })
    expect(await reviewed(id)).toMatchObject({ status: 'rejected' })
  })

  it('does not approve it if a grave warning must be read first', async () => {
    const id = await submission({ notes: 'More at scam.example.com' })
    expect(postOf(await note(id)).approval).toEqual({
      state: 'failed',
      error: expect.stringContaining('There is a link in the notes of the submitter'),
    })
    expect(await reviewed(id)).toMatchObject({ status: 'pending' })
  })
})

describe('news of verdicts', () => {
  /** A record with one prediction for each name, open until a price of 150. */
  async function record(names: readonly string[]): Promise<void> {
    const { imports, refresh } = world()
    await imports.prices('btc', closesFile('2024-01-01', [100, 110, 120]), 'test')
    const input = { prediction_made: '2024-01-02', target_time: '2099-01-10' }
    const predictions = names.map((name) =>
      entry(name.slice(-1).toLowerCase(), { expert_name: name, ...input }),
    )
    await imports.predictions(JSON.stringify(predictions))
    await refresh()
  }

  async function priceComes(): Promise<void> {
    await world().imports.prices('btc', closesFile('2024-01-04', [151, 152]), 'test')
    await world().refresh()
  }

  const ON = {
    auto_verdicts: true,
    auto_networks: ['x', 'nostr', 'bluesky'],
    auto_with_link: false,
    auto_daily_cap: 2,
  }
  const set = (args: object = {}) => world().admin.call('PUT', SETTINGS, { ...ON, ...args })

  /** Plans posts as the background job does, but without charts. */
  function plan(networks: Partial<Pick<PublishingKit, 'x' | 'nostr' | 'bluesky'>> = {}) {
    const drawChart = () => Promise.reject(new Error('charts cannot be drawn'))
    return planAutomatic({ ...world().publishing.kit, ...networks, drawChart })
  }

  const written = async (): Promise<SocialPost[]> =>
    ((await world().admin.call('GET', POSTS)).body as { posts: SocialPost[] }).posts

  it('offers texts for a prediction and its verdict, with their cost', async () => {
    const { admin } = world()
    await record(['Expert A'])
    const compose = (of: string, link = 'false') =>
      admin.call('GET', `${SOCIAL}/compose?prediction_id=${of}&link=${link}`)
    expect((await compose('a')).body).toMatchObject({
      kind: 'prediction',
      asset: 'btc',
      x_text: expect.stringContaining('$BTC reaches $150 by 10/01/2099') as string,
      nostr_text: expect.stringContaining('http://localhost:3001/predictions/a') as string,
      x_cost_usd: 0.015,
    })
    await priceComes()
    const composed = (await compose('a', 'true')).body as { x_text: string; x_weight: number }
    expect(composed.x_text).toMatch(/^SUCCESS: Expert A said on [\d/]+ that \$BTC/)
    // X does not treat localhost as a link.
    const x_weight = postWeight(composed.x_text)
    expect(composed).toMatchObject({ kind: 'verdict', x_weight, x_cost_usd: 0.015 })
    expect((await compose('none')).status).toBe(404)
  })

  it('is posted automatically only if enabled, once per verdict, up to the cap', async () => {
    const { admin, followDatabase, work, x } = world()
    await record(['Expert A', 'Expert B', 'Expert C'])
    const off = { auto_verdicts: false, changed_by: null }
    expect((await admin.call('GET', SETTINGS)).body).toMatchObject(off)
    expect((await set()).body).toMatchObject({ auto_verdicts: true, changed_by: 'Admin A' })
    expect(await plan()).toBe(0)
    await priceComes()
    expect((await Promise.all([plan(), plan(), plan()])).reduce((sum, one) => sum + one)).toBe(2)
    expect(await plan()).toBe(0)
    const posts = await written()
    expect(new Set(posts.map((one) => one.prediction_id)).size).toBe(2)
    // A larger cap releases the held posts.
    await followDatabase()
    await set({ auto_daily_cap: 3 })
    expect(await plan()).toBe(1)
    for (const one of posts) {
      expect(one).toMatchObject({ kind: 'verdict', automatic: true, state: 'scheduled' })
      expect(one.x_text).toMatch(/^SUCCESS: /)
      expect(one.bluesky_text).toMatch(
        /^SUCCESS: .* BTC [^]*\n\nhttp:\/\/localhost:3001\/predictions\//,
      )
    }
    await followDatabase()
    await work()
    expect(x.posts).toHaveLength(3)
  })

  it('is not posted if it arrived while the setting was off', async () => {
    await record(['Expert A'])
    await priceComes()
    expect(await plan()).toBe(0)
    await world().imports.predictions(
      JSON.stringify([entry('b', { prediction_made: '2024-01-02', price_target: 155 })]),
    )
    await set()
    await set({ auto_verdicts: false })
    await world().imports.prices('btc', closesFile('2024-01-06', [156]), 'test')
    await world().refresh()
    expect(await plan()).toBe(0)
    await world().followDatabase()
    await set()
    expect(await plan()).toBe(0)
  })

  it('is sent to configured networks only, and rejects invalid settings', async () => {
    await record(['Expert A'])
    await set()
    await priceComes()
    expect(await plan({ x: null, nostr: null, bluesky: null })).toBe(0)
    expect(await plan({ x: null, bluesky: null })).toBe(1)
    expect(await written()).toMatchObject([{ networks: ['nostr'] }])
    for (const bad of [{ auto_daily_cap: 0 }, { auto_daily_cap: 1_000 }, { auto_networks: [] }]) {
      expect((await set(bad)).status).toBe(400)
    }
  })
})

// Over 400 lines: posts that the record proposes and those it sends by itself, with the same networks.

import { describe, expect, it } from 'vitest'
import { onePublished } from '#contracts/corrections.ts'
import { listPosts, listProposals, type Proposal } from '#contracts/publishing.ts'
import { addDays, dayOfTime, isoDay } from '#domain/day.ts'
import { postWeight } from '#domain/publishing/post-length.ts'
import { planAutomatic } from '#server/publishing/news.service.ts'
import { type PublishingKit } from '#server/publishing/publishing-kit.ts'
import { endPost } from '#server/publishing/send-posts.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { SUBMISSION } from '#tests/support/payment-world.ts'
import { approve, handIn, audited, reject, undo } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import {
  callsOf,
  MINUTE,
  POSTS,
  postOf,
  socialOfFile,
  sendDue,
  sendKit,
  type SocialWorld,
} from '#tests/support/social-world.ts'

const SOCIAL = '/api/v1/admin/social'
const SETTINGS = `${SOCIAL}/settings`

/** Verdicts have the database's time, so these stories use it, too. */
const world = socialOfFile({ startMs: Date.now() })
const { post, tweet, call } = callsOf(world)

describe('a post made from an open submission', () => {
  const submission = (overrides: object = {}) =>
    handIn(world().admin, { ...SUBMISSION, price_target: null, ...overrides })
  async function reviewed(id: string) {
    const [row] = await world().sql(
      'select status, admin_comment, prediction_made::text, decided_by, prediction_id from submissions where id = $1',
      [id],
    )
    return row
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

  it('is not blocked by other posts that end at the same time, even more of them than connections', async () => {
    const { db, sql } = world().database
    await tweet('One')
    const rows = await sql(
      `with made as (
         insert into social_posts select (jsonb_populate_record(one, jsonb_build_object(
           'id', gen_random_uuid(), 'state', 'sending', 'submission_id', $1::text, 'approval', 'waiting'))).*
         from social_posts one, generate_series(1, 12) returning id)
       insert into outbox (kind, key, ref, lane, state, created_at, updated_at)
         select 'post', id || ' x', id, 'x', 'sent', now(), now() from made returning ref as id`,
      [await submission()],
    )
    const approved: string[] = []
    const sending = sendKit(world(), {
      approve: async (_, id) => {
        await db.execute('select pg_sleep(0.02)')
        approved.push(id)
        return { ok: true }
      },
    })
    await Promise.all(rows.map(({ id }) => endPost(sending, id)))
    expect(approved).toHaveLength(12)
  })

  it('shows as sent although the submission cannot be approved at once', async () => {
    const { admin, database, work, x } = world()
    const id = await submission()
    // A failure to store the approval says nothing about the post.
    await database.sql(
      `alter table submissions add constraint no_approval check (status <> 'approved')`,
    )
    const sent = await admin.call('POST', '/api/x/tweet', { text: 'Out', submission_id: id })
    await database.sql('alter table submissions drop constraint no_approval')
    expect(sent).toMatchObject({ status: 200, body: { success: true } })
    expect(postOf(sent.body).approval).toMatchObject({ state: 'waiting' })
    await work()
    expect(await reviewed(id)).toMatchObject({ status: 'approved' })
    expect(x.posts).toHaveLength(1)
  })

  it('is also kept if the submission cannot be approved, and says why', async () => {
    const id = await submission()
    await reject(world().admin, id)
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

  const written = async () => (await world().admin.read(listPosts)).posts

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
    await world().publish(entry('b', { prediction_made: '2024-01-02', price_target: 155 }))
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

describe('the record proposes posts', () => {
  const daysAgo = (days: number) => isoDay(addDays(dayOfTime(world().clock.ms), -days))

  /** Prices of some weeks, and open predictions from a file: `a` of $150, and `b` of another price. */
  async function record(other = 180): Promise<void> {
    const { imports, refresh } = world()
    await imports.prices('btc', closesFile(daysAgo(60), [100, 110, 120]), 'test')
    const input = { prediction_made: daysAgo(59), target_time: '2099-01-10' }
    const b = entry('b', { ...input, expert_name: 'Expert B', price_target: other })
    await imports.predictions(JSON.stringify([entry('a', input), b]))
    await refresh()
  }

  async function seen(): Promise<void> {
    await world().refresh()
    await world().followDatabase()
  }

  /** Adds the close of so many days ago. */
  async function priceComes(days: number, close: number): Promise<void> {
    await world().imports.prices('btc', closesFile(daysAgo(days), [close]), 'test')
    await seen()
  }

  async function correct(method: string, path: string, body: object) {
    const { admin } = world()
    const { version } = await admin.read(onePublished, path.split('/')[0])
    const url = `/api/v1/admin/predictions/${path}`
    const answer = await admin.call(method as 'PUT', url, { version, ...body })
    expect(answer).toMatchObject({ status: 200 })
    await seen()
  }

  const proposed = (search = '', { admin }: Pick<SocialWorld, 'admin'> = world()) =>
    admin.read(listProposals, search)

  const kinds = async (by: Pick<SocialWorld, 'admin'> = world()): Promise<string[]> =>
    (await proposed('', by)).proposals.map(({ kind, prediction_id: id }) => `${kind} ${id}`)

  /** The body for posting a proposal. */
  function inputOf(one: Proposal, action: 'draft' | 'send' = 'draft') {
    const { x_text, nostr_text, kind, prediction_id, event_id } = one
    return { action, networks: ['x'], x_text, nostr_text, kind, prediction_id, event_id }
  }

  async function first(): Promise<Proposal> {
    const [one] = (await proposed()).proposals
    if (!one) throw new Error('nothing is proposed')
    return one
  }

  const LATE = { price_target: 900, target_time: '2099-12-31' }

  it('for events on this site, and none for imports or old days', async () => {
    const { admin, clock, x } = world()
    await record(130)
    expect(await kinds()).toEqual([])

    // The price of a day three weeks ago became known only now: the verdict is not news.
    await priceComes(21, 131)
    expect(await kinds()).toEqual([])
    await priceComes(2, 151)
    expect(await kinds()).toEqual(['verdict a'])
    expect(await first()).toMatchObject({
      x_text: expect.stringMatching(/^SUCCESS: Expert A said .* \$BTC reaches \$150/) as string,
      nostr_text: expect.stringContaining('/predictions/a') as string,
      has_chart: true,
      x_cost_usd: 0.015,
    })

    const { prediction_id: c } = await approve(admin, await handIn(admin, LATE))
    await seen()
    expect(await kinds()).toEqual([`prediction ${c}`, 'verdict a'])

    await correct('PUT', 'b', { quote: 'In other words.', reason: 'It was misheard' })
    expect(await kinds()).toEqual(['correction b', `prediction ${c}`, 'verdict a'])
    expect((await first()).x_text).toContain('Corrected: the summary. Reason: It was misheard.')

    // A correction that was corrected is superseded.
    await correct('PUT', 'b', { quote: 'In its words.', reason: 'It was misread' })
    expect(await kinds()).toEqual(['correction b', `prediction ${c}`, 'verdict a'])
    expect((await first()).x_text).toContain('It was misread.')

    // A withdrawn one is news only for that, and has no chart.
    await correct('POST', `${c}/withdraw`, { reason: 'It was another person' })
    expect(await kinds()).toEqual([`correction ${c}`, 'correction b', 'verdict a'])
    expect(await first()).toMatchObject({ has_chart: false })

    // A verdict that changed again is no longer true.
    await correct('POST', 'a/override', { outcome: 'miss', reason: 'A bad tick' })
    expect(await kinds()).toEqual(['correction a', `correction ${c}`, 'correction b'])

    // Nor is a reverted correction.
    await correct('DELETE', 'a/override', { reason: 'No bad tick' })
    await correct('POST', `${c}/restore`, { reason: 'It was this person' })
    expect(await kinds()).toEqual(['correction b', `prediction ${c}`])
    clock.ms += 8 * 1_440 * MINUTE
    expect(await kinds({ admin: await signedIn(world()) })).toEqual([])
    expect(x.posts).toEqual([])
  })

  it('for no edit of a withdrawn prediction', async () => {
    await record()
    await correct('PUT', 'b', { quote: 'In other words.', reason: 'It was misheard' })
    await correct('POST', 'b/withdraw', { reason: 'It was another person' })
    expect(await kinds()).toEqual(['correction b'])
    expect((await first()).x_text).toContain('It was another person')
    await correct('POST', 'b/restore', { reason: 'It was this person' })
    expect((await first()).x_text).toContain('It was misheard')
  })

  it('but none for verdicts already posted, drafted or planned', async () => {
    const { admin, clock, followDatabase } = world()
    await record()
    await priceComes(2, 151)
    const verdict = await first()
    // Its clock may be behind the database's.
    clock.ms -= MINUTE
    const drafted = await post(inputOf(verdict))
    expect(drafted).toMatchObject({ event_id: verdict.event_id, kind: 'verdict' })
    expect(await kinds()).toEqual([])
    await call(`/${drafted.id}/cancel`)
    expect(await kinds()).toEqual(['verdict a'])

    // Written without the proposal, but about the same.
    await followDatabase()
    const { event_id: _, ...byHand } = inputOf(verdict)
    const other = await post(byHand)
    expect(await kinds()).toEqual([])
    await call(`/${other.id}/cancel`)

    const settings = { auto_verdicts: true, auto_networks: ['x'], auto_with_link: false }
    await admin.call('PUT', `${SOCIAL}/settings`, { ...settings, auto_daily_cap: 3 })
    await priceComes(1, 185)
    expect(await kinds()).toEqual(['verdict b', 'verdict a'])
    clock.ms -= MINUTE
    await planAutomatic(world().publishing.kit)
    expect(await kinds()).toEqual(['verdict a'])

    // Posting about a submission approves it, and was the post.
    await tweet('Out', { submission_id: await handIn(admin, LATE) })
    await seen()
    expect(await kinds()).toEqual(['verdict a'])
  })

  it('and an immediate post can be taken back for ten seconds', async () => {
    const { clock, x, publishing } = world()
    await record()
    await priceComes(2, 151)
    const verdict = await first()
    const soon = () => post({ ...inputOf(verdict), action: 'soon' })
    const taken = await soon()
    clock.ms += 10_000
    expect(await sendDue(publishing.kit)).toBe(false)
    expect(await call(`/${taken.id}/cancel`)).toMatchObject({ status: 200 })
    expect(await kinds()).toEqual(['verdict a'])
    await soon()
    clock.ms += 12_000
    await sendDue(publishing.kit)
    expect(x.posts).toHaveLength(1)
  })

  it('and only one of two administrators makes a proposal', async () => {
    await record()
    await priceComes(2, 151)
    const second = await signedIn(world(), 'Admin B')
    const verdict = inputOf(await first(), 'send')
    const answers = await Promise.all([call('', verdict), second.call('POST', POSTS, verdict)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(world().x.posts).toHaveLength(1)
    expect(await call('', { ...verdict, prediction_id: 'b' })).toMatchObject({
      status: 400,
      body: { fields: { event_id: expect.any(String) as string } },
    })
  })

  it('but not again after a dismissal, until that is undone; approvals can still be undone', async () => {
    const { admin } = world()
    await record()
    await priceComes(2, 151)
    const turn = async (event: number, dismissed: boolean) =>
      (await admin.call('PUT', `${SOCIAL}/proposals/${String(event)}`, { dismissed })).status
    const { event_id: event } = await first()
    expect(await turn(event, true)).toBe(200)
    expect(await turn(event, true)).toBe(200)
    expect(await kinds()).toEqual([])
    expect(await turn(event, false)).toBe(200)
    expect(await kinds()).toEqual(['verdict a'])
    expect(await audited(world(), `action like 'proposed%'`)).toMatchObject([
      { action: 'proposed post dismissed' },
      { action: 'proposed post put back' },
    ])
    expect(await turn(999_999, true)).toBe(404)

    const submission = await handIn(admin, LATE)
    await approve(admin, submission)
    await seen()
    expect(await turn((await first()).event_id, true)).toBe(200)
    expect(await undo(admin, submission)).toMatchObject({ status: 200 })
  })

  it('the newest first, a page at a time', async () => {
    const { admin, imports, refresh } = world()
    const ids = Array.from({ length: 21 }, (_, n) => `p${String(n)}`)
    const input = { prediction_made: daysAgo(59), target_time: '2099-01-10' }
    await imports.predictions(JSON.stringify(ids.map((id) => entry(id, input))))
    await refresh()
    const edit = { version: 0, quote: 'Words', reason: 'Better words' }
    for (const id of ids) await admin.call('PUT', `/api/v1/admin/predictions/${id}`, edit)
    await seen()
    const { proposals, next } = await proposed()
    expect([proposals.length, next]).toEqual([20, proposals.at(-1)?.event_id])
    const rest = await proposed(`?before=${String(next)}`)
    expect(rest).toMatchObject({ next: null })
    expect(rest.proposals.map(({ event_id: event }) => event < (next ?? 0))).toEqual([true])
  })
})

import { type Proposal } from '#contracts/publishing.ts'
import { addDays, dayOfTime, isoDay } from '#domain/day.ts'
import { planAutomatic } from '#server/publishing/news.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { approve, handIn } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import {
  callsOf,
  MINUTE,
  POSTS,
  sendDue,
  socialOfFile,
  type SocialWorld,
} from '#tests/support/social-world.ts'
import { describe, expect, it } from 'vitest'

const SOCIAL = '/api/v1/admin/social'

/** Events have the database's time, so these stories use it, too. */
const world = socialOfFile({ startMs: Date.now() })
const { call, post, tweet } = callsOf(world)

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
    const url = '/api/v1/admin/predictions'
    const visible = await admin.call('GET', `${url}/${path.split('/')[0] ?? ''}`)
    const request = { version: (visible.body as { version: number }).version, ...body }
    const answer = await admin.call(method as 'PUT', `${url}/${path}`, request)
    expect(answer).toMatchObject({ status: 200 })
    await seen()
  }

  async function proposed(search = '', { admin }: Pick<SocialWorld, 'admin'> = world()) {
    const { body } = await admin.call('GET', `${SOCIAL}/proposals${search}`)
    return body as { proposals: Proposal[]; next: number | null }
  }

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
    const { admin, database } = world()
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
    const { rows } = await database.pool.query(
      `select action from audit_log where action like 'proposed%' order by id`,
    )
    expect(rows).toEqual([
      { action: 'proposed post dismissed' },
      { action: 'proposed post put back' },
    ])
    expect(await turn(999_999, true)).toBe(404)

    const submission = await handIn(admin, LATE)
    await approve(admin, submission)
    await seen()
    expect(await turn((await first()).event_id, true)).toBe(200)
    const undo = await admin.call('POST', `/api/v1/admin/submissions/${submission}/undo`)
    expect(undo).toMatchObject({ status: 200 })
  })
})

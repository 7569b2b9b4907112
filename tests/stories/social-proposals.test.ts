import { type Proposal } from '#contracts/publishing.ts'
import { addDays, dayOfTime, isoDay } from '#domain/day.ts'
import { planAutomatic } from '#server/publishing/automatic-posts.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { approve, handIn } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { postOf, socialWorld, type SocialWorld } from '#tests/support/social-world.ts'
import { describe, expect, it } from 'vitest'

const SOCIAL = '/api/v1/admin/social'
const POSTS = `${SOCIAL}/posts`
const DAY_MS = 86_400_000

/** Events carry the database's time, so these stories run at it. */
const today = () => socialWorld({ startMs: Date.now() })

function daysAgo(site: SocialWorld, days: number): string {
  return isoDay(addDays(dayOfTime(site.clock.ms), -days))
}

/** Prices of some weeks, and open predictions that a file brought: of $150 `a`, and of another price `b`. */
async function record(site: SocialWorld, other = 180): Promise<void> {
  await site.imports.prices('btc', closesFile(daysAgo(site, 60), [100, 110, 120]), 'test')
  const given = { prediction_made: daysAgo(site, 59), target_time: '2099-01-10' }
  await site.imports.predictions(
    JSON.stringify([
      entry('a', given),
      entry('b', { ...given, expert_name: 'Expert B', price_target: other }),
    ]),
  )
  await site.refresh()
}

/** A close of so many days ago comes. */
async function priceComes(site: SocialWorld, days: number, close: number): Promise<void> {
  await site.imports.prices('btc', closesFile(daysAgo(site, days), [close]), 'test')
  await site.refresh()
  await site.followDatabase()
}

async function correct(site: SocialWorld, method: string, path: string, body: object) {
  const id = path.split('/')[0] ?? ''
  const url = '/api/v1/admin/predictions'
  const shown = (await site.admin.call('GET', `${url}/${id}`)).body as { version: number }
  const asked = { version: shown.version, ...body }
  const answer = await site.admin.call(method as 'PUT', `${url}/${path}`, asked)
  expect(answer).toMatchObject({ status: 200 })
  await site.refresh()
  await site.followDatabase()
}

async function proposed(site: SocialWorld, search = '') {
  const { body } = await site.admin.call('GET', `${SOCIAL}/proposals${search}`)
  return body as { proposals: Proposal[]; next: number | null }
}

const kinds = async (site: SocialWorld): Promise<string[]> =>
  (await proposed(site)).proposals.map(({ kind, prediction_id: id }) => `${kind} ${id}`)

/** What a proposal is posted with. */
function inputOf(one: Proposal, action: 'draft' | 'send' = 'draft') {
  const { x_text, nostr_text, kind, prediction_id, event_id } = one
  return { action, networks: ['x'], x_text, nostr_text, kind, prediction_id, event_id }
}

async function first(site: SocialWorld): Promise<Proposal> {
  const [one] = (await proposed(site)).proposals
  if (!one) throw new Error('nothing is proposed')
  return one
}

describe('the record proposes posts', () => {
  it('the record proposes a post for what happens on this site, and none for what a file brings or for days long ago', async () => {
    await using site = await today()
    await record(site, 130)
    expect(await kinds(site)).toEqual([])

    // The price of a day three weeks ago became known only now: the verdict is no news.
    await priceComes(site, 21, 131)
    expect(await kinds(site)).toEqual([])
    await priceComes(site, 2, 151)
    expect(await kinds(site)).toEqual(['verdict a'])
    expect(await first(site)).toMatchObject({
      x_text: expect.stringMatching(/^SUCCESS: Expert A said .* \$BTC reaches \$150/) as string,
      nostr_text: expect.stringContaining('/predictions/a') as string,
      has_chart: true,
      x_cost_usd: 0.015,
    })

    const submission = await handIn(site.admin, { price_target: 900, target_time: '2099-12-31' })
    const { prediction_id: c } = await approve(site.admin, submission)
    await site.refresh()
    await site.followDatabase()
    expect(await kinds(site)).toEqual([`prediction ${c}`, 'verdict a'])

    await correct(site, 'PUT', 'b', { quote: 'In other words.', reason: 'It was misheard' })
    expect(await kinds(site)).toEqual(['correction b', `prediction ${c}`, 'verdict a'])
    expect((await first(site)).x_text).toContain('Corrected: the summary. Reason: It was misheard.')

    // One that is withdrawn is no news but for that, and has no chart.
    await correct(site, 'POST', `${c}/withdraw`, { reason: 'It was another person' })
    expect(await kinds(site)).toEqual([`correction ${c}`, 'correction b', 'verdict a'])
    expect(await first(site)).toMatchObject({ has_chart: false })

    // A verdict that changed again is no longer true.
    await correct(site, 'POST', 'a/override', { outcome: 'miss', reason: 'A bad tick' })
    expect(await kinds(site)).toEqual(['correction a', `correction ${c}`, 'correction b'])
    site.clock.ms += 8 * DAY_MS
    const admin = await signedIn(site)
    expect(await kinds({ ...site, admin })).toEqual([])
    expect(site.x.posts).toEqual([])
  })

  it('the record proposes nothing that is posted, drafted or planned already', async () => {
    await using site = await today()
    await record(site)
    await priceComes(site, 2, 151)
    const verdict = await first(site)
    // Its clock may be behind that of the database.
    site.clock.ms -= 60_000
    const drafted = postOf((await site.admin.call('POST', POSTS, inputOf(verdict))).body)
    expect(drafted).toMatchObject({ event_id: verdict.event_id, kind: 'verdict' })
    expect(await kinds(site)).toEqual([])
    await site.admin.call('POST', `${POSTS}/${drafted.id}/cancel`)
    expect(await kinds(site)).toEqual(['verdict a'])

    // Written without the proposal, it is about the same.
    await site.followDatabase()
    const { event_id: _, ...byHand } = inputOf(verdict)
    const other = postOf((await site.admin.call('POST', POSTS, byHand)).body)
    expect(await kinds(site)).toEqual([])
    await site.admin.call('POST', `${POSTS}/${other.id}/cancel`)

    const settings = { auto_verdicts: true, auto_networks: ['x'], auto_with_link: false }
    await site.admin.call('PUT', `${SOCIAL}/settings`, { ...settings, auto_daily_cap: 3 })
    await priceComes(site, 1, 185)
    expect(await kinds(site)).toEqual(['verdict b', 'verdict a'])
    site.clock.ms -= 60_000
    await planAutomatic(site.publishing.kit)
    expect(await kinds(site)).toEqual(['verdict a'])

    // Posting about a submission approves it, and was the post.
    const submission = await handIn(site.admin, { price_target: 900, target_time: '2099-12-31' })
    await site.admin.call('POST', '/api/x/tweet', { text: 'Out', submission_id: submission })
    await site.refresh()
    await site.followDatabase()
    expect(await kinds(site)).toEqual(['verdict a'])
  })

  it('the record proposes a post once: of two administrators one makes it', async () => {
    await using site = await today()
    await record(site)
    await priceComes(site, 2, 151)
    const second = await signedIn(site, 'Admin B')
    const verdict = inputOf(await first(site), 'send')
    const answers = await Promise.all([
      site.admin.call('POST', POSTS, verdict),
      second.call('POST', POSTS, verdict),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(site.x.posts).toHaveLength(1)
    const wrong = { ...verdict, prediction_id: 'b' }
    expect(await site.admin.call('POST', POSTS, wrong)).toMatchObject({
      status: 400,
      body: { fields: { event_id: expect.any(String) as string } },
    })
  })

  it('the record does not propose again what was dismissed, until that is undone', async () => {
    await using site = await today()
    await record(site)
    await priceComes(site, 2, 151)
    const { event_id: event } = await first(site)
    const turn = async (dismissed: boolean) =>
      (await site.admin.call('PUT', `${SOCIAL}/proposals/${String(event)}`, { dismissed })).status
    expect(await turn(true)).toBe(200)
    expect(await turn(true)).toBe(200)
    expect(await kinds(site)).toEqual([])
    expect(await turn(false)).toBe(200)
    expect(await kinds(site)).toEqual(['verdict a'])
    const { rows } = await site.database.pool.query(
      `select action from audit_log where action like 'proposed%' order by id`,
    )
    expect(rows).toEqual([
      { action: 'proposed post dismissed' },
      { action: 'proposed post put back' },
    ])
    const none = await site.admin.call('PUT', `${SOCIAL}/proposals/999999`, { dismissed: true })
    expect(none.status).toBe(404)
  })

  it('what was dismissed does not keep an approval from being undone', async () => {
    await using site = await today()
    await record(site)
    const submission = await handIn(site.admin, { price_target: 900, target_time: '2099-12-31' })
    await approve(site.admin, submission)
    await site.refresh()
    const url = `${SOCIAL}/proposals/${String((await first(site)).event_id)}`
    expect((await site.admin.call('PUT', url, { dismissed: true })).status).toBe(200)
    const undo = await site.admin.call('POST', `/api/v1/admin/submissions/${submission}/undo`)
    expect(undo).toMatchObject({ status: 200 })
  })

  it('the record proposes the newest first, a page at a time', async () => {
    await using site = await today()
    await record(site)
    for (let n = 0; n < 21; n += 1) {
      await correct(site, 'PUT', 'b', { quote: `Words ${String(n)}`, reason: 'Better words' })
    }
    const { proposals, next } = await proposed(site)
    expect(proposals).toHaveLength(20)
    expect(next).toBe(proposals.at(-1)?.event_id)
    const rest = await proposed(site, `?before=${String(next)}`)
    expect(rest).toMatchObject({ next: null })
    expect(rest.proposals.map(({ event_id: event }) => event < (next ?? 0))).toEqual([true])
  })
})

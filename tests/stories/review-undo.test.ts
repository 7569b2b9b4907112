import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { approve, Changed, count, handIn, movingClock, Refused } from '#tests/support/review.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { oneSubmission } from '#contracts/review.ts'

const { site, clock } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

describe('undoing', () => {
  const undo = (admin: SignedInBrowser, id: string) => admin.call('POST', `${V1}/${id}/undo`)

  it('undoing takes an approval back with all that came of it', async () => {
    const id = await handIn(admin)
    await approve(admin, id, { admin_comment: 'Fine.', price_target: 160 })
    clock.pass(9_000)
    const undone = Changed.parse((await undo(admin, id)).body)
    expect(undone.submission).toMatchObject({
      status: 'pending',
      prediction_id: null,
      decided_at: null,
      decided_by: null,
      admin_comment: null,
      price_target: 150,
      existing_influencer_id: null,
      version: 2,
    })
    for (const table of ['predictions', 'verdicts', 'prediction_events', 'influencers']) {
      expect([table, await count(world, table)]).toEqual([table, 0])
    }
    expect(await count(world, `audit_log where action = 'decision undone'`)).toBe(1)
    expect((await undo(admin, id)).status).toBe(409)
    const again = await approve(admin, id)
    expect(again.prediction_id).toBe('expert-a-150-2027')
  })

  it('undoing takes back a handle that the approval noted of a person on record, and no other', async () => {
    await approve(admin, await handIn(admin))
    const handles = () => count(world, `influencer_names where kind = 'handle'`)
    const same = await handIn(admin, { price_target: 170 })
    await approve(admin, same)
    expect((await undo(admin, same)).status).toBe(200)
    expect(await handles()).toBe(1)
    const other = await handIn(admin, { price_target: 190, twitter_handle: '@another' })
    await approve(admin, other)
    expect(await handles()).toBe(2)
    expect((await undo(admin, other)).status).toBe(200)
    expect(await handles()).toBe(1)
    expect(await count(world, `influencer_names where text = 'experta'`)).toBe(1)
  })

  it('undoing takes a rejection back, within its time and by the administrator who decided', async () => {
    const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
    const [id, other] = [await handIn(a), await handIn(a, { expert_name: 'Expert B' })]
    await a.call('POST', `${V1}/bulk-reject`, { ids: [id, other], reason: 'Spam.' })
    expect((await undo(b, id)).body).toMatchObject({
      code: 'conflict',
      message: 'Only Admin A can undo this. Please change it by hand.',
    })
    clock.pass(9_999)
    const seen = oneSubmission.reply.parse((await a.call('GET', `${V1}/${id}`)).body)
    expect(seen.undo_ms).toBe(1)
    expect(Changed.parse((await undo(a, id)).body).submission).toMatchObject({
      status: 'pending',
      admin_comment: null,
    })
    clock.pass(3_002)
    expect((await undo(a, other)).status).toBe(409)
  })

  it('undoing leaves a decision alone after which something was changed, and a prediction that was passed on', async () => {
    const id = await handIn(admin)
    await approve(admin, id)
    await admin.call('PUT', `${BASE}/${id}/update`, { prediction_outcome: 'ongoing' })
    expect((await undo(admin, id)).status).toBe(409)
    const second = await handIn(admin, { expert_name: 'Expert B', twitter_handle: null })
    const { prediction_id } = await approve(admin, second)
    await world.database.pool.query(
      `insert into social_posts (id, kind, state, networks, pictures, prediction_id, created_by, created_at, updated_at)
       values (gen_random_uuid(), 'manual', 'draft', '{x}', '[]', $1, $2, now(), now())`,
      [prediction_id, admin.id],
    )
    const refused = await undo(admin, second)
    expect([refused.status, Refused.parse(refused.body).message]).toEqual([
      409,
      'The prediction has already been passed on. Please withdraw it instead.',
    ])
    expect(await count(world, 'predictions')).toBe(2)
    expect(await count(world, 'verdicts')).toBe(4)
  })

  it('undoing comes before anything is signed for good', async () => {
    const clock = movingClock()
    const privateKey = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
    const nostr = { privateKey, relays: [], publishRecord: false }
    await using world = await testApp({ clock, settings: { nostr } })
    const { record } = world.nostr
    const admin = await signedIn(world)
    const id = await handIn(admin)
    await approve(admin, id)
    clock.pass(9_000)
    expect([await record.sign(), await record.waits()]).toEqual([0, true])
    expect((await undo(admin, id)).status).toBe(200)
    await approve(admin, id)
    clock.pass(15_001)
    expect([await record.sign(), await record.waits()]).toEqual([3, false])
  })

  it('undoing leaves what another administrator has corrected in public meanwhile', async () => {
    const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
    const id = await handIn(a)
    const { prediction_id } = await approve(a, id)
    const path = `/api/v1/admin/predictions/${prediction_id}/withdraw`
    const withdrawn = await b.call('POST', path, { version: 0, reason: 'Never said.' })
    expect(withdrawn.status).toBe(200)
    const refused = await undo(a, id)
    expect([refused.status, Refused.parse(refused.body).message]).toEqual([
      409,
      'The prediction has been corrected in the meantime. Please withdraw it instead.',
    ])
    expect(await count(world, `submissions where status = 'approved'`)).toBe(1)
    expect(await count(world, `prediction_events where kind = 'withdrawn'`)).toBe(1)
  })

  it('undoing is done once, whatever the presses', async () => {
    const id = await handIn(admin)
    await approve(admin, id)
    const answers = await Promise.all([undo(admin, id), undo(admin, id), undo(admin, id)])
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409, 409])
    expect(await count(world, 'predictions')).toBe(0)
  })
})

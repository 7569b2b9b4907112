import { randomUUID } from 'node:crypto'
import { adminHome, oneSubmission } from '#contracts/review.ts'
import { writeNotices } from '#server/submissions/notices.rows.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { Changed, Refused, approve, count, handIn, movingClock } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { describe, expect, it, vi } from 'vitest'

const { world, admin, clock } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

it('rejecting requires a reason, and can be reversed', async () => {
  const id = await handIn(admin, {}, '/api/mstr/submissions')
  const url = `/api/admin/submissions/${id}`
  for (const reason of [undefined, null, '', '  \n\u0000']) {
    const refused = await admin.call('PUT', url, { status: 'rejected', admin_comment: reason })
    expect(Refused.parse(refused.body).fields).toHaveProperty('admin_comment')
  }
  const done = await admin.call('PUT', url, { status: 'rejected', admin_comment: 'Spam.' })
  const { message, submission } = Changed.parse(done.body)
  expect(message).toBe('Submission rejected successfully!')
  expect(submission).toMatchObject({
    status: 'rejected',
    admin_comment: 'Spam.',
    asset_type: 'mstr',
  })
  const again = await admin.call('PUT', url, { status: 'rejected', admin_comment: 'Spam.' })
  expect(again.status).toBe(409)
  expect(Refused.parse(again.body).message).toBe(
    'Admin A already rejected this submission on 20/11/2026 at 12:00 UTC.',
  )
  const reopened = await admin.call('PUT', url, { status: 'pending' })
  expect(Changed.parse(reopened.body).submission).toMatchObject({
    status: 'pending',
    decided_by: null,
    admin_comment: null,
  })
  const approved = await admin.call('PUT', url, { status: 'approved' })
  expect(Changed.parse(approved.body).submission.prediction_id).toMatch(/^expert-a-/)
  expect((await admin.call('PUT', url, { status: 'pending' })).status).toBe(409)
})

it('rejecting several at once decides each separately', async () => {
  const spam = [await handIn(admin), await handIn(admin, { expert_name: 'Expert B' })]
  const good = await handIn(admin, { expert_name: 'Expert C' })
  await admin.call('POST', `${BASE}/${good}/approve`, {})
  const unknown = '6f1c3f6e-8a3b-4d8e-9b1a-000000000000'
  const url = `${V1}/bulk-reject`
  const ids = [...spam, good, unknown]
  expect((await admin.call('POST', url, { ids })).status).toBe(400)
  expect((await admin.call('POST', url, { ids, reason: 'Spam.' })).body).toMatchObject({
    success: true,
    message: '2 of 4 rejected.',
    results: [
      { id: spam[0], ok: true },
      { id: spam[1], ok: true },
      { id: good, ok: false, error: expect.stringContaining('already approved this submission') },
      { id: unknown, ok: false },
    ],
  })
  expect(await count(world, `audit_log where action = 'submission rejected'`)).toBe(2)
  const [edited, stored] = [
    await handIn(admin, { expert_name: 'Expert D' }),
    await handIn(admin, { expert_name: 'Expert E' }),
  ]
  await admin.call('PUT', `${BASE}/${edited}/update`, { notes: 'It is none after all.' })
  const versions = { [edited]: 0, [stored]: 0 }
  const stale = await admin.call('POST', url, { ids: [edited, stored], versions, reason: 'Spam.' })
  expect(stale.body).toMatchObject({
    results: [
      {
        id: edited,
        ok: false,
        error: expect.stringContaining('(submission edited) while you had it open'),
      },
      { id: stored, ok: true },
    ],
  })
  const many = Array.from({ length: 201 }, () => unknown)
  expect((await admin.call('POST', url, { ids: many, reason: 'Spam.' })).status).toBe(400)
})

it('several are approved by one call, those that need a check are named, and one call undoes it', async () => {
  type Reply = { results: { ok: boolean; error: string | null }[] }
  const call = async (name: string, body: object) =>
    ((await admin.call('POST', `${V1}/${name}`, body)).body as Reply).results
  await approve(admin, await handIn(admin))
  await world.refresh()
  const ids = [
    await handIn(admin, { price_target: 500 }),
    await handIn(admin, { price_target: 600 }),
  ]
  const twice = await handIn(admin)
  const stranger = await handIn(admin, { expert_name: 'Expert Z', twitter_handle: '' })
  const results = await call('bulk-approve', { ids: [...ids, twice, stranger] })
  expect(results.map(({ ok }) => ok)).toEqual([true, true, false, false])
  expect(results[2]?.error).toMatch(/the same|already|duplicate/i)
  clock.set('2026-11-20T12:00:04Z')
  const theirs = await handIn(admin, { expert_name: 'Expert B' })
  const other = await signedIn(world, 'Admin B')
  await other.call('PUT', `${BASE}/${theirs}`, { status: 'rejected', admin_comment: 'No.' })
  await world.database.pool.query(
    `update submissions set contact_kind = 'npub', contact_address = 'npub1' where id = any($1)`,
    [[...ids, theirs]],
  )
  // The time to undo begins with the last one and ends with the request, however long it takes, and though a job
  // writes notices before each: only of another administrator's decision.
  let ms = clock.now()
  const now = vi.spyOn(clock, 'now').mockImplementation(() => (ms += 1_000))
  const { db } = world.kit
  const begin = db.transaction.bind(db)
  const transaction = vi.spyOn(db, 'transaction').mockImplementation(async (...work) => {
    await writeNotices(db, new Date(ms).toISOString())
    return begin(...work)
  })
  const unknown = Array.from({ length: 20 }, () => randomUUID())
  const undone = await call('bulk-undo', { ids: [...unknown, ...ids, twice, theirs] })
  now.mockRestore()
  transaction.mockRestore()
  expect(undone.slice(20).map(({ ok }) => ok)).toEqual([true, true, false, false])
  const notices = await world.database.pool.query(`select ref from outbox where kind = 'notice'`)
  expect(notices.rows).toEqual([{ ref: theirs }])
  expect(await count(world, `submissions where status = 'approved'`)).toBe(1)
  const stale = await call('bulk-approve', { ids, versions: { [ids[0] ?? '']: 0 } })
  expect(stale.map(({ ok }) => ok)).toEqual([false, true])
})

it("home shows pending submissions, today's decisions and posts that could not be read", async () => {
  clock.set('2026-11-19T12:00:00Z')
  const oldest = await handIn(admin)
  const yesterday = await handIn(admin, { expert_name: 'Expert Y' })
  await admin.call('PUT', `${BASE}/${yesterday}`, { status: 'rejected', admin_comment: 'No.' })
  clock.pass(86_400_000)
  const again = await signedIn(world)
  const decided = await handIn(again, { expert_name: 'Expert B' })
  await again.call('PUT', `${BASE}/${decided}`, { status: 'rejected', admin_comment: 'No.' })
  await world.database.pool.query(
    `insert into tweet_queue (url, post_id, status, step, created_at, processed_at, error_message)
     values ('https://x.com/a/status/1', '1', 'failed', '', now(), now(), 'Gone.')`,
  )
  const home = adminHome.reply.parse((await again.call('GET', '/api/v1/admin/home')).body)
  expect(home.oldest.map(({ id, waits_ms }) => [id, waits_ms])).toEqual([[oldest, 86_400_000]])
  expect(home.waiting[0]).toMatchObject({
    asset_type: 'btc',
    counts: { pending: 1, rejected: 2, all: 3 },
    oldest_at: '2026-11-19T12:00:00.000Z',
  })
  expect(home.decided_today).toMatchObject({
    approved: 0,
    rejected: 1,
    by: [{ username: 'Admin A', approved: 0, rejected: 1 }],
  })
  expect(home.decided_today.latest.map(({ id }) => id)).toEqual([decided])
  expect(home.failed).toMatchObject([
    { kind: 'queue', submission_id: null, text: 'A post could not be read. Gone.' },
  ])
})

describe('undoing', () => {
  const undo = (admin: SignedInBrowser, id: string) => admin.call('POST', `${V1}/${id}/undo`)

  it('an approval reverses all its effects', async () => {
    const id = await handIn(admin)
    await approve(admin, id, { admin_comment: 'Fine.', price_target: 160 })
    clock.pass(9_000)
    expect(Changed.parse((await undo(admin, id)).body).submission).toMatchObject({
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
    expect((await approve(admin, id)).prediction_id).toBe('expert-a-150-2027')
  })

  it('removes only the handle that the approval added to a person on record', async () => {
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

  it('reverses a rejection, in time and by the same administrator only', async () => {
    const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
    const [id, other] = [await handIn(a), await handIn(a, { expert_name: 'Expert B' })]
    const third = await handIn(a, { expert_name: 'Expert C' })
    await a.call('POST', `${V1}/bulk-reject`, { ids: [id, other, third], reason: 'Spam.' })
    expect((await undo(b, id)).body).toMatchObject({
      code: 'conflict',
      message: 'Only Admin A can undo this. Please change it by hand.',
    })
    clock.pass(9_999)
    expect(oneSubmission.reply.parse((await a.call('GET', `${V1}/${id}`)).body).undo_ms).toBe(1)
    expect(Changed.parse((await undo(a, id)).body).submission).toMatchObject({
      status: 'pending',
      admin_comment: null,
    })
    // A press in the last moment may take a while to arrive.
    clock.pass(3_000)
    expect((await undo(a, third)).status).toBe(200)
    clock.pass(2)
    expect((await undo(a, other)).status).toBe(409)
  })

  it('is refused after a later change or a published signature', async () => {
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

  it('is possible before anything is signed for good', async () => {
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

  it("keeps another administrator's public corrections", async () => {
    const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
    const id = await handIn(a)
    const { prediction_id } = await approve(a, id)
    const path = `/api/v1/admin/predictions/${prediction_id}/withdraw`
    expect((await b.call('POST', path, { version: 0, reason: 'Never said.' })).status).toBe(200)
    const refused = await undo(a, id)
    expect([refused.status, Refused.parse(refused.body).message]).toEqual([
      409,
      'The prediction has been corrected in the meantime. Please withdraw it instead.',
    ])
    expect(await count(world, `submissions where status = 'approved'`)).toBe(1)
    expect(await count(world, `prediction_events where kind = 'withdrawn'`)).toBe(1)
  })
})

import { adminHome, listInfluencers, oneSubmission, searchSubmissions } from '#contracts/review.ts'
import { SubmissionRow } from '#contracts/review.ts'
import { describe, expect, it } from 'vitest'
import { closesFile } from './support/builders.ts'
import {
  ApprovedReply,
  Changed,
  count,
  HANDED_IN,
  handIn,
  movingClock,
  Refused,
} from './support/review.ts'
import { signedIn, type SignedInBrowser } from './support/sign-in.ts'
import { testApp, type TestApp } from './support/test-app.ts'

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

async function withPrices(world: TestApp, from: string, closes: readonly number[]): Promise<void> {
  await world.imports.prices('btc', closesFile(from, closes), 'test')
  await world.refresh()
}

async function detail(admin: SignedInBrowser, id: string) {
  const { body } = await admin.call('GET', `${V1}/${id}`)
  return oneSubmission.reply.parse(body, { error: () => JSON.stringify(body) })
}

describe('lists', () => {
  it('answer the plain call by asset and status, newest first, with the names of the specification', async () => {
    const clock = movingClock()
    await using world = await testApp({ clock })
    const admin = await signedIn(world)
    const first = await handIn(admin)
    clock.pass(1_000)
    const second = await handIn(admin, { expert_name: 'Expert B', email: 'b@example.org' })
    await handIn(admin, { price_target: 500 }, '/api/mstr/submissions')
    const rejected = await admin.call('PUT', `${BASE}/${first}`, {
      status: 'rejected',
      admin_comment: 'No such words in the source.',
    })
    expect(rejected.status).toBe(200)
    const answer = await world.app.inject({ url: BASE, headers: admin.headers })
    expect(answer.headers['x-total-count']).toBe('2')
    const rows = SubmissionRow.array().parse(answer.json())
    expect(rows.map((row) => [row.id, row.status])).toEqual([
      [second, 'pending'],
      [first, 'rejected'],
    ])
    expect(rows[0]).toMatchObject({
      expert_name: 'Expert B',
      twitter_handle: '@experta',
      price_prediction: '$150',
      price_target: 150,
      asset_type: 'btc',
      email: 'b@example.org',
      submitter_email: 'b@example.org',
      payment_state: 'none',
      origin: 'admin',
      version: 0,
      submission_date: '2026-11-20T12:00:01.000Z',
    })
    expect(rows[1]).toMatchObject({
      admin_comment: 'No such words in the source.',
      decided_by: 'Admin A',
      decided_at: '2026-11-20T12:00:01.000Z',
    })
    const mstr = await admin.call('GET', `${BASE}?status=pending&asset=mstr`)
    expect(SubmissionRow.array().parse(mstr.body)).toHaveLength(1)
    expect((await admin.call('GET', `${BASE}?status=approved`)).body).toEqual([])
    expect((await admin.call('GET', `${BASE}?status=unpaid`)).status).toBe(400)
  })

  it('page, sort, count and search', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const names = ['Zoe Müller', 'Adam Lee', 'José Doe', 'Ann Smith', 'Bob Young']
    for (const [i, name] of names.entries()) {
      await handIn(admin, {
        expert_name: name,
        twitter_handle: `@handle_${String(i)}`,
        price_target: 100_000 + i * 1_500,
        target_time: `202${String(7 + (i % 3))}-12-31`,
        notes: i === 1 ? 'Halving in <b>spring</b>' : 'Said so.',
      })
    }
    const ask = async (query: string) => {
      const answer = await admin.call('GET', `${V1}?${query}`)
      return searchSubmissions.reply.parse(answer.body)
    }
    const named = async (query: string) => (await ask(query)).rows.map((row) => row.expert_name)
    const all = await ask('size=2&page=2&sort=expert&dir=asc')
    expect(all.rows.map((row) => row.expert_name)).toEqual(['Bob Young', 'José Doe'])
    expect(all).toMatchObject({
      total: 5,
      counts: { pending: 5, approved: 0, rejected: 0, all: 5 },
    })
    expect((await named('sort=target&dir=desc&size=1'))[0]).toBe('José Doe')
    expect(await named('q=mull')).toEqual(['Zoe Müller'])
    expect(await named('q=jose')).toEqual(['José Doe'])
    expect(await named('q=Jos%C3%A9')).toEqual(['José Doe'])
    expect(await named('q=%40handle_3')).toEqual(['Ann Smith'])
    expect(await named('q=104500')).toEqual(['Ann Smith'])
    expect(await named('q=%24104%2C500')).toEqual(['Ann Smith'])
    expect(await named('q=halv%20adam')).toEqual(['Adam Lee'])
    expect(await named('q=halv%20zoe')).toEqual([])
    expect((await ask('q=so')).total).toBe(4)
    expect((await ask('origin=extraction')).total).toBe(0)
    expect((await ask('status=unpaid')).rows).toEqual([])
  })

  it.each([
    '%00',
    "'",
    "' & | ! <-> :*",
    '\\',
    "'); drop table submissions; --",
    '%',
    '\u{10FFFF}',
    'a'.repeat(200),
    '<script>',
    ')))(((',
    '½ ﬁ',
  ])('take %j as a search like any other', async (q) => {
    await using world = await testApp()
    const admin = await signedIn(world)
    await handIn(admin)
    const query = q === '%00' ? q : encodeURIComponent(q)
    expect((await admin.call('GET', `${V1}?q=${query}`)).status).toBe(200)
    expect(await count(world, 'submissions')).toBe(1)
  })
})

describe('the detail', () => {
  it('suggests who is meant, warns of the same prediction, and tells what has happened', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const first = await handIn(admin)
    const approved = ApprovedReply.parse(
      (await admin.call('POST', `${BASE}/${first}/approve`, {})).body,
    )
    await world.refresh()
    const other = await handIn(admin, { expert_name: 'EXPERT-A', price_target: 151 })
    const third = await handIn(admin, { expert_name: 'A. Expert', price_target: 152.9 })
    const seen = await detail(admin, third)
    expect(seen.suggestions).toEqual([
      {
        id: approved.influencer.id,
        name: 'Expert A',
        slug: 'expert-a',
        x_handle: '@experta',
        predictions: 1,
        why: 'handle',
        sentence: 'Known by the handle @experta.',
      },
    ])
    expect(seen.duplicates.map(({ kind, id }) => [kind, id])).toEqual([
      ['prediction', approved.prediction_id],
      ['submission', other],
    ])
    const decided = await detail(admin, first)
    expect(decided.submission).toMatchObject({ status: 'approved', decided_by: 'Admin A' })
    expect(decided.undo_ms).toBe(10_000)
    expect(decided.audit[0]).toMatchObject({
      username: 'Admin A',
      action: 'submission approved',
      before: { status: 'pending', version: 0 },
      after: { status: 'approved', prediction_id: approved.prediction_id, version: 1 },
    })
    const missing = await admin.call('GET', `${V1}/6f1c3f6e-8a3b-4d8e-9b1a-000000000000`)
    expect(missing.status).toBe(404)
  })
})

describe('editing', () => {
  it('saves what was sent, reads numbers as people mean them, and leaves the rest', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const id = await handIn(admin)
    const edit = (body: object) => admin.call('PUT', `${BASE}/${id}/update`, body)
    const saved = Changed.parse((await edit({ price_target: '$ 100.000', notes: 'New.' })).body)
    expect(saved.message).toBe('Data saved successfully!')
    expect(saved.submission).toMatchObject({
      price_target: 100_000,
      price_prediction: '$100,000',
      notes: 'New.',
      expert_name: 'Expert A',
      version: 1,
    })
    const levels = async (body: object) => {
      const { submission } = Changed.parse((await edit(body)).body)
      const { prediction_type: type, price_target, price_min, price_max } = submission
      return [type, price_target, price_min, price_max, submission.price_prediction]
    }
    const range = { prediction_type: 'range', price_min: '80k', price_max: '120.000' }
    expect((await edit(range)).status).toBe(400)
    expect(await levels({ ...range, price_min: '80,000.50' })).toEqual([
      'range',
      null,
      80_000.5,
      120_000,
      '$80,000.50 - $120,000',
    ])
    expect(await levels({ price_max: 130_000 })).toEqual([
      'range',
      null,
      80_000.5,
      130_000,
      '$80,000.50 - $130,000',
    ])
    expect(await levels({ prediction_type: 'top', price_max: '150,000' })).toEqual([
      'top',
      null,
      null,
      150_000,
      '$150,000',
    ])
    expect(await levels({ prediction_type: 'bottom' })).toEqual([
      'bottom',
      null,
      150_000,
      null,
      '$150,000',
    ])
    expect(
      await levels({ prediction_type: 'pricetimerange', price_min: 90_000, price_max: 90_000 }),
    ).toEqual(['pricetimerange', null, 90_000, 90_000, '$90,000'])
    expect(await levels({ prediction_type: 'target', price_prediction: '95k' })).toEqual([
      'target',
      95_000,
      null,
      null,
      '$95,000',
    ])
    const unread = Refused.parse((await edit({ price_prediction: 'to the moon' })).body)
    expect(unread.fields).toEqual({ price_prediction: 'Please enter a number, such as 100,000.' })
    expect(await count(world, `audit_log where action = 'submission edited'`)).toBe(7)
    expect((await edit({ notes: 'New.' })).status).toBe(200)
    expect(await count(world, `audit_log where action = 'submission edited'`)).toBe(7)
  })

  it('saves the day a prediction was made on its own', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const id = await handIn(admin)
    const save = (day: string | null) =>
      admin.call('PUT', `${BASE}/${id}/prediction-date`, { prediction_made: day })
    const saved = Changed.parse((await save('2025-03-01')).body)
    expect(saved.message).toBe('Prediction date saved successfully!')
    expect(saved.submission.prediction_made).toBe('2025-03-01')
    for (const day of ['2025-02-30', '', null, '2026-11-21', '2028-01-01', "'; --"]) {
      expect([day, (await save(day)).status]).toEqual([day, 400])
    }
  })

  it.each([
    'origin',
    'paid_sats',
    'status',
    'id',
    'decided_by',
    'prediction_id',
    'version2',
    'receipt_hash',
    'contact_address',
  ])('refuses to set %s', async (field) => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const id = await handIn(admin)
    const answer = await admin.call('PUT', `${BASE}/${id}/update`, { [field]: 'approved' })
    expect(answer.status).toBe(400)
    expect((await detail(admin, id)).submission.version).toBe(0)
  })

  it('refuses a stale edit and tells what has changed, by whom', async () => {
    await using world = await testApp()
    const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
    const id = await handIn(a)
    const url = `${BASE}/${id}/update`
    expect((await b.call('PUT', url, { price_target: 120, version: 0 })).status).toBe(200)
    const stale = await a.call('PUT', url, { notes: 'Mine.', version: 0 })
    expect(stale.status).toBe(409)
    const { message, fields } = Refused.parse(stale.body)
    expect(message).toContain('Admin B has changed this submission meanwhile')
    expect(fields?.['price_target']).toBe(
      'Admin B changed it on 20/11/2026 at 12:00 UTC: 150 → 120',
    )
    expect(Object.keys(fields ?? {}).toSorted()).toEqual(['price_prediction', 'price_target'])
    expect((await a.call('PUT', url, { notes: 'Mine.', version: 1 })).status).toBe(200)
    const approve = await b.call('POST', `${BASE}/${id}/approve`, { version: 1 })
    expect(approve.status).toBe(409)
    // The calls of the specification know no version.
    expect((await b.call('POST', `${BASE}/${id}/approve`, {})).status).toBe(200)
  })

  it('takes hostile text as text', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const id = await handIn(admin)
    const url = `${BASE}/${id}/update`
    const tooLong = await admin.call('PUT', url, { notes: 'x'.repeat(10_000) })
    expect(Refused.parse(tooLong.body).fields).toEqual({
      notes: 'Please use at most 2000 characters.',
    })
    const hostile = `<script>alert(1)</script>\u0000'; drop table submissions; --`
    const saved = Changed.parse(
      (
        await admin.call('PUT', url, {
          notes: hostile,
          expert_name: hostile,
          admin_comment: hostile,
        })
      ).body,
    )
    const plain = hostile.replace('\u0000', '')
    expect(saved.submission).toMatchObject({
      notes: plain,
      expert_name: plain,
      admin_comment: plain,
    })
    const key = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
    const leaked = await admin.call('PUT', url, { admin_comment: `Mine is ${key}` })
    expect(leaked.status).toBe(400)
    expect(JSON.stringify(leaked.body)).not.toContain(key)
    expect((await admin.call('PUT', `${BASE}/nonsense/update`, {})).status).toBe(400)
    expect((await admin.call('PUT', `${BASE}/..%2f..%2fetc/update`, {})).status).toBe(400)
  })
})

describe('rejecting', () => {
  it.each(['btc', 'mstr', 'naka'] as const)('asks for a reason for %s', async (asset) => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const paths = {
      btc: '/api/submissions',
      mstr: '/api/mstr/submissions',
      naka: '/api/naka/predictions',
    }
    const id = await handIn(admin, {}, paths[asset])
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
      asset_type: asset,
    })
    const again = await admin.call('PUT', url, { status: 'rejected', admin_comment: 'Spam.' })
    expect(again.status).toBe(409)
    expect(Refused.parse(again.body).message).toBe(
      'Admin A has rejected this submission already on 20/11/2026 at 12:00 UTC.',
    )
    const reopened = await admin.call('PUT', url, { status: 'pending' })
    expect(Changed.parse(reopened.body).submission).toMatchObject({
      status: 'pending',
      decided_by: null,
      admin_comment: null,
    })
    const approved = await admin.call('PUT', url, { status: 'approved' })
    expect(Changed.parse(approved.body).submission.prediction_id).toMatch(/^expert-a-/)
    const back = await admin.call('PUT', url, { status: 'pending' })
    expect(back.status).toBe(409)
  })

  it('rejects several at once, each for itself', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const spam = [await handIn(admin), await handIn(admin, { expert_name: 'Expert B' })]
    const good = await handIn(admin, { expert_name: 'Expert C' })
    await admin.call('POST', `${BASE}/${good}/approve`, {})
    const unknown = '6f1c3f6e-8a3b-4d8e-9b1a-000000000000'
    const url = `${V1}/bulk-reject`
    const ids = [...spam, good, unknown]
    expect((await admin.call('POST', url, { ids })).status).toBe(400)
    const answer = await admin.call('POST', url, { ids, reason: 'Spam.' })
    expect(answer.body).toMatchObject({
      success: true,
      message: '2 of 4 rejected.',
      results: [
        { id: spam[0], ok: true },
        { id: spam[1], ok: true },
        { id: good, ok: false, error: expect.stringContaining('approved this submission already') },
        { id: unknown, ok: false },
      ],
    })
    expect(await count(world, `audit_log where action = 'submission rejected'`)).toBe(2)
    const many = Array.from({ length: 201 }, () => unknown)
    expect((await admin.call('POST', url, { ids: many, reason: 'Spam.' })).status).toBe(400)
  })
})

describe('home', () => {
  it('shows what waits, what was decided today and what has failed', async () => {
    const clock = movingClock('2026-11-19T12:00:00Z')
    await using world = await testApp({ clock })
    const admin = await signedIn(world)
    const oldest = await handIn(admin)
    const yesterday = await handIn(admin, { expert_name: 'Expert Y' })
    await admin.call('PUT', `${BASE}/${yesterday}`, { status: 'rejected', admin_comment: 'No.' })
    clock.pass(86_400_000)
    const again = await signedIn(world)
    const decided = await handIn(again, { expert_name: 'Expert B' })
    await again.call('PUT', `${BASE}/${decided}`, { status: 'rejected', admin_comment: 'No.' })
    await world.database.pool.query(
      `insert into notices (submission_id, event, status, next_try_at, created_at, last_error)
       values ($1, 'rejected', 'failed', $2, $2, 'The address is unknown.')`,
      [decided, new Date(clock.now()).toISOString()],
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
      { kind: 'notice', submission_id: decided, text: expect.stringContaining('unknown') },
    ])
  })
})

describe('influencers', () => {
  it('are listed for both paths with their further names', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    const id = await handIn(admin)
    await admin.call('POST', `${BASE}/${id}/approve`, {})
    for (const path of ['/admin/influencers', '/api/admin/influencers']) {
      const { body } = await admin.call('GET', path)
      expect(listInfluencers.reply.parse(body)).toEqual([
        { id: expect.any(Number), name: HANDED_IN.expert_name, handle: '@experta', aliases: [] },
      ])
    }
  })
})

it('the window of a dry run and its prices are those of the asset', async () => {
  await using world = await testApp()
  const admin = await signedIn(world)
  await withPrices(world, '2026-01-01', [100, 120, 160])
  const id = await handIn(admin)
  const { status, body } = await admin.call('POST', `${V1}/${id}/dry-run`, {})
  expect(status).toBe(200)
  expect(body).toMatchObject({ verdicts: { touch: { outcome: 'hit', date: '2026-01-03' } } })
})

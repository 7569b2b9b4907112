import { type TestApp } from '#tests/support/test-app.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { Changed, count, HANDED_IN, handIn, Refused } from '#tests/support/review.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { adminHome, listInfluencers } from '#contracts/review.ts'

const { site, clock } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

describe('rejecting', () => {
  it.each(['btc', 'mstr', 'naka'] as const)('rejecting asks for a reason for %s', async (asset) => {
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

  it('rejecting several at once takes each for itself', async () => {
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
    const [edited, kept] = [
      await handIn(admin, { expert_name: 'Expert D' }),
      await handIn(admin, { expert_name: 'Expert E' }),
    ]
    await admin.call('PUT', `${BASE}/${edited}/update`, { notes: 'It is none after all.' })
    const versions = { [edited]: 0, [kept]: 0 }
    const stale = await admin.call('POST', url, { ids: [edited, kept], versions, reason: 'Spam.' })
    expect(stale.body).toMatchObject({
      results: [
        {
          id: edited,
          ok: false,
          error: expect.stringContaining('has changed this submission meanwhile (notes)'),
        },
        { id: kept, ok: true },
      ],
    })
    const many = Array.from({ length: 201 }, () => unknown)
    expect((await admin.call('POST', url, { ids: many, reason: 'Spam.' })).status).toBe(400)
  })
})

describe('home', () => {
  it('home shows what waits, what was decided today and what has failed', async () => {
    clock.set('2026-11-19T12:00:00Z')
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

describe('price sources that fail', () => {
  it.each([
    [[['btc', 'kraken']], 'kraken gives no prices of BTC. Away.'],
    [
      [
        ['btc', 'kraken'],
        ['btc', 'kraken live'],
      ],
      'kraken gives no prices of BTC. Away.',
    ],
    [
      [
        ['naka', 'gate live'],
        ['btc', 'kraken'],
        ['btc', 'bitstamp'],
        ['naka', 'gate'],
      ],
      '3 sources fail. BTC: bitstamp, kraken; NAKA: gate.',
    ],
  ])('price sources that fail are one row of home: %j', async (sources, text) => {
    for (const [asset, source] of sources) {
      await world.database.pool.query(
        `insert into price_sources (asset, source, failing_since, last_error_at, last_error)
         values ($1, $2, now(), now(), 'Away.')`,
        [asset, source],
      )
    }
    const home = adminHome.reply.parse((await admin.call('GET', '/api/v1/admin/home')).body)
    expect(home.failed).toMatchObject([{ kind: 'source', text }])
  })
})

describe('influencers', () => {
  it('influencers are listed for both paths with their further names', async () => {
    const id = await handIn(admin)
    await admin.call('POST', `${BASE}/${id}/approve`, {})
    for (const path of ['/admin/influencers', '/api/admin/influencers']) {
      const { body } = await admin.call('GET', path)
      expect(listInfluencers.reply.parse(body)).toEqual([
        { id: expect.any(Number), name: HANDED_IN.expert_name, handle: 'experta', aliases: [] },
      ])
    }
  })
})

// Over 400 lines: lists, detail and edits of submissions, on the same review.

import { randomUUID } from 'node:crypto'
import { expect, it, describe, vi } from 'vitest'
import {
  listInfluencers,
  oneSubmission,
  searchSubmissions,
  SubmissionRow,
  adminHome,
} from '#contracts/review.ts'
import { writeNotices } from '#server/submissions/notices.rows.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import {
  Changed,
  count,
  handIn,
  Refused,
  approve,
  movingClock,
  reject,
  undo,
} from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { shows, waitingForLocks } from '#tests/support/waiting.ts'
import { words } from '#tests/support/words.ts'

const { world, admin, clock } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

const detail = (id: string) => admin.read(oneSubmission, id)

it('lists answer the plain call by asset and status, newest first, with the names of the specification', async () => {
  const first = await handIn(admin)
  clock.pass(1_000)
  const second = await handIn(admin, { expert_name: 'Expert B', email: 'b@example.org' })
  await handIn(admin, { price_target: 500 }, '/api/mstr/submissions')
  expect((await reject(admin, first, 'No such words in the source.')).status).toBe(200)
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
  const empty = await admin.call('GET', `${BASE}?status=&asset=`)
  expect(SubmissionRow.array().parse(empty.body)).toHaveLength(2)
  for (const row of rows) expect((await detail(row.id)).submission).toEqual(row)
})

it('lists page, sort, count and search', async () => {
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
  const ask = (query: string) => admin.read(searchSubmissions, `?${query}`)
  const named = async (query: string) => (await ask(query)).rows.map((row) => row.expert_name)
  const first = await ask('size=2&sort=expert&dir=asc')
  const all = await ask(`size=2&sort=expert&dir=asc&after=${encodeURIComponent(first.next ?? '')}`)
  expect(all.rows.map((row) => row.expert_name)).toEqual(['Bob Young', 'José Doe'])
  expect(all).toMatchObject({ total: 5, counts: { pending: 5, approved: 0, rejected: 0, all: 5 } })
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
  ['submitted', 'desc'],
  ['target', 'asc'],
  ['expert', 'desc'],
  ['paid', 'asc'],
])(
  'lists by %s, %s, page without gaps or repeats while submissions come and go',
  async (sort, dir) => {
    // Two of each name and date, so that the id decides between them.
    const add = async (i: number): Promise<string> => {
      const id = await handIn(admin, {
        expert_name: `${i % 4 < 2 ? 'Élodie' : 'bob'} ${String(i >> 1)}`,
        price_target: 100_000 + i,
        target_time: `20${String(30 + (i >> 1))}-12-31`,
      })
      const { sql } = world.database
      await sql(
        `update submissions set paid_sats = $2, created_at = created_at + $3 * interval '1 microsecond' where id = $1`,
        [id, 100 * (i >> 1), i],
      )
      return id
    }
    const pageAt = async (way = '', place: string | null = '') => {
      const at = way === '' ? '' : `&${way}=${encodeURIComponent(place ?? '')}`
      const page = await admin.read(searchSubmissions, `?sort=${sort}&dir=${dir}&size=3${at}`)
      return { ...page, ids: page.rows.map(({ id }) => id) }
    }
    const stay = new Set<string>()
    for (const i of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) stay.add(await add(i))

    let page = await pageAt()
    const seen = [...page.ids]
    // The first and the last submission of the page are removed; one is added at either end of the list.
    for (const id of [page.ids[0], page.ids[2]]) {
      await reject(admin, id ?? '')
      stay.delete(id ?? '')
    }
    const come = [await add(0), await add(12)]
    while (page.next !== null) {
      page = await pageAt('after', page.next)
      seen.push(...page.ids)
    }
    expect(seen).toHaveLength(new Set(seen).size)
    expect([...stay].filter((id) => !seen.includes(id))).toEqual([])
    expect(page.total).toBe(stay.size + come.length)

    const back = [...page.ids]
    while (page.previous !== null) {
      page = await pageAt('before', page.previous)
      back.unshift(...page.ids)
    }
    expect(back).toHaveLength(new Set(back).size)
    expect(new Set(back)).toEqual(new Set([...stay, ...come]))
    const all = await admin.read(searchSubmissions, `?sort=${sort}&dir=${dir}&size=200`)
    expect(back).toEqual(all.rows.map(({ id }) => id))
  },
)

it('lists treat any search text literally', async () => {
  await handIn(admin)
  for (const q of [
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
  ]) {
    const query = q === '%00' ? q : encodeURIComponent(q)
    expect([q, (await admin.call('GET', `${V1}?q=${query}`)).status]).toEqual([q, 200])
  }
  expect(await count(world, 'submissions')).toBe(1)
})

it('lists refuse an unknown position', async () => {
  for (const query of [
    'page=2',
    'after=',
    'after=nonsense',
    'before=00000000-0000-4000-8000-000000000001',
    'after=00000000-0000-4000-8000-000000000001,yesterday',
    'after=00000000-0000-4000-8000-000000000001,2026-13-41T00:00:00Z',
    'after=00000000-0000-4000-8000-000000000001,0000-01-01T00:00:00Z',
    'sort=target&after=00000000-0000-4000-8000-000000000001,2026-02-30',
    'sort=expert&after=00000000-0000-4000-8000-000000000001,%00',
    'sort=paid&after=00000000-0000-4000-8000-000000000001,1e9',
    'after=00000000-0000-4000-8000-000000000001,2026-01-01T00:00:00Z&before=00000000-0000-4000-8000-000000000001,2026-01-01T00:00:00Z',
  ]) {
    expect([query, (await admin.call('GET', `${V1}?${query}`)).status]).toEqual([query, 400])
  }
})

it('the detail suggests people, warns of duplicates, and shows the history', async () => {
  const first = await handIn(admin)
  const approved = await approve(admin, first)
  await world.refresh()
  const other = await handIn(admin, { expert_name: 'EXPERT-A', price_target: 151 })
  const third = await handIn(admin, { expert_name: 'B. Other', price_target: 152.9 })
  const seen = await detail(third)
  expect(seen.suggestions).toEqual([
    {
      id: approved.influencer.id,
      name: 'Expert A',
      slug: 'expert-a',
      x_handle: 'experta',
      predictions: 1,
      why: 'handle',
      sentence: 'Known by the handle @experta.',
      is_sure: false,
    },
  ])
  expect(seen.duplicates.map(({ kind, id }) => [kind, id])).toEqual([
    ['prediction', approved.prediction_id],
    ['submission', other],
  ])
  const decided = await detail(first)
  expect(decided.submission).toMatchObject({ status: 'approved', decided_by: 'Admin A' })
  expect(decided.undo_ms).toBe(10_000)
  expect(decided.audit[0]).toMatchObject({
    username: 'Admin A',
    action: 'submission approved',
    before: { status: 'pending', version: 0 },
    after: { status: 'approved', prediction_id: approved.prediction_id, version: 1 },
  })
  expect((await admin.call('GET', `${V1}/6f1c3f6e-8a3b-4d8e-9b1a-000000000000`)).status).toBe(404)
})

it('the detail is consistent, even if the submission is decided meanwhile', async () => {
  const id = await handIn(admin)
  const client = await world.database.pool.connect()
  try {
    // The comparison is read after the submission: a lock blocks the reader in between.
    await client.query('begin')
    await client.query('lock table record_state in access exclusive mode')
    const request = detail(id)
    await shows(async () => expect(await waitingForLocks(client)).toBe(1))
    await client.query(
      `update submissions set status = 'approved', version = 1 where id = '${id}'; commit`,
    )
    expect((await request).submission).toMatchObject({ id, status: 'pending', version: 0 })
  } finally {
    client.release(true)
  }
})

it('editing stores the sent fields, parses numbers leniently, and keeps the rest', async () => {
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
  const unread = Refused.parse((await edit({ price_prediction: 'to the moon' })).body)
  expect(unread.fields).toEqual({ price_prediction: 'Please enter a number, such as 100,000.' })
  expect(await count(world, `audit_log where action = 'submission edited'`)).toBe(1)
  expect((await edit({ notes: 'New.' })).status).toBe(200)
  expect(await count(world, `audit_log where action = 'submission edited'`)).toBe(1)
})

it('editing rejects read-only fields', async () => {
  const id = await handIn(admin)
  for (const field of words(
    'origin paid_sats status id decided_by prediction_id version2 receipt_hash contact_address',
  )) {
    const answer = await admin.call('PUT', `${BASE}/${id}/update`, { [field]: 'approved' })
    expect([field, answer.status]).toEqual([field, 400])
  }
  expect((await detail(id)).submission.version).toBe(0)
})

it('editing rejects a stale edit and shows the changes and their author', async () => {
  const [a, b] = [await signedIn(world), await signedIn(world, 'Admin B')]
  const id = await handIn(a)
  const url = `${BASE}/${id}/update`
  expect((await b.call('PUT', url, { price_target: 120, version: 0 })).status).toBe(200)
  const stale = await a.call('PUT', url, { notes: 'Mine.', version: 0 })
  expect(stale.status).toBe(409)
  const { message, fields } = Refused.parse(stale.body)
  expect(message).toContain('Admin B changed this on 20/11/2026')
  expect(fields?.['price_target']).toBe('Admin B, 20/11/2026 at 12:00 UTC: from 150 to 120')
  expect(Object.keys(fields ?? {}).toSorted()).toEqual(['price_prediction', 'price_target'])
  expect((await a.call('PUT', url, { notes: 'Mine.', version: 1 })).status).toBe(200)
  expect((await b.call('POST', `${BASE}/${id}/approve`, { version: 1 })).status).toBe(409)
  // The calls of the specification have no version.
  expect((await b.call('POST', `${BASE}/${id}/approve`, {})).status).toBe(200)
})

it('editing treats hostile text as text', async () => {
  const id = await handIn(admin)
  const url = `${BASE}/${id}/update`
  const hostile = `<script>alert(1)</script>\u0000'; drop table submissions; --`
  const input = { notes: hostile, expert_name: hostile, admin_comment: hostile }
  const saved = Changed.parse((await admin.call('PUT', url, input)).body)
  const plain = hostile.replace('\u0000', '')
  expect(saved.submission).toMatchObject({ notes: plain, expert_name: plain, admin_comment: plain })
  const key = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
  const leaked = await admin.call('PUT', url, { admin_comment: `Mine is ${key}` })
  expect(leaked.status).toBe(400)
  expect(JSON.stringify(leaked.body)).not.toContain(key)
})

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
  const edited = await handIn(admin, { expert_name: 'Expert D' })
  const stored = await handIn(admin, { expert_name: 'Expert E' })
  await admin.call('PUT', `${BASE}/${edited}/update`, { notes: 'Not a prediction after all.' })
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
  const five = await handIn(admin, { price_target: 500 })
  const ids = [five, await handIn(admin, { price_target: 600 })]
  const twice = await handIn(admin)
  const stranger = await handIn(admin, { expert_name: 'Expert Z', twitter_handle: '' })
  const results = await call('bulk-approve', { ids: [...ids, twice, stranger] })
  expect(results.map(({ ok }) => ok)).toEqual([true, true, false, false])
  expect(results[2]?.error).toMatch(/the same|already|duplicate/i)
  clock.set('2026-11-20T12:00:04Z')
  const theirs = await handIn(admin, { expert_name: 'Expert B' })
  await reject(await signedIn(world, 'Admin B'), theirs)
  await world.sql(
    `update submissions set contact_kind = 'npub', contact_address = 'npub1' where id = any($1)`,
    [[...ids, theirs]],
  )
  // The time to undo, here its last moment, runs from the decision to the request, however long that takes. A job that writes
  // notices before each of them writes only that of another administrator's decision.
  let ms = clock.now() + 1_000
  const now = vi.spyOn(clock, 'now').mockImplementation(() => (ms += 2_000))
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
  const notices = await world.sql(`select ref from outbox where kind = 'notice'`)
  expect(notices).toEqual([{ ref: theirs }])
  expect(await count(world, `submissions where status = 'approved'`)).toBe(1)
  const stale = await call('bulk-approve', { ids, versions: { [five]: 0 } })
  expect(stale.map(({ ok }) => ok)).toEqual([false, true])
})

it("home shows pending submissions, today's decisions and posts that could not be read", async () => {
  clock.set('2026-11-19T12:00:00Z')
  const oldest = await handIn(admin)
  await reject(admin, await handIn(admin, { expert_name: 'Expert Y' }))
  clock.pass(86_400_000)
  const again = await signedIn(world)
  const decided = await handIn(again, { expert_name: 'Expert B' })
  await reject(again, decided)
  await world.sql(
    `insert into tweet_queue (url, post_id, status, step, created_at, processed_at, error_message)
     values ('https://x.com/a/status/1', '1', 'failed', '', now(), now(), 'Gone.')`,
  )
  const home = await again.read(adminHome)
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
  // However many price sources fail, they are one row.
  for (const [sources, text] of [
    ["('btc', 'kraken'), ('btc', 'kraken live')", 'kraken gives no prices of BTC. Away.'],
    [
      "('btc', 'bitstamp'), ('naka', 'gate live'), ('naka', 'gate')",
      '3 sources fail. BTC: bitstamp, kraken; NAKA: gate.',
    ],
  ] as const) {
    await world.sql(
      `insert into price_sources (asset, source, failing_since, last_error_at, last_error)
       select asset, source, now(), now(), 'Away.' from (values ${sources}) as failing (asset, source)`,
    )
    const { failed } = await again.read(adminHome)
    expect(failed, 'latest first').toMatchObject([{ kind: 'source', text }, { kind: 'queue' }])
  }
})

it('influencers are listed with their handles and other names', async () => {
  await approve(admin, await handIn(admin))
  expect(await admin.read(listInfluencers)).toEqual([
    { id: expect.any(Number), name: 'Expert A', handle: 'experta', aliases: [] },
  ])
})

describe('undoing', () => {
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
    expect((await a.read(oneSubmission, id)).undo_ms).toBe(1)
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

  it('is refused once the submitter has been notified', async () => {
    const id = await handIn(admin)
    await admin.call('POST', `${V1}/bulk-reject`, { ids: [id], reason: 'Spam.' })
    await world.sql(
      `insert into outbox (kind, key, ref, lane, created_at, updated_at)
       values ('notice', $1, $2, 'email', now(), now())`,
      [`${id} rejected`, id],
    )
    expect(Refused.parse((await undo(admin, id)).body).message).toMatch(/already been notified/)
  })

  it('is refused after a later change or a published signature', async () => {
    const id = await handIn(admin)
    await approve(admin, id)
    await admin.call('PUT', `${BASE}/${id}/update`, { prediction_outcome: 'ongoing' })
    expect((await undo(admin, id)).status).toBe(409)
    const second = await handIn(admin, { expert_name: 'Expert B', twitter_handle: null })
    const { prediction_id } = await approve(admin, second)
    await world.sql(
      `insert into social_posts (id, kind, state, networks, pictures, prediction_id, created_by, created_at, updated_at)
       values (gen_random_uuid(), 'manual', 'draft', '{x}', '[]', $1, $2, now(), now())`,
      [prediction_id, admin.id],
    )
    const refused = await undo(admin, second)
    expect([refused.status, Refused.parse(refused.body).message]).toEqual([
      409,
      'Something already refers to the prediction, such as a post. Please withdraw it instead.',
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

  it('happens once, however often it is pressed', async () => {
    const id = await handIn(admin)
    await approve(admin, id)
    const answers = await Promise.all([undo(admin, id), undo(admin, id), undo(admin, id)])
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409, 409])
    expect(await count(world, 'predictions')).toBe(0)
  })
})

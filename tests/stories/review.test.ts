// Over 400 lines: lists, detail and edits of submissions, on the same review.
import { words } from '#tests/support/words.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { ApprovedReply, Changed, count, handIn, Refused, HANDED_IN } from '#tests/support/review.ts'
import { expect, it } from 'vitest'
import { oneSubmission, searchSubmissions, SubmissionRow } from '#contracts/review.ts'
const { world, admin, clock } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

async function detail(admin: SignedInBrowser, id: string) {
  const { body } = await admin.call('GET', `${V1}/${id}`)
  return oneSubmission.reply.parse(body, { error: () => JSON.stringify(body) })
}

it('lists answer the plain call by asset and status, newest first, with the names of the specification', async () => {
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
  const empty = await admin.call('GET', `${BASE}?status=&asset=`)
  expect(SubmissionRow.array().parse(empty.body)).toHaveLength(2)
  for (const row of rows) expect((await detail(admin, row.id)).submission).toEqual(row)
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
  const ask = async (query: string) => {
    const answer = await admin.call('GET', `${V1}?${query}`)
    return searchSubmissions.reply.parse(answer.body)
  }
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
      const { pool } = world.database
      await pool.query(
        `update submissions set paid_sats = $2, created_at = created_at + $3 * interval '1 microsecond' where id = $1`,
        [id, 100 * (i >> 1), i],
      )
      return id
    }
    const goes = (id: string | undefined) =>
      admin.call('PUT', `${BASE}/${id ?? ''}`, { status: 'rejected', admin_comment: 'No.' })
    const pageAt = async (way = '', place: string | null = '') => {
      const at = way === '' ? '' : `&${way}=${encodeURIComponent(place ?? '')}`
      const answer = await admin.call('GET', `${V1}?sort=${sort}&dir=${dir}&size=3${at}`)
      const page = searchSubmissions.reply.parse(answer.body)
      return { ...page, ids: page.rows.map(({ id }) => id) }
    }
    const stay = new Set<string>()
    for (const i of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) stay.add(await add(i))

    let page = await pageAt()
    const seen = [...page.ids]
    // The first one and the last of the page are removed; one is added at either end.
    for (const id of [page.ids[0], page.ids[2]]) {
      await goes(id)
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
    const whole = await admin.call('GET', `${V1}?sort=${sort}&dir=${dir}&size=200`)
    expect(back).toEqual(searchSubmissions.reply.parse(whole.body).rows.map(({ id }) => id))
  },
)

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

it('the detail suggests people, warns of duplicates, and shows the history', async () => {
  const first = await handIn(admin)
  const approved = ApprovedReply.parse(
    (await admin.call('POST', `${BASE}/${first}/approve`, {})).body,
  )
  await world.refresh()
  const other = await handIn(admin, { expert_name: 'EXPERT-A', price_target: 151 })
  const third = await handIn(admin, { expert_name: 'B. Other', price_target: 152.9 })
  const seen = await detail(admin, third)
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
  const decided = await detail(admin, first)
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
  expect((await detail(admin, id)).submission.version).toBe(0)
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
  const tooLong = await admin.call('PUT', url, { notes: 'x'.repeat(10_000) })
  expect(Refused.parse(tooLong.body).fields).toEqual({
    notes: 'Please use at most 2000 characters.',
  })
  const handed = await admin.call('POST', '/api/submissions', {
    ...HANDED_IN,
    notes: 'x'.repeat(10_000),
  })
  expect(Refused.parse(handed.body).fields).toEqual({
    notes: 'Please use at most 2000 characters.',
  })
  const unknown = { ...HANDED_IN, prediction_type: 'moon', notes: 5 }
  const strange = await admin.call('POST', '/api/submissions', unknown)
  expect(Refused.parse(strange.body).fields).toEqual({
    prediction_type: 'Please choose one of: target, range, pricetimerange, top, bottom.',
    notes: 'Please give a text.',
  })
  const hostile = `<script>alert(1)</script>\u0000'; drop table submissions; --`
  const saved = Changed.parse(
    (await admin.call('PUT', url, { notes: hostile, expert_name: hostile, admin_comment: hostile }))
      .body,
  )
  const plain = hostile.replace('\u0000', '')
  expect(saved.submission).toMatchObject({ notes: plain, expert_name: plain, admin_comment: plain })
  const key = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
  const leaked = await admin.call('PUT', url, { admin_comment: `Mine is ${key}` })
  expect(leaked.status).toBe(400)
  expect(JSON.stringify(leaked.body)).not.toContain(key)
  expect((await admin.call('PUT', `${BASE}/nonsense/update`, {})).status).toBe(400)
  expect((await admin.call('PUT', `${BASE}/..%2f..%2fetc/update`, {})).status).toBe(400)
})

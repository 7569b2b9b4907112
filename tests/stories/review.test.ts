import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { oneSubmission, searchSubmissions } from '#contracts/review.ts'
import { writeNotices } from '#server/submissions/notices.rows.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import {
  approve,
  count,
  handIn,
  movingClock,
  Refused,
  reject,
  undo,
} from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { shows, waitingForLocks } from '#tests/support/waiting.ts'

// `tests/texts/stories/` has what the answers say.
const { world, admin, clock } = adminSite()

const BASE = '/api/admin/prediction_submissions'
const V1 = '/api/v1/admin/submissions'

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

it('the detail is consistent, even if the submission is decided meanwhile', async () => {
  const id = await handIn(admin)
  const client = await world.database.pool.connect()
  try {
    // The comparison is read after the submission: a lock blocks the reader in between.
    await client.query('begin')
    await client.query('lock table record_state in access exclusive mode')
    const request = admin.read(oneSubmission, id)
    await shows(async () => expect(await waitingForLocks(client)).toBe(1))
    await client.query(
      `update submissions set status = 'approved', version = 1 where id = '${id}'; commit`,
    )
    expect((await request).submission).toMatchObject({ id, status: 'pending', version: 0 })
  } finally {
    client.release(true)
  }
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

it('only one of two simultaneous decisions on a submission wins', async () => {
  const admins = [admin, await signedIn(world, 'Admin B')]
  const decide = async (id: string, n: number) =>
    n % 3 === 0
      ? reject(admins[n % 2]!, id)
      : admins[n % 2]!.call('POST', `${BASE}/${id}/approve`, {})
  for (let round = 0; round < 4; round += 1) {
    const id = await handIn(admin, { expert_name: `Expert ${String(round)}` })
    // An approval comes first in every other round.
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => decide(id, n + (round % 2))))
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
    const late = answers.find(({ status }) => status === 409)
    expect(Refused.parse(late?.body).message).toMatch(
      /^Admin [AB] already (?:approved|rejected) this submission on 20\/11\/2026 at 12:00 UTC\.$/,
    )
    const approved = await count(world, `submissions where status = 'approved'`)
    for (const [table, each] of [
      ['predictions', 1],
      ['verdicts', 2],
      [`prediction_events where kind = 'published'`, 1],
      [`audit_log where action = 'submission approved'`, 1],
    ] as const) {
      expect([table, await count(world, table)]).toEqual([table, each * approved])
    }
  }
})

it("a submitter's notes are never public", async () => {
  const notes = 'between you and me'
  const { prediction_id: at } = await approve(admin, await handIn(admin, { notes }))
  await world.refresh()
  for (const url of ['/api/predictions', `/api/v1/predictions/${at}`, '/feed.xml', '/feed.json']) {
    const { statusCode, body } = await world.app.inject({ url })
    expect([url, statusCode, body.includes(notes)]).toEqual([url, 200, false])
  }
  const rows = await world.sql(
    'select (select json_agg(p) from predictions p)::text || (select json_agg(e) from prediction_events e)::text as all',
  )
  expect(rows[0]?.all).toContain(at)
  expect(rows[0]?.all).not.toContain(notes)
})

it('undoing is possible before anything is signed for good', async () => {
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

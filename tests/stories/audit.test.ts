import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { auditLog } from '#server/database/schema/admins.ts'
import { influencers } from '#server/database/schema/predictions.ts'
import { writeAudit } from '#server/kit/admin.ts'
import { isoNow } from '#server/kit/time.ts'
import { csvLine } from '#server/open-data/tables.ts'
import { addToQueue } from '#server/posts/queue/post-queue.store.ts'
import { correctedOn } from '#tests/support/corrected.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { login, script, signedIn } from '#tests/support/sign-in.ts'

const metricsToken = 'a-token-of-sixteen-or-more'
const { world, admin, clock } = adminSite({ settings: { admin: { metricsToken } } })

const URL = '/api/v1/admin/audit'

/** Entries of ten days by two people, with formulas that spreadsheets would run. */
async function fill(): Promise<void> {
  await world.database.db.delete(auditLog)
  for (let i = 1; i <= 10; i += 1) {
    await writeAudit(world.database.db, {
      at: `2026-11-${String(i).padStart(2, '0')}T23:59:00.000Z`,
      admin: null,
      username: i % 2 === 0 ? 'Admin A' : 'Admin B',
      action: i > 8 ? 'prediction edited' : 'submission rejected',
      subject: { kind: i > 8 ? 'prediction' : 'delivery', id: `s${String(i)}` },
      before: { note: `before ${String(i)}` },
      after: { note: i === 3 ? '=cmd|" /C calc"!A1' : `after ${String(i)}` },
      reason: i === 3 ? '=HYPERLINK("https://example.org"),\n"quoted"' : null,
    })
  }
}

it('an entry of the audit log has the name of its subject, whatever its kind', async () => {
  const { db } = world.database
  await correctedOn(world)
  const [expert] = await db.select().from(influencers).where(eq(influencers.name, 'Expert A'))
  const [link] = await addToQueue(db, [{ postId: '1', url: 'https://x.com/a/status/1' }], {
    now: isoNow({ clock }),
    links: false,
  })
  const named = {
    expert: [expert?.id, 'Expert A'],
    goalpost: ['a → b', 'Expert A: BTC $150 by 10/01/2024 → BTC $180 by 10/01/2024'],
    'tweet queue': [link, 'x.com/a/status/1'],
    report: [7, 'Report 7'],
    'price source': ['btc kraken', 'BTC from kraken'],
    'price jump': ['btc 2024-12-05', 'BTC on 05/12/2024'],
    prices: ['btc', 'BTC'],
    delivery: ['mail', null],
  } as const
  await db.delete(auditLog)
  for (const [kind, [id = 0]] of Object.entries(named))
    await writeAudit(db, { at: isoNow({ clock }), admin: null, action: 'x', subject: { kind, id } })
  const rows = await db.select().from(auditLog)
  expect(Object.fromEntries(rows.map((row) => [row.subjectKind, row.subjectName]))).toEqual(
    Object.fromEntries(Object.entries(named).map(([kind, [, name]]) => [kind, name])),
  )
})

it('exports the whole audit log as JSON lines', async () => {
  await world.sql(
    `insert into audit_log (at, username, action, subject_kind, subject_id)
     select '2026-11-01', 'Admin A', 'bulk', 'thing', n::text from generate_series(1, 2500) n`,
  )
  const { headers } = admin
  const url = `${URL}/export?format=jsonl&action=bulk`
  const { body } = await world.app.inject({ url, headers })
  const lines = body.trimEnd().split('\n')
  expect(lines).toHaveLength(2_500)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ subject: '2500', who: 'Admin A' })
  expect(new Set(lines).size).toBe(2_500)
})

it('exports the audit log as CSV without formulas', async () => {
  await fill()
  const { headers } = admin
  const answer = await world.app.inject({ url: `${URL}/export?to=2026-11-04`, headers })
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
  expect(answer.headers['cache-control']).toBe('no-store')
  const rows: Record<string, string>[] = parse(answer.body, { columns: true, bom: true })
  expect(rows.map((row) => row['subject'])).toEqual(['s4', 's3', 's2', 's1'])
  expect(rows[1]?.['reason']).toBe('\'=HYPERLINK("https://example.org"),\n"quoted"')
  expect(JSON.parse(rows[1]?.['after'] ?? '')).toEqual({ note: '=cmd|" /C calc"!A1' })
})

it.each([
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
])('the audit log writes %j as %j', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})

describe('a refusal', () => {
  const entries = () =>
    world.sql(
      `select action, subject_id as subject, username as by, after from audit_log
       where action in ('sign-in failed', 'sign-in locked out', 'call refused') order by id`,
    )
  /** Counts of the metrics since the process began. */
  const counts = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const { body } = await world.app.inject({ url: '/metrics', headers })
    return [
      'sign_ins_total{outcome="wrong password"}',
      'sign_ins_total{outcome="locked out"}',
      'refusals_total{why="role"}',
      'refusals_total{why="not signed in"}',
    ].map((name) => Number(body.split(`\nproof_of_price_${name} `)[1]?.split('\n')[0] ?? 0))
  }
  const settled = () => world.admins.refusals.flush()

  it('logs each refusal with account, reason and address, but not the input', async () => {
    const reviewer = await signedIn(world, 'Reviewer', 'reviewer')
    const from = '198.51.100.7'
    const before = await counts()
    for (let n = 0; n < 8; n += 1) {
      await login(world, { password: `guess ${String(n)}` }, from)
    }
    await login(world, { username: 'my-secret-password', password: 'x' }, '2001:db8::5')
    const bearer = await script(admin)
    const settings = '/api/v1/admin/social/settings'
    await reviewer.call('PUT', settings, {})
    await world.app.inject({ method: 'DELETE', url: '/api/v1/admin/sessions', headers: bearer })
    await world.app.inject({
      method: 'POST',
      url: '/api/admin/logout',
      headers: { ...admin.headers, 'sec-fetch-site': 'cross-site' },
    })
    await world.app.inject({
      url: '/api/admin/test',
      headers: { authorization: `Bearer ${'x'.repeat(40)}` },
    })
    await world.app.inject({ url: '/api/admin/test' })
    await settled()
    const found = await entries()
    const id = String(admin.id)
    const call = 'PUT /api/v1/admin/social/settings'
    expect(found).toEqual(
      expect.arrayContaining([
        {
          action: 'sign-in failed',
          subject: id,
          by: 'visitor',
          after: expect.objectContaining({
            why: 'wrong password',
            name: 'Admin A',
            address: from,
            times: 4,
          }),
        },
        expect.objectContaining({ action: 'sign-in locked out', subject: id }),
        {
          action: 'sign-in failed',
          subject: null,
          by: 'visitor',
          after: { why: 'unknown name', name: 'unknown name', address: '2001:db8:0:0' },
        },
        expect.objectContaining({
          after: { why: 'role', name: 'Reviewer', call, address: reviewer.remoteAddress },
        }),
        expect.objectContaining({
          by: 'Admin A',
          after: {
            why: 'token for the account',
            name: 'Admin A',
            call: 'DELETE /api/v1/admin/sessions',
            address: '127.0.0.1',
          },
        }),
        expect.objectContaining({
          after: expect.objectContaining({ why: 'another site', name: 'Admin A' }),
        }),
        expect.objectContaining({ after: expect.objectContaining({ why: 'token not valid' }) }),
      ]),
    )
    expect(JSON.stringify(found)).not.toMatch(/guess|secret-password|xxxx/)
    const after = await counts()
    const [wrong = 0, locked = 0, ...refusals] = after.map((n, i) => n - (before[i] ?? 0))
    expect(wrong).toBeGreaterThan(0)
    expect(locked).toBeGreaterThan(0)
    expect([wrong + locked, ...refusals]).toEqual([8, 1, 2])
  })

  it('counts refusals of one network in a single entry per hour', async () => {
    const tries = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await login(world, { username: `name ${String(n)}`, password: 'x' }, '198.51.100.7')
        clock.pass(60_000)
      }
      await settled()
    }
    const unknown = async () =>
      (await entries()).filter(({ after }) => after['why'] === 'unknown name')
    await tries(1)
    const after = { why: 'unknown name', name: 'unknown name', address: '198.51.100.7' }
    expect(await unknown()).toEqual([
      { action: 'sign-in failed', subject: null, by: 'visitor', after },
    ])
    const [from, to] = [clock.now() - 60_000, clock.now() + 3 * 60_000]
    await tries(4)
    const iso = (ms: number) => new Date(ms).toISOString()
    const counted = { ...after, times: 5, from: iso(from), to: iso(to) }
    expect((await unknown()).map((one) => one.after)).toEqual([counted])
    clock.pass(3_600_000)
    await tries(1)
    expect((await unknown()).map((one) => one.after)).toEqual([counted, after])
    // The same network is not counted as another.
    await login(world, { username: 'name', password: 'x' }, '198.51.100.8')
    await settled()
    expect((await unknown())[1]?.after).toMatchObject({ times: 2, address: '198.51.100.0/24' })
  })

  it('refusals cannot fill the disk: repeats within an hour are one entry with a count', async () => {
    const tries = 45
    for (let n = 0; n < tries; n += 1) {
      const address = `203.${String(n)}.0.1`
      await login(world, { username: `name ${String(n)}`, password: 'x' }, address)
    }
    // It cannot hide entries about an account, either.
    await login(world, { password: 'guess' }, '203.0.113.8')
    await settled()
    const all = await entries()
    const after = { why: 'wrong password', name: 'Admin A', address: '203.0.113.8' }
    const own = all.filter((one) => one.after['name'] === 'Admin A')
    expect(own).toMatchObject([{ action: 'sign-in failed', after }])
    const found = all.filter((one) => !own.includes(one))
    expect(found.length).toBeGreaterThan(10)
    expect(found.length).toBeLessThanOrEqual(32)
    expect(found.reduce((sum, { after }) => sum + Number(after['times'] ?? 1), 0)).toBe(tries)
    // The next hour starts from zero.
    clock.pass(3_600_001)
    await login(world, { username: 'name', password: 'x' }, '203.0.113.9')
    await settled()
    expect(await entries()).toHaveLength(all.length + 1)
  })
})

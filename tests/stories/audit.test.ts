import { correctedOn } from '#tests/support/corrected.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { handIn } from '#tests/support/review.ts'
import { beforeEach, expect, it } from 'vitest'
import { listAudit } from '#contracts/operations.ts'
import { csvCell } from '#server/operations/audit-log.service.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import { parse } from 'csv-parse/sync'

const { site } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const URL = '/api/v1/admin/audit'

/** Entries of ten days by two people, and what every program that opens tables would run. */
async function fill(): Promise<void> {
  await world.database.db.delete(auditLog)
  for (let i = 1; i <= 10; i += 1) {
    await writeAudit(world.database.db, {
      at: `2026-11-${String(i).padStart(2, '0')}T23:59:00.000Z`,
      admin: null,
      username: i % 2 === 0 ? 'Admin A' : 'Admin B',
      action: i > 8 ? 'prediction edited' : 'submission rejected',
      subject: { kind: i > 8 ? 'prediction' : 'submission', id: `s${String(i)}` },
      before: { note: `before ${String(i)}` },
      after: { note: i === 3 ? '=cmd|" /C calc"!A1' : `after ${String(i)}` },
      reason: i === 3 ? '=HYPERLINK("https://example.org"),\n"quoted"' : null,
    })
  }
}

async function list(admin: SignedInBrowser, query: string) {
  return listAudit.reply.parse((await admin.call('GET', `${URL}?${query}`)).body)
}

it('the audit log is filtered by who, what, which, when and words', async () => {
  await fill()
  const ids = async (query: string) => (await list(admin, query)).rows.map((row) => row.subject)
  const all = await list(admin, '')
  expect(all).toMatchObject({
    total: 10,
    pages: 1,
    known: {
      who: ['Admin A', 'Admin B'],
      actions: ['prediction edited', 'submission rejected'],
      kinds: ['prediction', 'submission'],
    },
  })
  expect(all.rows[0]).toEqual({
    id: expect.any(Number),
    at: '2026-11-10T23:59:00.000Z',
    who: 'Admin A',
    action: 'prediction edited',
    kind: 'prediction',
    subject: 's10',
    about: null,
    before: { note: 'before 10' },
    after: { note: 'after 10' },
    reason: null,
  })
  expect(await ids('who=Admin+B&action=prediction+edited')).toEqual(['s9'])
  expect(await ids('kind=submission&id=s4')).toEqual(['s4'])
  expect(await ids('from=2026-11-03&to=2026-11-04')).toEqual(['s4', 's3'])
  expect(await ids('q=hyperlink')).toEqual(['s3'])
  expect(await ids('q=before+7')).toEqual(['s7'])
  expect(await ids('q=%00%27%25&who=%00')).toEqual([])
  expect(await ids('page=2')).toEqual([])
  expect((await admin.call('GET', `${URL}?from=yesterday`)).status).toBe(400)
})

it('the audit log calls people, predictions, submissions and accounts by their names, and finds them by these', async () => {
  const on = await correctedOn(world)
  await on.change('POST', '/withdraw', { reason: 'In doubt' })
  const made = await handIn(admin, { expert_name: 'Old Split' })
  const rejected = await admin.call('PUT', `/api/admin/submissions/${made}`, {
    status: 'rejected',
    admin_comment: 'No source',
  })
  expect(rejected.status).toBe(200)
  await world.app.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload: { username: 'Admin A', password: 'wrong' },
  })
  await world.admins.refusals.flush()
  const { rows } = await list(admin, '')
  const about = (action: string) => rows.find((row) => row.action === action)?.about
  expect(about('prediction withdrawn')).toEqual({
    name: 'Expert A: BTC $150 by 10/01/2024',
    asset_type: 'btc',
  })
  expect(about('submission rejected')).toEqual({
    name: 'Old Split: BTC $150 by 31/12/2027',
    asset_type: 'btc',
  })
  expect(about('sign-in failed')).toEqual({ name: 'Admin A', asset_type: null })
  const found = async (q: string) =>
    (await list(admin, `q=${encodeURIComponent(q)}`)).rows.map((row) => row.action)
  expect(await found('old split rejected')).toEqual(['submission rejected'])
  expect(await found('expert a withdrawn')).toEqual(['prediction withdrawn'])
  const { headers } = admin
  const answer = await world.app.inject({
    url: `${URL}/export?action=prediction+withdrawn`,
    headers,
  })
  const exported: Record<string, string>[] = parse(answer.body, { columns: true, bom: true })
  expect(exported.map((row) => row['about'])).toEqual(['Expert A: BTC $150 by 10/01/2024'])
})

it('the audit log goes into a CSV file in which nothing is a formula', async () => {
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
  expect(csvCell(text)).toBe(cell)
})

it('the audit log goes into JSON lines, all of it, however long', async () => {
  await world.database.pool.query(
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

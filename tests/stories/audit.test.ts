import { listAudit } from '#contracts/operations.ts'
import { csvCell } from '#server/operations/audit-log.service.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'

const URL = '/api/v1/admin/audit'

/** Entries of ten days by two people, and what every program that opens tables would run. */
async function fill(world: TestApp): Promise<void> {
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

describe('the audit log', () => {
  it('the audit log is filtered by who, what, which, when and words', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    await fill(world)
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

  it('the audit log goes into a CSV file in which nothing is a formula', async () => {
    await using world = await testApp()
    const admin = await signedIn(world)
    await fill(world)
    const { headers } = admin
    const answer = await world.app.inject({ url: `${URL}/export?to=2026-11-04`, headers })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
    expect(answer.headers['cache-control']).toBe('no-store')
    const rows: Record<string, string>[] = parse(answer.body, { columns: true })
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
    await using world = await testApp()
    const admin = await signedIn(world)
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

  it('the audit log is for administrators only', async () => {
    await using world = await testApp()
    for (const url of [URL, `${URL}/export`]) {
      expect((await world.app.inject({ url })).statusCode).toBe(401)
    }
  })
})

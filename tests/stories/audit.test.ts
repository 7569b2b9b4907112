import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { auditLog } from '#server/database/schema/admins.ts'
import { influencers } from '#server/database/schema/predictions.ts'
import { writeAudit } from '#server/kit/admin.ts'
import { isoNow } from '#server/kit/time.ts'
import { csvLine } from '#server/open-data/tables.ts'
import { addToQueue } from '#server/posts/queue/post-queue.store.ts'
import { correctedOn } from '#tests/support/corrected.ts'
import { adminSite } from '#tests/support/empty-site.ts'

const { world, admin, clock } = adminSite()

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

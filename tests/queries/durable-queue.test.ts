import { startDurableQueue } from '#server/kit/durable-queue.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { until } from '#tests/support/waiting.ts'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'

it('a job that failed is recorded with what was wrong, without the statement and its values', async () => {
  await using database = await testDatabase()
  const { pool } = database
  const full = Object.assign(new Error('No space left\0 on device'), { code: '53100' })
  const queue = startDurableQueue({
    pool,
    log: SILENT,
    name: 'failing',
    policy: 'standard',
    options: { retryLimit: 0 },
    ensureEveryMs: 60_000,
    texts: { waits: '', failed: '' },
    begin: async (boss) => {
      await boss.send('failing', {})
      await boss.work('failing', { pollingIntervalSeconds: 0.5 }, () =>
        queue.run(() => Promise.reject(new DrizzleQueryError('insert into t', ['\0secret'], full))),
      )
    },
    ensure: () => {},
  })
  const recorded = async () =>
    (
      await pool.query<{ output: string }>(
        `select output::text from jobs.job where name = 'failing' and state = 'failed'`,
      )
    ).rows
  await until(async () => queue.boss() !== null && (await recorded()).length > 0)
  await queue.stop()
  const output = (await recorded())[0]?.output
  expect(output).toContain('No space left on device')
  expect(output).not.toMatch(/insert into|secret/)
})

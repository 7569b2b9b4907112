import { sendSignals } from '#server/kit/signals.ts'
import { type Role } from '#server/kit/settings/config.ts'
import { openSite } from '#server/site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testDatabase, type TestDatabase } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { shows } from '#tests/support/waiting.ts'
import { expect, it, vi } from 'vitest'

/** A call with this rate limit per minute. */
const POLLED = { timeout: 60_000, interval: 300 }

/** A started process of this role; it makes no outside calls. */
async function started(database: TestDatabase, role: Role) {
  const kit = testKit(database.url, { settings: { role, prices: { on: true } } })
  const ports = testPorts(kit, { prices: { daily: [], feeds: [] } })
  const site = await openSite(kit, ports, { busy: { afterMs: 0, sampleMs: 5_000 } })
  site.start()
  const stop = async (): Promise<void> => {
    await site.stop({ linger: () => Promise.resolve() })
    await kit[Symbol.asyncDispose]()
  }
  return { ...site, kit, stop }
}

const hasRows = async ({ pool }: TestDatabase, table: string): Promise<boolean> =>
  (await pool.query(`select 1 from ${table} limit 1`)).rows.length > 0

it('the web role serves pages and leaves all jobs to a worker, whose work it shows', async () => {
  await using database = await testDatabase()
  const web = await started(database, 'web')
  await web.imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  await web.imports.predictions(JSON.stringify([entry('a')]))
  const admin = await signedIn({ ...web, database })
  const urls = 'https://x.com/someone/status/1234567890'
  expect((await admin.call('POST', '/api/tweet-queue', { urls, process: true })).status).toBe(200)
  expect(await hasRows(database, 'scores')).toBe(false)

  const worker = await started(database, 'worker')
  await shows(() => expect(worker.prices.isLeader()).toBe(true))
  await shows(async () => expect(await hasRows(database, 'scores')).toBe(true))
  await vi.waitFor(async () => {
    expect((await web.app.inject('/api/v1/scores')).statusCode).toBe(200)
  }, POLLED)
  await shows(async () => {
    const { rows } = await database.pool.query('select status from tweet_queue')
    expect(rows).toEqual([{ status: 'failed' }])
  })
  expect(web.prices.isLeader()).toBe(false)

  // A price from the worker reaches the streams of the web process.
  const at = web.kit.clock.now()
  const value = { asset: 'btc', price: 104, at, source: 'kraken' }
  await shows(async () => {
    await sendSignals(worker.kit.db, [{ topic: 'price', id: 'btc', value }])
    expect(web.live.last('btc')).toMatchObject({ price: 104 })
  })
  await worker.stop()
  await web.stop()
})

it('a worker answers its monitoring, and refers others to the pages', async () => {
  await using database = await testDatabase()
  const worker = await started(database, 'worker')
  const status = async (url: string) => (await worker.app.inject(url)).statusCode
  expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([
    200, 200, 401,
  ])
  for (const url of ['/', '/btc', '/api/predictions', '/api/v1/live', '/admin', '/metrics/x']) {
    const answer = await worker.app.inject(url)
    expect([url, answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      url,
      404,
      'This process does jobs. Pages and calls are at http://localhost:3001.',
    ])
  }
  await worker.stop()
})

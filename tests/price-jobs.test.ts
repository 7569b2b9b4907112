import { startPriceJobs } from '#server/jobs/price-jobs.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { shows } from '#tests/support/waiting.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const SOURCES = (['bitstamp', 'kraken', 'coinbase'] as const).map((name) => ({
  asset: 'btc' as const,
  name,
}))

describe('the jobs that read prices', () => {
  it('go on in another process after one was killed', async () => {
    await using database = await testDatabase()
    // Its jobs run for ever, and then it loses every connection at once, as by kill -9.
    const pool = new pg.Pool({ connectionString: database.url })
    pool.on('error', () => {})
    const held = new Set<string>()
    const killed = startPriceJobs({
      pool,
      log: silent,
      sources: SOURCES,
      history: {
        bringUpToDate: (_, name) => {
          held.add(name)
          return new Promise(() => {})
        },
        latestRun: () => Promise.resolve(null),
      },
    })
    await shows(() => expect(held.size).toBe(3))
    await pool.end()
    const asked = new Set<string>()
    const other = startPriceJobs({
      pool: database.pool,
      log: silent,
      sources: SOURCES,
      superviseSeconds: 1,
      history: {
        bringUpToDate: async (_, name) => {
          asked.add(name)
          return Date.now() + 600_000
        },
        latestRun: () => Promise.resolve(null),
      },
    })
    try {
      await shows(() => expect(asked.size).toBe(3))
    } finally {
      await Promise.all([killed.stop(), other.stop()])
    }
  })

  it('are moved up when a clock that had jumped ahead has set them for far away', async () => {
    await using database = await testDatabase()
    let asked = 0
    const jobs = startPriceJobs({
      pool: database.pool,
      log: silent,
      sources: SOURCES.slice(0, 1),
      ensureEveryMs: 500,
      history: {
        bringUpToDate: () => {
          asked += 1
          return Promise.resolve(Date.now() + 30 * 86_400_000)
        },
        latestRun: () => Promise.resolve(Date.now()),
      },
    })
    try {
      await shows(() => expect(asked).toBeGreaterThan(1))
    } finally {
      await jobs.stop()
    }
  }, 30_000)
})

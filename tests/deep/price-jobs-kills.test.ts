import { startPriceJobs } from '#server/prices/prices.jobs.ts'
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
  it('the jobs that read prices go on in another process after one was killed', async () => {
    await using database = await testDatabase()
    // Its jobs run for ever, and then it loses every connection at once, as by kill -9.
    const pool = new pg.Pool({ connectionString: database.url })
    pool.on('error', () => {})
    const held = new Set<string>()
    const killed = startPriceJobs({
      pool,
      log: silent,
      sources: SOURCES,
      bringUpToDate: (_, name) => {
        held.add(name)
        return new Promise(() => {})
      },
      latestRun: () => Promise.resolve(null),
    })
    await shows(() => expect(held.size).toBe(3))
    await pool.end()
    const asked = new Set<string>()
    const other = startPriceJobs({
      pool: database.pool,
      log: silent,
      sources: SOURCES,
      superviseSeconds: 1,
      bringUpToDate: async (_, name) => {
        asked.add(name)
        return Date.now() + 600_000
      },
      latestRun: () => Promise.resolve(null),
    })
    try {
      await shows(() => expect(asked.size).toBe(3))
    } finally {
      await Promise.all([killed.stop(), other.stop()])
    }
  })

  it('the jobs that read prices ask for earlier days beside the current one, also after a process was killed', async () => {
    await using database = await testDatabase()
    const pool = new pg.Pool({ connectionString: database.url })
    pool.on('error', () => {})
    const [current, earlier] = [new Set<string>(), new Set<string>()]
    const given = {
      log: silent,
      sources: SOURCES.slice(0, 1),
      bringUpToDate: (_: unknown, name: string) => {
        current.add(name)
        return Promise.resolve(Date.now() + 600_000)
      },
      latestRun: () => Promise.resolve(null),
    }
    let began = false
    const hangs = (): Promise<null> => {
      began = true
      return new Promise(() => {})
    }
    const killed = startPriceJobs({
      ...given,
      pool,
      deeper: { sources: SOURCES.slice(0, 1), deepen: hangs },
    })
    await shows(() => expect(began).toBe(true))
    await pool.end()
    const deepen = (_: unknown, name: string): Promise<number> => {
      earlier.add(name)
      return Promise.resolve(Date.now() + 600_000)
    }
    const other = startPriceJobs({
      ...given,
      pool: database.pool,
      superviseSeconds: 1,
      deeper: { sources: SOURCES.slice(0, 1), deepen },
    })
    try {
      await shows(() => expect([...earlier, ...current]).toEqual(['bitstamp', 'bitstamp']))
    } finally {
      await Promise.all([killed.stop(), other.stop()])
    }
  })
})

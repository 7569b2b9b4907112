import { startPriceJobs } from '#server/prices/prices.jobs.ts'
import { JOBS_SCHEMA } from '#server/kit/durable-queue.ts'
import { sharedByFile } from '#tests/support/once-for-file.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { describe, expect, it } from 'vitest'
import { shows } from '#tests/support/waiting.ts'

const SOURCES = (['bitstamp', 'kraken', 'coinbase'] as const).map((name) => ({
  asset: 'btc' as const,
  name,
}))

const database = sharedByFile(testDatabase, async ({ pool }) => {
  await pool.query(`drop schema if exists ${JOBS_SCHEMA} cascade`)
})

describe('the jobs that read prices', () => {
  it('the jobs that read prices ask for earlier days beside the current one', async () => {
    const asked = new Set<string>()
    const note = (what: string) => async (_: unknown, name: string) => {
      asked.add(`${what} of ${name}`)
      return Date.now() + 600_000
    }
    const jobs = startPriceJobs({
      pool: database.pool,
      log: SILENT,
      pollSeconds: 0.5,
      sources: SOURCES,
      bringUpToDate: note('the current day'),
      latestRun: () => Promise.resolve(null),
      deeper: { sources: SOURCES.slice(0, 1), deepen: note('earlier days') },
    })
    try {
      await shows(() =>
        expect([...asked].toSorted()).toEqual([
          'earlier days of bitstamp',
          'the current day of bitstamp',
          'the current day of coinbase',
          'the current day of kraken',
        ]),
      )
    } finally {
      await jobs.stop()
    }
  })

  it('the jobs that read prices wait in silence for those of another process, and say so when it holds them for long', async () => {
    const began = new Set<string>()
    const gate = Promise.withResolvers<void>()
    const first = startPriceJobs({
      pool: database.pool,
      log: SILENT,
      pollSeconds: 0.5,
      sources: SOURCES,
      bringUpToDate: async (_, name) => {
        began.add(name)
        await gate.promise
        return Date.now() + 600_000
      },
      latestRun: () => Promise.resolve(null),
    })
    await shows(() => expect(began.size).toBe(3))
    /** Another process, and how often it was turned away. */
    const another = (blockedForMs: number) => {
      const lines: string[] = []
      const state = { refused: 0 }
      const query = async (text: string, values?: unknown[]) =>
        database.pool.query(text, values).catch((error: unknown) => {
          state.refused += 1
          throw error
        })
      const pool = new Proxy(database.pool, {
        get: (of, key) => (key === 'query' ? query : Reflect.get(of, key, of)),
      })
      const warn = (_: object, line: string): void => void lines.push(line)
      const jobs = startPriceJobs({
        pool,
        log: { ...SILENT, warn },
        pollSeconds: 0.5,
        sources: SOURCES,
        blockedForMs,
        bringUpToDate: () => Promise.resolve(Date.now() + 600_000),
        latestRun: () => Promise.resolve(null),
      })
      return { jobs, lines, state }
    }
    const [calm, worried] = [another(600_000), another(0)]
    try {
      await shows(() => expect(calm.state.refused).toBeGreaterThan(1))
      await shows(() => expect(worried.lines.join()).toContain('holding a job of this source'))
      expect(calm.lines).toEqual([])
    } finally {
      gate.resolve()
      await Promise.all([first.stop(), calm.jobs.stop(), worried.jobs.stop()])
    }
  })

  it('the jobs that read prices are moved up when a clock that had jumped ahead has set them for far away', async () => {
    let asked = 0
    const jobs = startPriceJobs({
      pool: database.pool,
      log: SILENT,
      pollSeconds: 0.5,
      sources: SOURCES.slice(0, 1),
      ensureEveryMs: 500,
      bringUpToDate: () => {
        asked += 1
        return Promise.resolve(Date.now() + 30 * 86_400_000)
      },
      latestRun: () => Promise.resolve(Date.now()),
    })
    try {
      await shows(() => expect(asked).toBeGreaterThan(1))
    } finally {
      await jobs.stop()
    }
  }, 30_000)
})

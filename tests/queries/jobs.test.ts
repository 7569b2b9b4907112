import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { acquireLock, type Db } from '#server/kit/db.ts'
import { type JobDefinition } from '#server/kit/job-workers.ts'
import { openJobs, type JobPace } from '#server/kit/jobs.ts'
import { closedDatabase } from '#tests/support/databases.ts'
import { testDatabase, type TestDatabase } from '#tests/support/test-app.ts'
import { testKit } from '#tests/support/test-site.ts'
import { shows, until } from '#tests/support/waiting.ts'

type Data = { readonly n: number }
const PACE = { superviseSeconds: 1, retrySeconds: 1 }

/** A separate process with one job, ready to send and to work. */
async function process(
  { url }: TestDatabase,
  run: (n: number, signal: AbortSignal) => Promise<void>,
  overrides: Partial<JobDefinition<Data>> = {},
  pace: JobPace = PACE,
) {
  const message: string[] = []
  const warn = (_: object, text: string): void => void message.push(text)
  const kit = testKit(url, { log: { info: warn, warn, error: warn } })
  const jobs = openJobs(kit, pace)
  const job = jobs.define({
    name: 'counting',
    title: 'Counting',
    data: z.object({ n: z.int() }),
    run: ({ n }, signal) => run(n, signal),
    ...overrides,
  })
  await jobs.prepare()
  const close = async (): Promise<void> => {
    await jobs.stop()
    await kit[Symbol.asyncDispose]()
  }
  return { ...kit, jobs, job, said: message, [Symbol.asyncDispose]: close }
}

describe('a job', () => {
  it('is sent by its transaction, and starts within a second of the commit', async () => {
    await using database = await testDatabase()
    const ran: number[] = []
    await using one = await process(database, async (n) => void ran.push(n))
    one.jobs.work()
    await expect(
      one.db.transaction(async (tx: Db) => {
        await one.job.send(tx, { n: 1 })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    const times: number[] = []
    for (let n = 2; n < 12; n += 1) {
      await one.db.transaction((tx) => one.job.send(tx, { n }))
      const sent = performance.now()
      await until(() => ran.includes(n))
      times.push(performance.now() - sent)
    }
    expect(ran).not.toContain(1)
    expect(times.filter((ms) => ms > 1_000)).toEqual([])
  })

  it('with a key is queued once, keeps the earlier time, and never runs twice at once', async () => {
    await using database = await testDatabase()
    let running = 0
    let most = 0
    const runs: number[] = []
    const run = async (n: number): Promise<void> => {
      if (n !== OTHER) most = Math.max(most, (running += 1))
      // As long as two polls of the queue.
      await two.pool.query('select pg_sleep(0.05)')
      if (n !== OTHER) running -= 1
      runs.push(n)
    }
    const OTHER = 100
    const key = ({ n }: Data): string => (n === OTHER ? 'other' : 'same')
    await using one = await process(database, run, { key })
    await using two = await process(database, run, { key })
    await one.job.send(one.db, { n: 1 }, 3_600)
    one.jobs.work()
    two.jobs.work()
    await one.job.send(one.db, { n: OTHER })
    await until(() => runs.length > 0)
    expect(runs).toEqual([OTHER])
    for (let n = 0; n < 20; n += 1) await (n % 2 ? one : two).job.send(one.db, { n })
    await shows(async () => {
      const rows = await database.sql(`select 1 from jobs.job where state < 'completed'`)
      expect(rows).toEqual([])
    })
    expect(most).toBe(1)
    expect(runs.length).toBeLessThan(21)
  })

  it('whose key is running does not block other keys', async () => {
    await using database = await testDatabase()
    const ran: number[] = []
    let go = (): void => {}
    const run = async (n: number): Promise<void> => {
      ran.push(n)
      if (ran.length === 1) await new Promise<void>((done) => (go = done))
    }
    // pg-boss checks running keys with each supervision.
    const slow = { superviseSeconds: 600 }
    await using one = await process(database, run, { key: ({ n }) => String(n), atOnce: 2 }, slow)
    one.jobs.work()
    await one.job.send(one.db, { n: 1 })
    await until(() => ran.length === 1)
    await one.job.send(one.db, { n: 1 })
    await one.job.send(one.db, { n: 2 })
    await until(() => ran.includes(2))
    go()
    await until(() => ran.length === 3)
    expect(ran).toEqual([1, 2, 1])
  })

  it('whose key was running at the start of a process runs there once the key is free', async () => {
    await using database = await testDatabase()
    const ran: number[] = []
    const key = { key: ({ n }: Data) => String(n) }
    await using _ = await process(database, async () => {}, key)
    await database.sql(`update jobs.queue set singletons_active = '{7}'`)
    await using two = await process(database, async (n) => void ran.push(n), key)
    two.jobs.work()
    await two.job.send(two.db, { n: 7 })
    // pg-boss would poll its queues again after 60 seconds.
    await vi.waitFor(() => expect(ran).toEqual([7]), 30_000)
  })

  it('that fails is retried, then listed with its reason, while others continue', async () => {
    await using database = await testDatabase()
    const full = Object.assign(new Error('No space left\0 on device'), { code: '53100' })
    let isBroken = true
    const ran: number[] = []
    const run = async (n: number): Promise<void> => {
      if (n === 1 && isBroken) throw new DrizzleQueryError('insert into t', ['\0secret'], full)
      ran.push(n)
    }
    await using one = await process(database, run, { retry: { limit: 1 } })
    await one.job.send(one.db, { n: 1 })
    await one.job.send(one.db, { n: 2 })
    // As a newer version may have sent it.
    await one.job.send(one.db, { n: 'three' } as never)
    one.jobs.work()
    await shows(async () => expect(await one.jobs.failed()).toHaveLength(2))
    const failed = await one.jobs.failed()
    const reasons = failed.map(({ title, tries, reason }) => `${title} ${String(tries)}: ${reason}`)
    expect(reasons.toSorted()[0]).toBe('Counting 2: No space left on device')
    expect(reasons.join()).toMatch(/expected int|expected number/)
    expect(reasons.join()).not.toMatch(/insert into|secret/)
    expect(ran).toEqual([2])
    expect(one.said.filter((text) => text.startsWith('Counting has failed'))).not.toEqual([])
    isBroken = false
    const again = failed.find(({ reason }) => reason.includes('No space'))
    expect(await one.jobs.retry(one.db, again?.id ?? '')).toBe(true)
    await until(() => ran.includes(1))
    expect(await one.jobs.retry(one.db, again?.id ?? '')).toBe(false)
  })

  it('that fails while another of its key waits to be retried is not listed', async () => {
    await using database = await testDatabase()
    let runs = 0
    const run = async (n: number): Promise<void> => {
      runs += 1
      // A change during the run, which may be too late for this run.
      if (n === 1) await one.job.send(one.db, { n: 2 })
      throw new Error('broken')
    }
    await using one = await process(database, run, { key: () => 'same' }, { retrySeconds: 600 })
    one.jobs.work()
    await one.job.send(one.db, { n: 1 })
    const states = async () =>
      await database.sql(`select name || ' ' || state as is from jobs.job order by 1`)
    await shows(async () => {
      const found = (await states()).map(({ is }) => is)
      expect(found).toEqual(['counting failed', 'counting retry', 'failed created'])
    })
    expect([runs, await one.jobs.failed()]).toEqual([2, []])
  })

  it('that failed is retried by running the next of its key at once, if one is queued', async () => {
    await using database = await testDatabase()
    let isBroken = true
    let runs = 0
    const run = async (): Promise<void> => {
      if (isBroken) throw new Error('broken')
      runs += 1
    }
    await using one = await process(database, run, { key: () => 'same', retry: { limit: 0 } })
    await one.job.send(one.db, { n: 1 })
    await one.jobs.drain()
    await one.job.send(one.db, { n: 1 }, 3_600)
    isBroken = false
    const [failed] = await one.jobs.failed()
    expect(await one.jobs.retry(one.db, failed?.id ?? '')).toBe(true)
    await one.jobs.drain()
    const rows = await database.sql(`select 1 from jobs.job where name = 'failed'`)
    expect([runs, rows, await one.jobs.retry(one.db, failed?.id ?? '')]).toEqual([1, [], false])
  })

  it('that hangs is cancelled, its signal aborted, and others continue; jobs of a killed process run elsewhere', async () => {
    await using database = await testDatabase()
    let aborted = 0
    const ran: number[] = []
    /** The first never ends, and ignores its signal. */
    const hang = (n: number, signal: AbortSignal): Promise<void> => {
      if (n > 1) return Promise.resolve(void ran.push(n))
      signal.addEventListener('abort', () => (aborted += 1))
      return new Promise(() => {})
    }
    await using one = await process(database, hang, { withinSeconds: 1, retry: { limit: 0 } })
    await one.job.send(one.db, { n: 1 })
    await one.job.send(one.db, { n: 2 })
    one.jobs.work()
    const reasons = async () => (await one.jobs.failed()).map(({ reason }) => reason)
    await shows(async () => expect(await reasons()).toEqual(['It ran longer than its time limit.']))
    await until(() => ran.includes(2))
    expect(aborted).toBe(1)
    await one.jobs.stop()

    const killed = await process(database, () => new Promise(() => {}), { name: 'other' })
    await killed.job.send(killed.db, { n: 7 })
    killed.jobs.work()
    const active = `update jobs.job set heartbeat_on = heartbeat_on - interval '11 seconds'
      where name = 'other' and state = 'active' returning 1`
    await until(
      async () =>
        (await database.sql(active.replace(/set .*\n/, 'set name = name\n'))).length === 1,
    )
    // It loses every connection at once, as by kill -9.
    await killed.signals.stop()
    await killed.pool.end()
    await database.sql(active)
    await using other = await process(database, async (n) => void ran.push(n), { name: 'other' })
    other.jobs.work()
    await until(() => ran.length > 1)
    expect(ran).toEqual([2, 7])
    await killed.jobs.stop()
  })

  it('with a schedule is queued again after each run, once for all processes, even after a clock was set back', async () => {
    await using database = await testDatabase()
    const ran: number[] = []
    const every = { seconds: 3_600, data: [{ n: 1 }] }
    const input = { key: () => 'all', every }
    const run = async (n: number) => void ran.push(n)
    const waiting = async () =>
      (
        await database.sql(
          `select round(extract(epoch from start_after - now()) / 60)::int as s from jobs.job where state < 'active'`,
        )
      ).map(({ s }) => s)
    {
      await using one = await process(database, run, input)
      await using two = await process(database, run, input)
      one.jobs.work()
      two.jobs.work()
      await shows(async () => expect(await waiting()).toEqual([60]))
      expect(ran).toEqual([1])
    }
    await database.sql(
      `update jobs.job set start_after = start_after + interval '1 day' where state < 'active'`,
    )
    {
      await using again = await process(database, run, input)
      again.jobs.work()
      await until(() => ran.length === 2)
      // pg-boss skips keys that ran at its last poll.
      const running = `select 1 from jobs.job where state = 'active'
        union all select 1 from jobs.queue where cardinality(singletons_active) > 0`
      await shows(async () => expect((await database.sql(running)).length).toBe(0))
    }
    await using alone = await process(database, run, input)
    await alone.jobs.drain('counting')
    expect(ran).toEqual([1, 1, 1])
  })

  it('runs after the later of two concurrent transactions that queue it', async () => {
    await using database = await testDatabase()
    const ran: number[] = []
    await using one = await process(database, async (n) => void ran.push(n), { key: () => 'same' })
    const [begun, end] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
    const earlier = one.db.transaction(async (tx) => {
      await one.job.send(tx, { n: 1 })
      begun.resolve(null)
      await end.promise
    })
    await begun.promise
    const later = one.db.transaction(async (tx) => {
      await one.job.send(tx, { n: 2 })
      await one.jobs.drain()
    })
    const blocked = `select 1 from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and locktype like 'transaction%' and not granted`
    await until(async () => (await database.sql(blocked)).length !== 0)
    end.resolve(null)
    await Promise.all([earlier, later])
    expect(ran).toEqual([])
    await one.jobs.drain()
    expect(ran).toEqual([1])
  })

  it.each([
    ['to be retried', `set state = 'retry', start_after = now() + interval '1 day'`],
    [
      'of a killed process',
      `set state = 'active', heartbeat_seconds = 1, started_on = now() + interval '1 day', heartbeat_on = now() + interval '1 day'`,
    ],
  ])('%s runs soon after the clock of the database was set back', async (_, changed) => {
    await using database = await testDatabase()
    const ran: number[] = []
    const every = { seconds: 3_600, data: [{ n: 1 }] }
    const input = { key: () => 'all', every, retry: { seconds: 1, mostSeconds: 2 } }
    await using one = await process(database, async (n) => void ran.push(n), input)
    await one.job.send(one.db, { n: 1 })
    await database.sql(`update jobs.job ${changed} where name = 'counting'`)
    one.jobs.work()
    await vi.waitFor(() => expect(ran).toEqual([1]), 30_000)
  })

  it('with a schedule stays in the future if another process queues it first', async () => {
    await using database = await testDatabase()
    const ran: number[] = []
    const every = { seconds: 3_600, data: [{ n: 1 }] }
    const input = { key: ({ n }: Data) => String(n), every }
    await using one = await process(database, async (n) => void ran.push(n), input)
    await one.db.transaction(async (tx) => {
      await acquireLock(tx, 'schedule of counting')
      one.jobs.work()
      const blocked = `select 1 from pg_locks join pg_database d on d.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`
      await until(async () => (await database.sql(blocked)).length !== 0)
      await one.job.send(one.db, { n: 1 }, 3_600)
    })
    await one.job.send(one.db, { n: 2 })
    await until(() => ran.length > 0)
    expect(ran).toEqual([2])
  })
})

it('a job whose name only a newer version knows waits for it, while others continue', async () => {
  await using database = await testDatabase()
  const ran: string[] = []
  await using newer = await process(database, async (n) => void ran.push(`newer ${String(n)}`), {
    name: 'newer',
  })
  await newer.job.send(newer.db, { n: 1 })
  await using one = await process(database, async (n) => void ran.push(String(n)))
  one.jobs.work()
  await one.job.send(one.db, { n: 2 })
  await until(() => ran.length > 0)
  expect(one.jobs.titleOf('newer')).toBe(
    'newer (unknown to this version, waits for one that runs it)',
  )
  newer.jobs.work()
  await until(() => ran.length > 1)
  expect(ran).toEqual(['2', 'newer 1'])
})

it('jobs resume by themselves when the database is back, even one that was running', async () => {
  await using database = await testDatabase()
  const ran: number[] = []
  let begun = 0
  let goOn = (): void => {}
  const isAway = new Promise<void>((done) => (goOn = done))
  const run = async (n: number): Promise<void> => {
    begun += 1
    if (n === 2) await isAway
    await one.pool.query('select 1')
    ran.push(n)
  }
  await using one = await process(database, run)
  one.jobs.work()
  await one.job.send(one.db, { n: 1 })
  await until(() => ran.includes(1))
  await one.job.send(one.db, { n: 2 })
  await until(() => begun === 2)
  {
    await using away = await closedDatabase(database)
    goOn()
    await expect(one.job.send(one.db, { n: 2 })).rejects.toThrow('Failed query')
    await shows(() => expect(one.said).toContain('Counting waits for the database.'))
    await away.open()
  }
  await one.job.send(one.db, { n: 3 })
  await until(() => ran.includes(3))
  one.said.length = 0
  {
    await using away = await closedDatabase(database)
    await shows(() => expect(one.said).toContain('Running jobs waits for the database.'))
    await away.open()
  }
  // Nothing could record its failure: its heartbeat is missed.
  await database.sql(
    `update jobs.job set heartbeat_on = heartbeat_on - interval '11 seconds' where state = 'active'`,
  )
  await until(() => ran.includes(2))
  expect([ran, begun]).toEqual([[1, 3, 2], 4])
})

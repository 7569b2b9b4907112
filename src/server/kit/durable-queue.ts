import { type Log } from './ports.ts'
import { withLock } from './db.ts'
import { onlyText } from '#domain/clean-text.ts'
import { troubleOf } from './trouble.ts'
import { type Pool } from 'pg'
import type { PgBoss, QueueOptions, QueuePolicy } from 'pg-boss'

/** Where the tables of durable jobs live. */
export const JOBS_SCHEMA = 'jobs'

const LOCK = 'proof-of-price jobs'
const SUPERVISE_SECONDS = 5
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const STOP_WITHIN_MS = 3_000
const MOST_SAID = 1_000

/** A job that fails is tried again after seconds, then minutes; what has ended is kept for a day. */
export const TRIED_AGAIN = {
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  deleteAfterSeconds: 86_400,
} as const

export type DurableQueue = {
  /** What works on the jobs; null before its start and while the database is away. */
  readonly boss: () => PgBoss | null
  /** Aborted when the queue stops. */
  readonly ending: AbortSignal
  /** Logs a failure: one line when trouble begins, the next one only after a job has run again. */
  readonly trouble: (error: unknown) => void
  /** Runs a job: its failure is logged, and thrown for the queue to try again. */
  readonly run: <T>(job: () => Promise<T>) => Promise<T>
  /** Calls `ensure` now; does nothing before the start, for which `begin` sets what is needed. */
  readonly ensureNow: () => void
  readonly stop: () => Promise<void>
}

/**
 * Starts the jobs of one queue. It returns at once and keeps trying while the database is away; several processes share
 * the jobs.
 *
 * @param begin sets the workers up, once the queue is there
 * @param ensure gives a job to whatever should have one, in case a process was killed between the two
 */
export function startDurableQueue({
  pool,
  log,
  name,
  policy,
  options,
  executeSql = (text, values) => pool.query(text, values),
  superviseSeconds = SUPERVISE_SECONDS,
  ensureEveryMs,
  texts,
  begin,
  ensure,
}: {
  pool: Pool
  log: Log
  name: string
  /** How many jobs of one key there may be; a queue keeps the one that it was made with. */
  policy: QueuePolicy
  options: QueueOptions
  executeSql?: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  /** How often the silence of workers is looked for, and how old may be what one knows of the jobs that run. */
  superviseSeconds?: number | undefined
  ensureEveryMs: number
  texts: { readonly waits: string; readonly failed: string }
  begin: (boss: PgBoss) => Promise<void>
  ensure: (boss: PgBoss) => Promise<void> | void
}): DurableQueue {
  const ending = new AbortController()
  let boss: PgBoss | null = null
  let timer: NodeJS.Timeout | null = null
  let ensuring: NodeJS.Timeout | null = null
  let pauseMs = FIRST_PAUSE_MS
  let isTroubled = false

  function trouble(error: unknown): void {
    if (isTroubled || ending.signal.aborted) return
    isTroubled = true
    const { said, isLost } = troubleOf(error)
    log.warn({}, isLost ? texts.waits : `${texts.failed}: ${said}`)
  }

  function ensureOf(of: PgBoss): void {
    void (async () => ensure(of))().catch(trouble)
  }

  async function start(): Promise<void> {
    timer = null
    let next: PgBoss | null = null
    try {
      const { PgBoss: Boss } = await import('pg-boss')
      next = new Boss({
        schema: JOBS_SCHEMA,
        schedule: false,
        warningQueueSize: 10_000,
        superviseIntervalSeconds: superviseSeconds,
        monitorIntervalSeconds: superviseSeconds,
        queueCacheIntervalSeconds: superviseSeconds,
        db: { executeSql },
      })
      const of = next
      of.on('error', trouble)
      // The first worker of all makes the tables, and would trip over what another has half made.
      await withLock(pool, LOCK, () => of.start())
      await of.createQueue(name, { policy, ...options })
      // One that an older version has made keeps its settings otherwise.
      await of.updateQueue(name, options)
      if (ending.signal.aborted) {
        await of.stop({ graceful: false })
        return
      }
      boss = of
      await begin(of)
      if (ending.signal.aborted) return
      ensuring = setInterval(ensureOf, ensureEveryMs, of)
      pauseMs = FIRST_PAUSE_MS
    } catch (error) {
      trouble(error)
      boss = null
      await next?.stop({ graceful: false }).catch(trouble)
      if (ending.signal.aborted) return
      timer = setTimeout(() => void start(), pauseMs)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  timer = setTimeout(() => void start(), 0)
  return {
    boss: () => boss,
    ending: ending.signal,
    trouble,
    run: async (job) => {
      try {
        const done = await job()
        isTroubled = false
        return done
      } catch (error) {
        trouble(error)
        // The queue writes the failure down: never with a statement and its values, which PostgreSQL may not even take.
        throw new Error(onlyText(troubleOf(error).said.slice(0, MOST_SAID)))
      }
    },
    ensureNow: () => {
      if (boss && !ending.signal.aborted) ensureOf(boss)
    },
    stop: async () => {
      ending.abort()
      if (timer) clearTimeout(timer)
      if (ensuring) clearInterval(ensuring)
      await boss?.stop({ close: false, graceful: true, timeout: STOP_WITHIN_MS }).catch(trouble)
    },
  }
}

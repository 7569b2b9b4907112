import { ASSET_KEYS } from '#domain/asset.ts'
import { type DailySource, type Log } from '#server/ports.ts'
import { type PriceHistory } from '#server/services/price-history.ts'
import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { startBoss } from './start-boss.ts'
import { troubleOf } from './trouble.ts'

/** One job for each source: it brings the source up to date and sets the next one, in whichever process takes it. */
const QUEUE = 'price-history'
const SCHEMA = 'jobs'

const Data = z.object({ asset: z.enum(ASSET_KEYS), source: z.string() })
type Data = z.infer<typeof Data>

const QUEUE_OPTIONS = {
  // At most one waiting and one running of each key.
  policy: 'stately',
  expireInSeconds: 900,
  // A process that was killed is noticed by its silence: a job that it held blocks the next one of its source.
  heartbeatSeconds: 10,
  retryLimit: 50,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  deleteAfterSeconds: 86_400,
} as const
/** How often silence is looked for, and how old may be what a worker knows of the jobs that run. */
const SUPERVISE_SECONDS = 5
const POLL_SECONDS = 2
const WORKERS = 3
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A chain that broke, such as by a process killed between two jobs, is begun again within this time. */
const ENSURE_EVERY_MS = 10 * 60_000
const STOP_WITHIN_MS = 3_000

export type PriceJobs = { readonly stop: () => Promise<void> }

/**
 * Starts the durable jobs, in a schema of their own. It returns at once and keeps trying while the database is away;
 * several processes share the jobs, and each runs once.
 */
export function startPriceJobs({
  pool,
  log,
  history,
  sources,
  superviseSeconds = SUPERVISE_SECONDS,
  ensureEveryMs = ENSURE_EVERY_MS,
}: {
  pool: Pool
  log: Log
  history: Pick<PriceHistory, 'bringUpToDate' | 'latestRun'>
  sources: readonly Pick<DailySource, 'asset' | 'name'>[]
  superviseSeconds?: number
  ensureEveryMs?: number
}): PriceJobs {
  const ending = new AbortController()
  let boss: PgBoss | null = null
  let timer: NodeJS.Timeout | null = null
  let ensuring: NodeJS.Timeout | null = null
  let pauseMs = FIRST_PAUSE_MS
  let isTroubled = false

  /** One line when trouble begins; the next one only after a job has run again. */
  function trouble(error: unknown): void {
    if (isTroubled || ending.signal.aborted) return
    isTroubled = true
    const { said, isLost } = troubleOf(error)
    const text = isLost
      ? 'Jobs that read prices wait for the database.'
      : `A job that reads prices failed and is tried again: ${said}`
    log.warn({}, text)
  }

  async function executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      return await pool.query(text, values)
    } catch (error) {
      // The library takes this one for an empty queue and keeps silent.
      if (isBlocked(error)) trouble(new Error('another process still holds a job of this source'))
      throw error
    }
  }

  async function start(): Promise<void> {
    timer = null
    try {
      const { PgBoss: Boss } = await import('pg-boss')
      const next = new Boss({
        schema: SCHEMA,
        schedule: false,
        warningQueueSize: 1_000,
        superviseIntervalSeconds: superviseSeconds,
        monitorIntervalSeconds: superviseSeconds,
        queueCacheIntervalSeconds: superviseSeconds,
        db: { executeSql },
      })
      next.on('error', trouble)
      await startBoss(pool, next)
      await next.createQueue(QUEUE, QUEUE_OPTIONS)
      // One that an older version has made keeps its settings otherwise.
      const { heartbeatSeconds, expireInSeconds } = QUEUE_OPTIONS
      await next.updateQueue(QUEUE, { heartbeatSeconds, expireInSeconds })
      if (ending.signal.aborted) {
        await next.stop({ graceful: false })
        return
      }
      boss = next
      // What was set before is set anew: a key or an address may have changed since.
      await next.deleteQueuedJobs(QUEUE)
      await ensure(next)
      await next.work(
        QUEUE,
        { pollingIntervalSeconds: POLL_SECONDS, localConcurrency: WORKERS },
        async (jobs: readonly { data: unknown }[]) => {
          for (const job of jobs) await work(next, Data.parse(job.data))
        },
      )
      ensuring = setInterval(() => void ensure(next).catch(trouble), ensureEveryMs)
      pauseMs = FIRST_PAUSE_MS
    } catch (error) {
      trouble(error)
      if (ending.signal.aborted) return
      const half = boss
      boss = null
      await half?.stop({ graceful: false }).catch(trouble)
      timer = setTimeout(() => void start(), pauseMs)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  async function ensure(of: PgBoss): Promise<void> {
    for (const { asset, name } of sources) {
      await send(of, { asset, source: name }, null)
      // A clock that had jumped ahead may have set it for a day that is far away.
      const latest = await history.latestRun(asset, name)
      if (latest === null) continue
      await pool.query(
        `update ${SCHEMA}.job set start_after = to_timestamp($3::float8 / 1000)
         where name = $1 and singleton_key = $2 and state in ('created', 'retry')
           and start_after > to_timestamp($3::float8 / 1000)`,
        [QUEUE, keyOf({ asset, source: name }), latest],
      )
    }
  }

  async function send(of: PgBoss, data: Data, startAfter: Date | null): Promise<void> {
    await of.send(QUEUE, data, {
      singletonKey: keyOf(data),
      ...(startAfter ? { startAfter } : {}),
    })
  }

  async function work(of: PgBoss, data: Data): Promise<void> {
    const next = await history
      .bringUpToDate(data.asset, data.source, ending.signal)
      .catch((error: unknown) => {
        trouble(error)
        throw error
      })
    isTroubled = false
    if (next !== null) await send(of, data, new Date(next))
  }

  timer = setTimeout(() => void start(), 0)
  return {
    stop: async () => {
      ending.abort()
      if (timer) clearTimeout(timer)
      if (ensuring) clearInterval(ensuring)
      await boss?.stop({ close: false, graceful: true, timeout: STOP_WITHIN_MS }).catch(trouble)
    },
  }
}

/** A unique index has refused to start a second job of one source. */
function isBlocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

function keyOf({ asset, source }: Data): string {
  return `${asset} ${source}`
}

import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { type Log } from '#server/kit/ports.ts'
import { type DailySource } from './ports.ts'
import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { JOBS_SCHEMA, startDurableQueue, TRIED_AGAIN } from '#server/kit/durable-queue.ts'

/**
 * One job for each source, and one for its earlier days: it brings the source up to date and sets the next one, in whichever
 * process takes it.
 */
const QUEUE = 'price-history'

const Data = z.object({
  asset: z.enum(ASSET_KEYS),
  source: z.string(),
  /** The highs and lows of earlier days, instead of the current one. */
  deeper: z.literal(true).optional(),
})
type Data = z.infer<typeof Data>

const QUEUE_OPTIONS = {
  ...TRIED_AGAIN,
  expireInSeconds: 900,
  // A process that was killed is noticed by its silence: a job that it held blocks the next one of its source.
  heartbeatSeconds: 10,
  retryLimit: 50,
}
const POLL_SECONDS = 2
const WORKERS = 3
/** A chain that broke, such as by a process killed between two jobs, is begun again within this time. */
const ENSURE_EVERY_MS = 10 * 60_000
/** A process that was killed is noticed far sooner, and so is a first reading of all prices through. */
const BLOCKED_FOR_MS = 5 * 60_000

export type PriceJobs = { readonly stop: () => Promise<void> }

/** Starts the jobs that read prices, each in one process at a time. */
export function startPriceJobs({
  pool,
  log,
  sources,
  bringUpToDate,
  latestRun,
  deeper,
  superviseSeconds,
  pollSeconds = POLL_SECONDS,
  ensureEveryMs = ENSURE_EVERY_MS,
  blockedForMs = BLOCKED_FOR_MS,
}: {
  pool: Pool
  log: Log
  sources: readonly Pick<DailySource, 'asset' | 'name'>[]
  /** See `price-history.service.ts`. */
  bringUpToDate: (asset: AssetKey, name: string, signal: AbortSignal) => Promise<number | null>
  latestRun: (asset: AssetKey, name: string) => Promise<number | null>
  /** Asks for earlier days, of which sources and how; without it they are not asked for. See `deeper-history.service.ts`. */
  deeper?: {
    readonly sources: readonly Pick<DailySource, 'asset' | 'name'>[]
    readonly deepen: (asset: AssetKey, name: string, signal: AbortSignal) => Promise<number | null>
  } | null
  superviseSeconds?: number
  /** How often jobs are looked for; at least half a second. */
  pollSeconds?: number
  ensureEveryMs?: number
  blockedForMs?: number
}): PriceJobs {
  let blockedSince: number | null = null
  const jobs = startDurableQueue({
    pool,
    log,
    name: QUEUE,
    // At most one waiting and one running of each key.
    policy: 'stately',
    options: QUEUE_OPTIONS,
    executeSql,
    superviseSeconds,
    ensureEveryMs,
    texts: {
      waits: 'Jobs that read prices wait for the database.',
      failed: 'A job that reads prices failed and is tried again',
    },
    begin: async (boss) => {
      // What was set before is set again: a key or an address may have changed since.
      await boss.deleteQueuedJobs(QUEUE)
      await ensure(boss)
      await boss.work(
        QUEUE,
        { pollingIntervalSeconds: pollSeconds, localConcurrency: WORKERS },
        async (given: readonly { data: unknown }[]) => {
          for (const job of given) await work(boss, Data.parse(job.data))
        },
      )
    },
    ensure,
  })

  async function executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      return await pool.query(text, values)
    } catch (error) {
      // The library takes this one for an empty queue and keeps silent. While another process works it is no failure.
      if (isBlocked(error)) {
        blockedSince ??= performance.now()
        if (performance.now() - blockedSince >= blockedForMs) {
          jobs.trouble(new Error('another process has been holding a job of this source for long'))
        }
      }
      throw error
    }
  }

  async function ensure(of: PgBoss): Promise<void> {
    for (const { asset, name } of sources) {
      await send(of, { asset, source: name }, null)
      // A clock that had jumped ahead may have set it for a day that is far away.
      const latest = await latestRun(asset, name)
      if (latest === null) continue
      await pool.query(
        `update ${JOBS_SCHEMA}.job set start_after = to_timestamp($3::float8 / 1000)
         where name = $1 and singleton_key = $2 and state in ('created', 'retry')
           and start_after > to_timestamp($3::float8 / 1000)`,
        [QUEUE, keyOf({ asset, source: name }), latest],
      )
    }
    for (const { asset, name } of deeper?.sources ?? []) {
      await send(of, { asset, source: name, deeper: true }, null)
    }
  }

  async function send(of: PgBoss, data: Data, startAfter: Date | null): Promise<void> {
    await of.send(QUEUE, data, {
      singletonKey: keyOf(data),
      // The current day comes first.
      priority: data.deeper ? -1 : 0,
      ...(startAfter ? { startAfter } : {}),
    })
  }

  async function work(of: PgBoss, data: Data): Promise<void> {
    const bring = data.deeper ? deeper?.deepen : bringUpToDate
    const next = await jobs.run(async () => bring?.(data.asset, data.source, jobs.ending))
    blockedSince = null
    if (next != null) await send(of, data, new Date(next))
  }

  return { stop: jobs.stop }
}

/** A unique index has refused to start a second job of one source. */
function isBlocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

function keyOf({ asset, source, deeper }: Data): string {
  return `${asset} ${source}${deeper ? ' earlier days' : ''}`
}

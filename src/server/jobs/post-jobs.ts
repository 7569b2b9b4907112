import { type Log } from '#server/ports.ts'
import { type TweetQueue } from '#server/services/tweet-queue.ts'
import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { startBoss } from './start-boss.ts'
import { troubleOf } from './trouble.ts'

/** One job for each link that is to be read; the rows of the queue are the truth, jobs only say whose turn it is. */
const QUEUE = 'posts'
const SCHEMA = 'jobs'

const Data = z.object({ id: z.int() })

const QUEUE_OPTIONS = {
  // At most one of each link, waiting or running.
  policy: 'exclusive',
  expireInSeconds: 240,
  // A process that was killed is noticed by its silence, and its link goes to another one.
  heartbeatSeconds: 10,
  // More than the tries of a link: those that a killed process began count here, too.
  retryLimit: 20,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  deleteAfterSeconds: 86_400,
} as const
const SUPERVISE_SECONDS = 5
const POLL_SECONDS = 2
const WORKERS = 2
const FIRST = 10
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A link without a job, such as by a process killed between the two, gets one within this time. */
const ENSURE_EVERY_MS = 60_000
const STOP_WITHIN_MS = 3_000

export type PostJobs = {
  /** There is work; with a number, that link goes before all others. */
  readonly nudge: (first: number | null) => void
  readonly stop: () => Promise<void>
}

/**
 * Reads the links of the queue in the background, two at once. It returns at once and keeps trying while the database is
 * away; several processes share the work.
 */
export function startPostJobs({
  pool,
  log,
  queue,
  toDo,
  superviseSeconds = SUPERVISE_SECONDS,
  retrySeconds = QUEUE_OPTIONS.retryDelay,
}: {
  pool: Pool
  log: Log
  queue: Pick<TweetQueue, 'work'>
  /** The links that are to be read, oldest first. */
  toDo: () => Promise<readonly number[]>
  superviseSeconds?: number
  retrySeconds?: number
}): PostJobs {
  const ending = new AbortController()
  let boss: PgBoss | null = null
  let workers: readonly string[] = []
  let timer: NodeJS.Timeout | null = null
  let ensuring: NodeJS.Timeout | null = null
  let pauseMs = FIRST_PAUSE_MS
  let isTroubled = false
  let filling: Promise<void> = Promise.resolve()

  /** One line when trouble begins; the next one only after a job has run again. */
  function trouble(error: unknown): void {
    if (isTroubled || ending.signal.aborted) return
    isTroubled = true
    const { said, isLost } = troubleOf(error)
    const text = isLost
      ? 'Links of posts wait for the database.'
      : `A link of a post could not be read and is tried again: ${said}`
    log.warn({}, text)
  }

  async function start(): Promise<void> {
    timer = null
    let next: PgBoss | null = null
    try {
      const { PgBoss: Boss } = await import('pg-boss')
      next = new Boss({
        schema: SCHEMA,
        schedule: false,
        warningQueueSize: 10_000,
        superviseIntervalSeconds: superviseSeconds,
        monitorIntervalSeconds: superviseSeconds,
        queueCacheIntervalSeconds: superviseSeconds,
        db: { executeSql: (text, values) => pool.query(text, values) },
      })
      const of = next
      next.on('error', trouble)
      await startBoss(pool, next)
      const options = { ...QUEUE_OPTIONS, retryDelay: retrySeconds }
      await next.createQueue(QUEUE, options)
      // One that an older version has made keeps its settings otherwise.
      const { heartbeatSeconds, expireInSeconds, retryDelay, retryLimit } = options
      await next.updateQueue(QUEUE, { heartbeatSeconds, expireInSeconds, retryDelay, retryLimit })
      if (ending.signal.aborted) {
        await next.stop({ graceful: false })
        return
      }
      boss = next
      await fill(next, null)
      const ids: string[] = []
      for (let i = 0; i < WORKERS; i += 1) {
        const mine = ids.length
        ids.push(
          await next.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
            for (const job of jobs) await work(job)
            // The next one at once, not after the pause.
            of.notifyWorker(ids[mine] ?? '')
          }),
        )
      }
      workers = ids
      ensuring = setInterval(() => nudge(null), ENSURE_EVERY_MS)
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

  /** Gives every link that is to be read its job; the policy refuses a second one. */
  async function fill(of: PgBoss, first: number | null): Promise<void> {
    if (first !== null) await sendFirst(of, first)
    for (const id of await toDo()) {
      if (ending.signal.aborted) return
      await of.send(QUEUE, { id }, { singletonKey: String(id) })
    }
  }

  async function sendFirst(of: PgBoss, id: number): Promise<void> {
    const sent = await of.send(QUEUE, { id }, { singletonKey: String(id), priority: FIRST })
    if (sent !== null) return
    // It has one already, perhaps set for later: that one comes first now.
    await pool.query(
      `update ${SCHEMA}.job set priority = $3, start_after = now()
       where name = $1 and singleton_key = $2 and state in ('created', 'retry')`,
      [QUEUE, String(id), FIRST],
    )
  }

  async function work(job: { data: unknown; signal: AbortSignal }): Promise<void> {
    const { id } = Data.parse(job.data)
    const signal = AbortSignal.any([job.signal, ending.signal])
    const end = await queue.work(id, signal).catch((error: unknown) => {
      trouble(error)
      throw error
    })
    isTroubled = false
    if (end === 'again') throw new Error('a source of posts asks to wait')
  }

  function nudge(first: number | null): void {
    const of = boss
    // Before the start there is nothing to nudge: the start itself looks at all links.
    if (!of || ending.signal.aborted) return
    filling = filling
      .then(() => fill(of, first))
      .then(() => {
        for (const id of workers) of.notifyWorker(id)
      })
      .catch(trouble)
  }

  timer = setTimeout(() => void start(), 0)
  return {
    nudge,
    stop: async () => {
      ending.abort()
      if (timer) clearTimeout(timer)
      if (ensuring) clearInterval(ensuring)
      await filling
      await boss?.stop({ close: false, graceful: true, timeout: STOP_WITHIN_MS }).catch(trouble)
    },
  }
}

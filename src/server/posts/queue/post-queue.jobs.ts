import { type Log } from '#server/kit/ports.ts'
import { POSTS_QUEUE } from './post-queue.store.ts'
import { type TryEnd } from './try-link.service.ts'
import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { JOBS_SCHEMA, startDurableQueue, TRIED_AGAIN } from '#server/kit/durable-queue.ts'

/** One job for each link that is to be read; the rows of the queue are the truth, jobs only say whose turn it is. */
const QUEUE = POSTS_QUEUE

const Data = z.object({ id: z.int() })

const QUEUE_OPTIONS = {
  ...TRIED_AGAIN,
  expireInSeconds: 240,
  // A process that was killed sends no heartbeat, and its link goes to another one.
  heartbeatSeconds: 10,
  // More than the tries of a link: those that a killed process began count here, too.
  retryLimit: 20,
}
const POLL_SECONDS = 2
const WORKERS = 2
const FIRST = 10
/** A link without a job, as when a process is killed between the two, gets one within this time. */
const ENSURE_EVERY_MS = 60_000

export type PostJobs = {
  /** Call it when links are to be read; with a number, that link goes before all others. */
  readonly nudge: (first: number | null) => void
  readonly stop: () => Promise<void>
}

/** Reads the links of the queue in the background, two at once. */
export function startPostJobs({
  pool,
  log,
  tryLink,
  toDo,
  superviseSeconds,
  retrySeconds = QUEUE_OPTIONS.retryDelay,
  pollSeconds = POLL_SECONDS,
}: {
  pool: Pool
  log: Log
  tryLink: (id: number, signal: AbortSignal) => Promise<TryEnd>
  /** The links that are to be read, oldest first. */
  toDo: () => Promise<readonly number[]>
  superviseSeconds?: number
  retrySeconds?: number
  /** How often jobs are looked for; at least half a second. */
  pollSeconds?: number
}): PostJobs {
  let workers: readonly string[] = []
  let filling: Promise<void> = Promise.resolve()

  const jobs = startDurableQueue({
    pool,
    log,
    name: QUEUE,
    // At most one of each link, waiting or running.
    policy: 'exclusive',
    options: { ...QUEUE_OPTIONS, retryDelay: retrySeconds },
    superviseSeconds,
    ensureEveryMs: ENSURE_EVERY_MS,
    texts: {
      waits: 'Links of posts wait for the database.',
      failed: 'A link of a post could not be read and is tried again',
    },
    begin: async (boss) => {
      await fill(boss, null)
      const ids: string[] = []
      for (let i = 0; i < WORKERS; i += 1) {
        ids.push(
          await boss.work(QUEUE, { pollingIntervalSeconds: pollSeconds }, async (given) => {
            for (const job of given) await work(job)
            // The next one at once, not after the pause.
            boss.notifyWorker(ids[i] ?? '')
          }),
        )
      }
      workers = ids
    },
    ensure: () => nudge(null),
  })

  /** Gives every link that is to be read its job; the policy refuses a second one. */
  async function fill(of: PgBoss, first: number | null): Promise<void> {
    if (first !== null) await sendFirst(of, first)
    for (const id of await toDo()) {
      if (jobs.ending.aborted) return
      await of.send(QUEUE, { id }, { singletonKey: String(id) })
    }
  }

  async function sendFirst(of: PgBoss, id: number): Promise<void> {
    const sent = await of.send(QUEUE, { id }, { singletonKey: String(id), priority: FIRST })
    if (sent !== null) return
    // The link has a job already, perhaps for later: that one goes first now.
    await pool.query(
      `update ${JOBS_SCHEMA}.job set priority = $3, start_after = now()
       where name = $1 and singleton_key = $2 and state in ('created', 'retry')`,
      [QUEUE, String(id), FIRST],
    )
  }

  async function work(job: { data: unknown; signal: AbortSignal }): Promise<void> {
    const { id } = Data.parse(job.data)
    const signal = AbortSignal.any([job.signal, jobs.ending])
    const end = await jobs.run(() => tryLink(id, signal))
    if (end === 'again') throw new Error('a source of posts asks to wait')
  }

  function nudge(first: number | null): void {
    const of = jobs.boss()
    // Nothing runs before the start, which itself gives every link its job.
    if (!of || jobs.ending.aborted) return
    filling = filling
      .then(() => fill(of, first))
      .then(() => {
        for (const id of workers) of.notifyWorker(id)
      })
      .catch(jobs.trouble)
  }

  return {
    nudge,
    stop: async () => {
      const stopped = jobs.stop()
      await filling
      await stopped
    },
  }
}

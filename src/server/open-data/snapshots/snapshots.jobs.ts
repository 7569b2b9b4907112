import { startDurableQueue, TRIED_AGAIN } from '#server/kit/durable-queue.ts'
import { type Log } from '#server/kit/ports.ts'
import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { type Snapshots } from './snapshots.service.ts'

/** One job, in one process at a time: it makes the snapshot of the day. */
const QUEUE = 'snapshots'

const QUEUE_OPTIONS = {
  ...TRIED_AGAIN,
  expireInSeconds: 1_800,
  // A process that was killed is noticed by its silence, and another one begins again.
  heartbeatSeconds: 10,
  retryLimit: 50,
}
const POLL_SECONDS = 2
/** How soon a new day is noticed on which nothing else happens. */
const ENSURE_EVERY_MS = 5 * 60_000

export type SnapshotJobs = {
  /** Call it when the record has changed, or its scores: today's may then be made. */
  readonly nudge: () => void
  readonly stop: () => Promise<void>
}

/** Makes a snapshot each day, once its scores are there; a day on which that failed has its own at the next chance. */
export function startSnapshotJobs({
  pool,
  log,
  snapshots,
  superviseSeconds,
  retrySeconds = QUEUE_OPTIONS.retryDelay,
}: {
  pool: Pool
  log: Log
  snapshots: Pick<Snapshots, 'isDue' | 'make'>
  superviseSeconds?: number
  retrySeconds?: number
}): SnapshotJobs {
  const jobs = startDurableQueue({
    pool,
    log,
    name: QUEUE,
    // At most one waiting and one running: scores that come while one runs are not lost.
    policy: 'stately',
    options: { ...QUEUE_OPTIONS, retryDelay: retrySeconds },
    superviseSeconds,
    ensureEveryMs: ENSURE_EVERY_MS,
    texts: {
      waits: 'The snapshot of the day waits for the database.',
      failed: 'The snapshot of the day could not be made and is tried again',
    },
    begin: async (boss) => {
      await ensure(boss)
      await boss.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS }, work)
    },
    ensure,
  })

  async function ensure(of: PgBoss): Promise<void> {
    if (await snapshots.isDue()) await of.send(QUEUE, {}, { singletonKey: 'today' })
  }

  async function work(): Promise<void> {
    const made = await jobs.run(() => snapshots.make())
    if (made === 'made') log.info({}, 'The snapshot of the day is made.')
  }

  return { nudge: jobs.ensureNow, stop: jobs.stop }
}

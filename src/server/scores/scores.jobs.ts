import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { startDurableQueue, TRIED_AGAIN } from '#server/kit/durable-queue.ts'
import { type Log } from '#server/kit/ports.ts'
import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'

/** One job for each mode, in one process at a time: it computes the scores that have changed. */
const QUEUE = 'scores'

const Data = z.object({ mode: z.enum(['touch', 'close']) })

const QUEUE_OPTIONS = {
  ...TRIED_AGAIN,
  expireInSeconds: 1_800,
  // A process that was killed is noticed by its silence, and another one begins again.
  heartbeatSeconds: 10,
  retryLimit: 50,
}
const POLL_SECONDS = 2
/** A change whose job was lost, as when a process is killed between the two, is noticed within this time. */
const ENSURE_EVERY_MS = 5 * 60_000

export type ScoreJobs = {
  /** Call it when prices, claims or corrections have changed. */
  readonly nudge: () => void
  readonly stop: () => Promise<void>
}

/** Keeps the scores of today and yesterday current in the background. */
export function startScoreJobs({
  pool,
  log,
  bringUpToDate,
  superviseSeconds,
  retrySeconds = QUEUE_OPTIONS.retryDelay,
  pollSeconds = POLL_SECONDS,
}: {
  pool: Pool
  log: Log
  /** Computes what has changed since; nothing where nothing has. */
  bringUpToDate: (mode: JudgeMode) => Promise<void>
  superviseSeconds?: number
  retrySeconds?: number
  /** How often jobs are looked for; at least half a second. */
  pollSeconds?: number
}): ScoreJobs {
  const jobs = startDurableQueue({
    pool,
    log,
    name: QUEUE,
    // At most one waiting and one running of each mode: a change that comes while one runs is not lost.
    policy: 'stately',
    options: { ...QUEUE_OPTIONS, retryDelay: retrySeconds },
    superviseSeconds,
    ensureEveryMs: ENSURE_EVERY_MS,
    texts: {
      waits: 'The scores wait for the database.',
      failed: 'Scores could not be computed and are tried again',
    },
    begin: async (boss) => {
      await ensure(boss)
      await boss.work(QUEUE, { pollingIntervalSeconds: pollSeconds }, async (given) => {
        for (const job of given) {
          const { mode } = Data.parse(job.data)
          await jobs.run(() => bringUpToDate(mode))
        }
      })
    },
    ensure,
  })

  async function ensure(of: PgBoss): Promise<void> {
    for (const mode of JUDGE_MODES) await of.send(QUEUE, { mode }, { singletonKey: mode })
  }

  return { nudge: jobs.ensureNow, stop: jobs.stop }
}

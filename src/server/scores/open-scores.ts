import { type Kit } from '#server/kit/kit.ts'
import { scoreThread, type ScoreThread } from './score-thread.ts'
import { startScoreJobs, type ScoreJobs } from './scores.jobs.ts'
import { scoresService } from './scores.service.ts'

/** How soon a silent process is noticed, a failed try repeated and a job found, and what computes. */
export type ScorePace = {
  readonly superviseSeconds?: number
  readonly retrySeconds?: number
  readonly pollSeconds?: number
  readonly thread?: ScoreThread
}

/**
 * Everybody's scores, computed by the jobs of `start`, or by those of other processes after `follow`; before either, when they are
 * asked for.
 */
export function openScores(
  { db, pool, clock, log, signals }: Kit,
  onChange: (listener: () => void) => () => void,
  { thread = scoreThread(), ...pace }: ScorePace = {},
) {
  let jobs: ScoreJobs | null = null
  const ends: (() => void)[] = []
  const service = scoresService({ db, clock, thread, isFollowed: () => ends.length > 0 })

  function follow(): void {
    if (ends.length === 0) ends.push(signals.listen('scores', service.hear))
  }

  return {
    service,
    follow,
    start: () => {
      if (jobs) return
      follow()
      const { bringUpToDate } = service
      const begun = startScoreJobs({ pool, log, bringUpToDate, ...pace })
      jobs = begun
      ends.push(onChange(begun.nudge))
    },
    stop: async () => {
      for (const end of ends) end()
      const ending = jobs?.stop()
      // A job that runs would be waited for.
      await thread.close()
      await ending
    },
  }
}

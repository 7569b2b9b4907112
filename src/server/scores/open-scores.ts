import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { scoreThread, type ScoreThread } from './score-thread.ts'
import { startScoreJobs, type ScoreJobs } from './scores.jobs.ts'
import { scoresService } from './scores.service.ts'

/** How soon a silent process is noticed, a failed try repeated and a job found, what computes, and how many bytes stay in memory. */
export type ScorePace = {
  readonly superviseSeconds?: number
  readonly retrySeconds?: number
  readonly pollSeconds?: number
  readonly thread?: ScoreThread
  readonly keptBytes?: number
}

/**
 * Everybody's scores, computed by the jobs of `start`, or by those of other processes after `follow`; before either, when they are
 * asked for.
 */
export function openScores(
  { db, pool, clock, log, signals, outages }: Kit,
  { catalog }: { catalog: Catalog },
  { thread = scoreThread(), keptBytes, ...pace }: ScorePace = {},
) {
  let jobs: ScoreJobs | null = null
  let ends: (() => void)[] = []
  const isFollowed = (): boolean => ends.length > 0
  const service = scoresService({ db, clock, catalog, thread, isFollowed, keptBytes })

  /** Another process has computed them, or may have. */
  function hear(text: string | null): void {
    const modes = (['touch', 'close'] as const).filter((mode) => text === null || text === mode)
    for (const mode of modes) void reload(mode)
  }

  function follow(): void {
    if (ends.length === 0) ends.push(signals.listen('scores', hear))
  }

  async function reload(mode: JudgeMode): Promise<void> {
    await service.reload(mode).catch((error: unknown) => {
      if (outages.notice(error) === null) log.error({ err: error }, 'scores cannot be read')
    })
  }

  return {
    service,
    follow,
    start: () => {
      if (jobs) return
      follow()
      const begun = startScoreJobs({
        pool,
        log,
        bringUpToDate: (mode) => service.bringUpToDate(mode),
        ...pace,
      })
      jobs = begun
      ends.push(catalog.onRefresh(() => begun.nudge()))
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

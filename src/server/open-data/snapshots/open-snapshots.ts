import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { startSnapshotJobs, type SnapshotJobs } from './snapshots.jobs.ts'
import { snapshotService } from './snapshots.service.ts'

/** How soon a silent process is noticed and a failed try repeated. */
export type SnapshotPace = { readonly superviseSeconds?: number; readonly retrySeconds?: number }

/** The dated snapshots of the record. `start` makes them; `follow` hears of those that other processes make. */
export function openSnapshots(
  { db, pool, clock, log, signals, config }: Kit,
  { record, scores }: { record: Pick<PublicRecord, 'onChange'>; scores: ScoresService },
  pace: SnapshotPace = {},
) {
  let jobs: SnapshotJobs | null = null
  let ends: (() => void)[] = []
  const service = snapshotService({ db, clock, origin: config.origin, scores })
  const follow = (): void => {
    if (ends.length === 0) ends.push(signals.listen('snapshots', service.hear))
  }
  return {
    service,
    follow,
    start: () => {
      if (jobs) return
      follow()
      const begun = startSnapshotJobs({ pool, log, snapshots: service, ...pace })
      jobs = begun
      ends.push(signals.listen('scores', begun.nudge), record.onChange(begun.nudge))
    },
    stop: async () => {
      for (const end of ends) end()
      await jobs?.stop()
    },
  }
}

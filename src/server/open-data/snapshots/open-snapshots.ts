import { type Kit } from '#server/kit/kit.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { startSnapshotJobs, type SnapshotJobs } from './snapshots.jobs.ts'
import { snapshotService } from './snapshots.service.ts'

/** How soon a silent process is noticed and a failed try repeated. */
export type SnapshotPace = { readonly superviseSeconds?: number; readonly retrySeconds?: number }

/** The dated snapshots of the record. None is made before `start`. */
export function openSnapshots(
  { db, pool, clock, log, signals, config }: Kit,
  { catalog, scores }: { catalog: Pick<Catalog, 'onRefresh'>; scores: ScoresService },
  pace: SnapshotPace = {},
) {
  let jobs: SnapshotJobs | null = null
  let ends: (() => void)[] = []
  const service = snapshotService({ db, clock, origin: config.origin, scores })
  return {
    service,
    start: () => {
      if (jobs) return
      const begun = startSnapshotJobs({ pool, log, snapshots: service, ...pace })
      jobs = begun
      ends = [
        signals.listen('scores', begun.nudge),
        catalog.onRefresh(begun.nudge),
        signals.listen('snapshots', service.hear),
      ]
    },
    stop: async () => {
      for (const end of ends) end()
      await jobs?.stop()
    },
  }
}

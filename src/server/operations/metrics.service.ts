import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { OUTCOMES, type Outcome, type Refusals } from '#server/admins/refusals.service.ts'
import { REASONS, type Reason } from '#server/kit/admin.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type StatusService } from '#server/prices/status.service.ts'
import { queuedJobFacts, loopFacts, stateCounts, verdictCounts } from './jobs.store.ts'

export type Metrics = ReturnType<typeof metricsService>

const PREFIX = 'proof_of_price_'
/** Concurrent scrapes share one reading. */
const CACHE_MS = 2_000
/** Seconds; most lists take less than a millisecond, some judging takes longer. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Metrics in the Prometheus text format. Every label comes from a list in the code or from the
 * registry of assets and sources, so their number is bounded whatever visitors send.
 */
export function metricsService({
  db,
  config,
  state,
  refusals,
  lines,
  replica,
}: Pick<Kit, 'db' | 'config' | 'replica'> & {
  state: StatusService
  refusals: Pick<Refusals, 'counts'>
  /** Open live streams and sockets. */
  lines: () => number
}) {
  const registry = new Registry()
  const registers = [registry]
  let isReady = false
  let readAt = -Infinity
  let reading: Promise<void> | null = null

  const requests = new Histogram({
    name: `${PREFIX}http_seconds`,
    help: 'How long calls took, by route, method and class of status.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers })
  const databaseUp = gauge('database_up', 'Whether the database answers.')
  const rows = gauge('rows', 'Rows by kind and state.', ['kind', 'state'])
  const verdicts = gauge('verdicts', 'Current verdicts.', ['asset', 'mode', 'outcome'])
  const waiting = gauge('waiting', 'Queued tasks of each job, due or not.', ['job'])
  const overdue = gauge('overdue_seconds', 'Time since the oldest task of each job was due.', [
    'job',
  ])
  const barAge = gauge('bar_age_days', 'Days by which the last final daily bar is late.', ['asset'])
  const liveAge = gauge('live_price_age_seconds', 'Age of the last live price.', ['asset'])
  const failing = gauge('source_failures', 'Consecutive failures of each price source.', [
    'asset',
    'source',
    'kind',
  ])
  const leader = gauge('leader', 'Whether this process leads the price feeds.')

  const liveLines = gauge('live_lines', 'Open streams and sockets of visitors in this process.')
  // Without a replica these metrics are omitted.
  const replicaUsed = replica() && gauge('replica_used', 'Whether public reads go to the replica.')
  const replicaBehind =
    replica() &&
    gauge('replica_behind_seconds', 'Age of the oldest change the replica has not replayed.')

  const counter = (name: string, help: string, label: string): Counter =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames: [label], registers })
  const signIns = counter('sign_ins_total', 'Sign-in attempts by outcome.', 'outcome')
  const refused = counter('refusals_total', 'Refused administrator calls by reason.', 'why')

  function readRefusals(): void {
    const counts = refusals.counts()
    const show = (to: Counter, label: string, of: readonly (Outcome | Reason)[]): void => {
      to.reset()
      for (const one of of) to.inc({ [label]: one }, counts.get(one) ?? 0)
    }
    show(signIns, 'outcome', OUTCOMES)
    show(refused, 'why', REASONS)
  }

  async function read(): Promise<void> {
    const status = await state.status()
    const nowMs = Date.parse(status.now)
    barAge.reset()
    liveAge.reset()
    failing.reset()
    leader.set(status.leader === true ? 1 : 0)
    const { state: use, behindMs } = replica() ?? { state: 'away', behindMs: null }
    replicaUsed?.set(use === 'used' ? 1 : 0)
    replicaBehind?.set(behindMs === null ? Number.NaN : behindMs / 1_000)
    for (const { asset, last_bar: last, expected_bar: expected, live } of status.assets) {
      if (last !== null) {
        barAge.set({ asset }, Math.max(0, (Date.parse(expected) - Date.parse(last)) / 86_400_000))
      }
      if (live) liveAge.set({ asset }, (nowMs - Date.parse(live.at)) / 1_000)
    }
    for (const { asset, source, kind, failures } of status.sources) {
      failing.set({ asset, source, kind }, failures)
    }
    try {
      const [states, decided, loops, queued] = [
        await stateCounts(db),
        await verdictCounts(db),
        await loopFacts(db, config),
        await queuedJobFacts(db, (name) => name),
      ]
      for (const one of [rows, verdicts, waiting, overdue]) one.reset()
      for (const { of, state: is, n } of states) rows.set({ kind: of, state: is }, n)
      for (const { of, state: outcome, n } of decided) {
        const [asset = '', mode = ''] = of.split(' ')
        verdicts.set({ asset, mode, outcome }, n)
      }
      for (const { name, waiting: n, next_run: nextRun } of [...loops, ...queued]) {
        waiting.set({ job: name }, n)
        const late = nextRun === null ? 0 : (nowMs - Date.parse(nextRun)) / 1_000
        overdue.set({ job: name }, Math.max(0, late))
      }
      databaseUp.set(1)
    } catch {
      // The last values stay; outages have a metric of their own.
      databaseUp.set(0)
    }
  }

  return {
    contentType: registry.contentType,

    /** @param seconds response time */
    answered(route: string, method: string, status: number, seconds: number): void {
      requests.observe({ route, method, status: `${String(Math.floor(status / 100))}xx` }, seconds)
    },

    async text(): Promise<string> {
      // Process metrics are collected from the first request on.
      if (!isReady) collectDefaultMetrics({ register: registry, prefix: PREFIX })
      isReady = true
      if (performance.now() - readAt > CACHE_MS) {
        reading ??= read().finally(() => {
          readAt = performance.now()
          reading = null
        })
        await reading
      }
      readRefusals()
      liveLines.set(lines())
      return registry.metrics()
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Job as BossJob, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { acquireLock, type Db, readRows } from './db.ts'
import { type Signals } from './signals.ts'

/** Minimum time between two checks of the schedules, and between two cleanings. */
const ENSURE_MS = 300_000
const STOP_WITHIN_MS = 3_000
/** Title of failures that belong to no single job. */
export const RUNNING = 'Running jobs'

export type JobDefinition<Data extends object> = {
  readonly name: string
  /** Shown to administrators and at the start of log lines: `Computing scores`. */
  readonly title: string
  readonly data: z.ZodType<Data>
  /** Retried when it throws, is killed or takes too long. */
  readonly run: (data: Data, signal: AbortSignal) => Promise<void>
  /** Jobs with the same key never run concurrently, and at most one is queued; adding another meanwhile does nothing. */
  readonly key?: (data: Data) => string
  /** Repeats this long after the last run. Needs a key. */
  readonly every?: { readonly seconds: number; readonly data: readonly Data[] }
  readonly retry?: {
    readonly limit?: number
    /** First delay, about doubled each time up to `mostSeconds`. */
    readonly seconds?: number
    readonly mostSeconds?: number
  }
  /** Timeout of a run. */
  readonly withinSeconds?: number
  /** Concurrency per process. */
  readonly atOnce?: number
}

/** A definition with untyped data and all options. */
export type Queue = Required<
  Pick<JobDefinition<object>, 'name' | 'title' | 'retry' | 'withinSeconds' | 'atOnce'>
> &
  Pick<JobDefinition<object>, 'every'> & {
    readonly isKeyed: boolean
    readonly run: (data: unknown, signal: AbortSignal) => Promise<void>
    readonly keyOf: (data: unknown) => string | null
  }

/** Wakes workers when jobs are due; pg-boss's own would poll each queue every second. */
export function startWorkers({
  boss: opening,
  db,
  signals,
  queues,
  superviseSeconds,
  run,
  send,
  trouble,
}: {
  boss: Promise<{ readonly boss: PgBoss }>
  db: Db
  signals: Signals
  queues: readonly Queue[]
  superviseSeconds: number
  run: (of: Queue, data: object, signal: AbortSignal) => Promise<void>
  send: (of: Queue, tx: Db, data: object, afterSeconds: number) => Promise<void>
  trouble: (title: string, error: unknown) => void
}) {
  const workers = new Map<string, string[]>()
  const names = queues.map(({ name }) => name)
  let boss: PgBoss | null = null
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  let dueMs = Infinity
  let ensuredMs = -Infinity
  let cleanedMs = performance.now()

  function lookIn(ms: number): void {
    const at = performance.now() + ms
    if (stopped || (timer && dueMs <= at)) return
    if (timer) clearTimeout(timer)
    dueMs = at
    timer = setTimeout(() => void look(), ms)
  }

  async function look(): Promise<void> {
    timer = null
    dueMs = Infinity
    let nextMs = superviseSeconds * 1_000
    try {
      if (performance.now() - ensuredMs > ENSURE_MS) {
        await ensureScheduled()
        ensuredMs = performance.now()
      }
      let isOverdue = false
      for (const { name, ms, is_overdue } of await waiting()) {
        // Supervision also tells pg-boss which keys run: it skips jobs of those.
        isOverdue ||= is_overdue || (ms ?? 0) < -superviseSeconds * 1_000
        if (ms === null) continue
        if (ms > 0) nextMs = Math.min(nextMs, ms)
        else for (const id of workers.get(name) ?? []) boss?.notifyWorker(id)
      }
      if (performance.now() - cleanedMs > (isOverdue ? superviseSeconds * 1_000 : ENSURE_MS)) {
        cleanedMs = performance.now()
        await boss?.supervise()
      }
    } catch (error) {
      trouble(RUNNING, error)
    }
    lookIn(nextMs)
  }

  /**
   * Ms until the next job of each name is due, null if none waits, and whether a process was killed while it ran
   * one. If a job with the same key is running, pg-boss would skip it; such jobs are moved to the end first.
   */
  async function waiting(): Promise<z.output<typeof NextDue>[]> {
    return readRows(db, NextDue)`
      with behind as (
        update jobs.job w set priority = -1
        where w.name = any(${sql.param(names)}) and w.state < 'active' and w.priority >= 0 and w.start_after <= now()
          and exists (select from jobs.job r where r.name = w.name and r.singleton_key = w.singleton_key and r.state = 'active'))
      select name, (extract(epoch from min(start_after) filter (where state < 'active' and not blocked) - now()) * 1000)::float8 as ms,
        bool_or(state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < now()) is true as is_overdue
      from jobs.job where name = any(${sql.param(names)}) and state <= 'active' group by name`
  }

  /** Adds missing scheduled jobs, and corrects jobs that the database's clock, set back, has left in the future. */
  async function ensureScheduled(): Promise<void> {
    await db.execute(sql`
      update jobs.job set start_after = case when state = 'retry' then now() else start_after end,
        started_on = now(), heartbeat_on = now()
      where name = any(${sql.param(names)}) and (state = 'active' and heartbeat_on > now() + interval '1 minute'
        or state = 'retry' and start_after > now() + (retry_delay_max + 60) * interval '1 second')`)
    const scheduled = queues.flatMap((of) =>
      (of.every?.data ?? []).map((data) => ({ of, data, key: of.keyOf(data) })),
    )
    const isSent = await sentOf(db, scheduled)
    for (const one of scheduled) {
      if (isSent(one)) continue
      await db.transaction(async (tx) => {
        // Another process may be adding the same.
        await acquireLock(tx, `schedule of ${one.of.name}`)
        const isSentNow = await sentOf(tx, [one])
        if (!isSentNow(one)) await send(one.of, tx, one.data, 0)
      })
    }
  }

  async function begin(): Promise<void> {
    boss = (await opening).boss
    for (const of of queues) {
      const ids: string[] = []
      for (let i = 0; i < of.atOnce; i += 1) {
        // Woken by signals instead of polling.
        ids.push(
          await boss.work<object>(of.name, { pollingIntervalSeconds: 3_600 }, (jobs) =>
            work(of, jobs),
          ),
        )
      }
      workers.set(of.name, ids)
    }
    lookIn(0)
  }

  async function work(of: Queue, jobs: readonly BossJob<object>[]): Promise<void> {
    try {
      for (const { data, signal } of jobs) await run(of, data, signal)
    } finally {
      // More may be waiting, and this one may be retried.
      for (const id of workers.get(of.name) ?? []) boss?.notifyWorker(id)
      lookIn(50)
    }
  }

  const beginning = begin().catch((error: unknown) => trouble(RUNNING, error))
  const endSignals = signals.listen('jobs', () => lookIn(5))
  return {
    stop: async () => {
      stopped = true
      endSignals()
      if (timer) clearTimeout(timer)
      await beginning
      const ended = Promise.all(names.map(async (name) => boss?.offWork(name, { wait: true })))
      const late = pause(STOP_WITHIN_MS, undefined, { ref: false })
      // The database may be away.
      await Promise.race([ended, late]).catch(() => {})
    },
  }
}

type Scheduled = { readonly of: Queue; readonly key: string | null }

/**
 * The jobs that run, are being retried, or are queued with at most their delay. Not by `now()`: a transaction that
 * waited for the lock began before jobs that were sent meanwhile.
 */
async function sentOf(db: Db, all: readonly Scheduled[]): Promise<(one: Scheduled) => boolean> {
  const keys = all.map(({ of: { name, every }, key }) => ({ name, key, seconds: every?.seconds }))
  const rows = await readRows(db, Sent)`
    select distinct name, key from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as given(name text, key text, seconds float8)
    join jobs.job using (name) where singleton_key = key and (state in ('active', 'retry')
      or state = 'created' and start_after <= clock_timestamp() + seconds * interval '1 second')`
  const sent = new Set(rows.map(({ name, key }) => `${name} ${key}`))
  return ({ of, key }) => sent.has(`${of.name} ${String(key)}`)
}

const Sent = z.object({ name: z.string(), key: z.string() })
const NextDue = z.object({ name: z.string(), ms: z.number().nullable(), is_overdue: z.boolean() })

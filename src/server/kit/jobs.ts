import { sql, type SQL } from 'drizzle-orm'
import { type Pool } from 'pg'
import type { fromDrizzle, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { onlyText } from '#domain/clean-text.ts'
import { hasEffect, withLock, type Db, readRows, rowsOf } from './db.ts'
import { RUNNING, startWorkers, type JobDefinition, type Queue } from './job-workers.ts'
import { type Log } from './log.ts'
import { sendSignal, type Signals } from './signals.ts'
import { iso } from './time.ts'
import { troubleOf } from './trouble.ts'

/** The schema of pg-boss. */
const JOBS_SCHEMA = 'jobs'

const INSTALL_LOCK = 'proof-of-price jobs'
/** The queue of jobs that failed for good. */
const FAILED = 'failed'
const FAILED_FOR_SECONDS = 30 * 86_400
const SUPERVISE_SECONDS = 10
const MOST_REASON = 1_000
/** Priority of urgent jobs; all others have 0. */
const FIRST = 10

type RepeatedJob = Pick<JobDefinition<object>, 'name' | 'title' | 'withinSeconds'> & {
  readonly seconds: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

export type Job<Data extends object> = {
  /**
   * Queues a job on commit.
   * @param afterSeconds delay; a queued job with the same key runs at the earlier time, unless it is being retried
   * @param isFirst ahead of all others of its name, also after a failure
   */
  readonly send: (tx: Db, data: Data, afterSeconds?: number, isFirst?: boolean) => Promise<void>
}

type FailedJob = z.output<typeof FailedRow> & { readonly title: string }

export type Jobs = ReturnType<typeof openJobs>

/** How soon a killed process is detected and a failed job retried. */
export type JobPace = { readonly superviseSeconds?: number; readonly retrySeconds?: number }

type Boss = { readonly boss: PgBoss; readonly within: (tx: Db) => ReturnType<typeof fromDrizzle> }

/** The job queue: one pg-boss per process on the shared database, woken by signals. */
export function openJobs(
  { pool, db, log, signals }: { pool: Pool; db: Db; log: Log; signals: Signals },
  pace: JobPace = {},
) {
  const queues = new Map<string, Queue>()
  const ending = new AbortController()
  const troubled = new Set<string>()
  const { superviseSeconds = SUPERVISE_SECONDS } = pace
  let opened: Promise<Boss> | null = null
  let worker: ReturnType<typeof startWorkers> | null = null

  function trouble(title: string, error: unknown): void {
    if (troubled.has(title) || ending.signal.aborted) return
    troubled.add(title)
    const { message, isLost } = troubleOf(error)
    log.warn({}, isLost ? `${title} waits for the database.` : `${title} has failed: ${message}`)
  }

  function open(): Promise<Boss> {
    opened ??= openBoss(pool, superviseSeconds, (error) => trouble(RUNNING, error)).catch(
      (error: unknown) => {
        opened = null
        throw error
      },
    )
    return opened
  }

  async function send(of: Queue, tx: Db, data: object, afterSeconds: number, isFirst = false) {
    const { boss, within } = await open()
    const key = of.keyOf(data)
    const startAfter = afterSeconds > 0 ? { startAfter: afterSeconds } : {}
    const singleton = key === null ? {} : { singletonKey: key }
    const add = (): Promise<string | null> =>
      boss.send(of.name, data, {
        ...startAfter,
        ...singleton,
        ...(isFirst && { priority: FIRST }),
        db: within(tx),
      })
    do {
      if (key !== null && (await moveUp(tx, of.name, key, afterSeconds, isFirst))) return
      // Null: another transaction was queueing this key, has committed, and its job may already run.
    } while ((await add()) === null)
    await sendSignal(tx, 'jobs', [of.name])
  }

  /** Runs one attempt. @throws Error whose message contains no statement or values */
  async function run(of: Queue, data: object, signal: AbortSignal): Promise<void> {
    try {
      await of.run(data, AbortSignal.any([signal, ending.signal]))
      troubled.delete(of.title)
      troubled.delete(RUNNING)
      if (of.every && !ending.signal.aborted) await send(of, db, data, of.every.seconds)
    } catch (error) {
      trouble(of.title, error)
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : troubleOf(error).message
      throw new Error(onlyText(reason.slice(0, MOST_REASON)))
    }
  }

  /** Must be called before `prepare`. */
  function define<Data extends object>({
    data: schema,
    key,
    run: handle,
    ...options
  }: JobDefinition<Data>): Job<Data> {
    const queue: Queue = {
      retry: {},
      withinSeconds: 300,
      atOnce: 1,
      ...options,
      isKeyed: key !== undefined,
      keyOf: (data) => key?.(schema.parse(data)) ?? null,
      run: async (data, signal) => handle(schema.parse(data), signal),
    }
    queues.set(queue.name, queue)
    return {
      send: (tx, data, afterSeconds = 0, isFirst = false) =>
        send(queue, tx, data, afterSeconds, isFirst),
    }
  }

  const titleOf = (name: string): string =>
    queues.get(name)?.title ?? `${name} (unknown to this version, waits for one that runs it)`

  return {
    define,

    /** Defines a job without data that repeats this long after its last run. */
    repeat: ({ seconds, run: handle, ...options }: RepeatedJob): Job<Record<string, never>> =>
      define({
        ...options,
        data: z.object({}),
        key: () => 'all',
        every: { seconds, data: [{}] },
        run: (_, signal) => handle(signal),
      }),

    /** Creates missing tables and queues without running anything. */
    prepare: async (): Promise<void> =>
      prepareQueues((await open()).boss, [...queues.values()], pace),

    work: (): void => {
      worker ??= startWorkers({
        boss: open(),
        db,
        signals,
        queues: [...queues.values()],
        superviseSeconds,
        run,
        send,
        trouble,
      })
    },

    /** Runs due jobs in this process until none is left. @param early jobs to run before they are due */
    drain: async (...early: string[]): Promise<void> => {
      const { boss } = await open()
      const drainOne = async (of: Queue, isEarly: boolean): Promise<number> => {
        const found = await boss.fetch<object>(of.name, {
          batchSize: 100,
          ignoreStartAfter: isEarly,
        })
        for (const job of found) {
          const { name, id, data } = job
          await run(of, data, new AbortController().signal).then(
            () => boss.complete(name, id),
            (error: Error) => boss.fail(name, id, { message: error.message }),
          )
        }
        return found.length
      }
      for (const name of early) {
        const of = queues.get(name)
        if (!of) throw new Error(`no job is named ${name}`)
        for (const data of of.every?.data ?? []) await send(of, db, data, 0)
        await drainOne(of, true)
      }
      for (let done = 1; done > 0;) {
        done = 0
        for (const of of queues.values()) done += await drainOne(of, false)
      }
    },

    titleOf,

    failed: async (): Promise<FailedJob[]> => {
      await open()
      const rows = await failedRows(db)
      return rows.map((row) => ({ ...row, title: titleOf(row.name) }))
    },

    /** @returns false if it is no longer listed */
    retry: async (tx: Db, id: string): Promise<boolean> => retryFailed(tx, await open(), id),
    dismiss: dismissFailed,

    stop: async (): Promise<void> => {
      ending.abort()
      await worker?.stop()
      const last = await opened?.catch(() => null)
      // The database may be away.
      await last?.boss.stop({ close: false, graceful: false }).catch(() => {})
    },
  }
}

/**
 * Condition on rows of `jobs.job`, without those that failed while another of their key was to be retried: pg-boss drops these at once, as
 * the other does their work.
 */
export const FAILED_FOR_GOOD = `name = '${FAILED}' and state < 'active' and coalesce(source_retry_count, 0) >=
  coalesce((select retry_limit from ${JOBS_SCHEMA}.queue q where q.name = source_name), 0)`

function failedRows(db: Db) {
  return readRows(db, FailedRow)`
    select id, source_name as name, singleton_key as key, created_on as "failedAt",
      coalesce(source_retry_count, 0) + 1 as tries,
      coalesce(source_output->>'message', source_output->'value'->>'message', 'no reason was given') as reason
    from jobs.job where ${sql.raw(FAILED_FOR_GOOD)} order by created_on desc limit 100`
}

/** pg-boss's message for jobs that failed without their own. */
const OWN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^job heartbeat timeout/, 'The process that ran it stopped.'],
  [/^(?:job timed out|handler execution exceeded)/, 'It ran longer than its time limit.'],
]

const FailedRow = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string().nullable(),
  failedAt: z.string().transform(iso),
  tries: z.int(),
  reason: z
    .string()
    .transform((message) => OWN_WORDS.find(([known]) => known.test(message))?.[1] ?? message),
})

function optionsOf({ isKeyed, every, retry, withinSeconds }: Queue, pace: JobPace) {
  return {
    policy: isKeyed ? ('stately' as const) : ('standard' as const),
    retryLimit: retry.limit ?? (every ? 50 : 10),
    retryDelay: pace.retrySeconds ?? retry.seconds ?? 5,
    retryBackoff: true,
    retryDelayMax: pace.retrySeconds ?? retry.mostSeconds ?? 300,
    expireInSeconds: withinSeconds,
    // The minimum of pg-boss; a killed process is detected by a missed heartbeat.
    heartbeatSeconds: 10,
    deleteAfterSeconds: every && every.seconds < 600 ? 3_600 : 86_400,
    deadLetter: FAILED,
  }
}

async function openBoss(
  pool: Pool,
  superviseSeconds: number,
  onError: (error: unknown) => void,
): Promise<Boss> {
  const { fromDrizzle, PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    schema: JOBS_SCHEMA,
    schedule: false,
    supervise: false,
    monitorVacuum: false,
    warningQueueSize: 100_000,
    monitorIntervalSeconds: Math.ceil(superviseSeconds / 2),
    maintenanceIntervalSeconds: 3_600,
    // Jobs whose key was running when the cache was filled are skipped.
    queueCacheIntervalSeconds: Math.ceil(superviseSeconds),
    db: { executeSql: (text, values) => pool.query(text, values) },
  })
  boss.on('error', onError)
  // The first process creates the tables; others would fail on partial ones.
  await withLock(pool, INSTALL_LOCK, () => boss.start())
  return {
    boss,
    within: (tx) =>
      fromDrizzle(
        { execute: async (query: SQL) => ({ rows: rowsOf(await tx.execute(query)) }) },
        sql,
      ),
  }
}

/** Creates missing queues and updates the options of the others. */
async function prepareQueues(boss: PgBoss, queues: readonly Queue[], pace: JobPace): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!known.has(FAILED)) {
    await boss.createQueue(FAILED, { retentionSeconds: FAILED_FOR_SECONDS })
  }
  for (const queue of queues) {
    const { policy, ...options } = optionsOf(queue, pace)
    const found = known.get(queue.name)
    if (found?.policy === policy) {
      const isOther = Object.entries(options).some(([name, to]) => Reflect.get(found, name) !== to)
      if (isOther) await boss.updateQueue(queue.name, options)
      continue
    }
    // The policy of a queue cannot be changed.
    if (found) await boss.deleteQueue(queue.name)
    await boss.createQueue(queue.name, { policy, ...options })
  }
}

/** @returns whether a job with this key is already queued */
async function moveUp(tx: Db, name: string, key: string, afterSeconds: number, isFirst: boolean) {
  const moved = tx.execute(sql`
    update jobs.job set start_after = case when state = 'created' or ${isFirst}
          then least(start_after, now() + ${afterSeconds} * interval '1 second') else start_after end,
        priority = case when ${isFirst} then ${FIRST}::int else priority end
    where name = ${name} and singleton_key = ${key} and state in ('created', 'retry')`)
  if (!(await hasEffect(moved))) return false
  await sendSignal(tx, 'jobs', [name])
  return true
}

async function retryFailed(tx: Db, { boss, within }: Boss, id: string): Promise<boolean> {
  const moved = await boss.redrive(FAILED, { ids: [id], db: within(tx) })
  await sendSignal(tx, 'jobs')
  if (moved > 0) return true
  // Runs the queued job that kept a failed one of its key from being queued again.
  const [job] = await readRows(tx, z.object({ name: z.string(), key: z.string() }))`
    delete from jobs.job where name = ${FAILED} and id = ${id} and output->>'reason' = 'redrive_conflict'
    returning source_name as name, singleton_key as key`
  if (job) await moveUp(tx, job.name, job.key, 0, false)
  return job !== undefined
}

/** Removes a failed job from the list. @returns false if it is no longer listed */
function dismissFailed(tx: Db, id: string): Promise<boolean> {
  return hasEffect(
    tx.execute(sql`delete from jobs.job where ${sql.raw(FAILED_FOR_GOOD)} and id = ${id}::uuid`),
  )
}

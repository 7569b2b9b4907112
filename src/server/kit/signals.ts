import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { z } from 'zod'
import { endClient, openClient, type Db } from './db.ts'
import { retries } from './reconnecting.ts'
import { jsonOrNull } from './text.ts'

/** The NOTIFY channel of all change signals. */
const CHANNEL = 'proof_of_price'
const TOPICS = ['record', 'receipt', 'queue', 'price', 'scores', 'snapshots', 'jobs'] as const
const LOST = new Error('the connection that listens for changes has ended')

const Signal = z.object({
  topic: z.enum(TOPICS),
  /** Id of a submission, prediction, asset, mode or job; empty for topics without ids. */
  id: z.string().default(''),
  /** Version of the record. */
  version: z.number().optional(),
  /** Up to 8,000 bytes that are not in the database: a live price, an erased prediction. */
  value: z.unknown().optional(),
})
export type Signal = z.output<typeof Signal>
type Topic = Signal['topic']

const PACE = { beatMs: 15_000, queryMs: 5_000, firstPauseMs: 200, longestPauseMs: 5_000 }

/** Receives a signal, or null if any may have been missed; must not throw. */
type Listener = (signal: Signal | null) => void

export type Signals = ReturnType<typeof openSignals>

/** Signals all processes, including this one, on commit, or at once outside a transaction. */
export async function sendSignals(db: Db, signals: readonly z.input<typeof Signal>[]) {
  if (signals.length === 0) return
  const texts = signals.map((signal) => JSON.stringify(signal))
  await db.execute(
    sql`select pg_notify(${CHANNEL}, signal) from unnest(${sql.param(texts)}::text[]) as signal`,
  )
}

export async function sendSignal(db: Db, topic: Topic, ids: readonly string[] = ['']) {
  await sendSignals(
    db,
    ids.map((id) => ({ topic, id })),
  )
}

/**
 * Listens on one connection without a pooler, opened for the first listener and reopened with back-off. After each
 * reconnection all listeners get null, as signals may have been lost.
 * @param onError called once per lost connection
 */
export function openSignals(
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
  { beatMs, queryMs, firstPauseMs: firstMs, longestPauseMs: longestMs } = PACE,
) {
  const listeners = new Map<string, Set<Listener>>()
  const retry = retries(() => void connect(), { firstMs, longestMs })
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isBegun = false
  let isLost = false
  let isStopped = false

  function lost(of: pg.Client, error: unknown): void {
    if (client !== of) return
    client = null
    clearTimeout(timer)
    void endClient(of)
    if (!isLost) onError(error instanceof Error ? error : new Error(String(error)))
    isLost = true
    retry.again()
  }

  async function connect(): Promise<void> {
    const next = openClient({
      connectionTimeoutMillis: queryMs,
      query_timeout: queryMs,
      application_name: 'proof-of-price signals',
      ...connection,
    })
    client = next
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next, LOST))
    next.on('notification', ({ payload = '' }) => {
      const { data: signal } = Signal.safeParse(jsonOrNull(payload))
      if (signal && client === next) publish(signal)
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      if (client !== next) return
      retry.reset()
      isLost = false
      for (const set of listeners.values()) for (const listener of set) listener(null)
      beat(next)
    } catch (error) {
      lost(next, error)
    }
  }

  function beat(of: pg.Client): void {
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => client === of && beat(of),
        (error: unknown) => lost(of, error),
      )
    }, beatMs)
  }

  function publish(signal: Signal): void {
    for (const name of new Set([signal.topic, nameOf(signal.topic, signal.id)])) {
      for (const listener of listeners.get(name) ?? []) listener(signal)
    }
  }

  return {
    /** @param id only signals about this id @returns unsubscribes */
    listen(topic: Topic, listener: Listener, id = ''): () => void {
      if (!isBegun && !isStopped) void connect()
      isBegun = true
      const name = nameOf(topic, id)
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name)
      }
    },
    async stop(): Promise<void> {
      isStopped = true
      retry.stop()
      clearTimeout(timer)
      const last = client
      client = null
      if (last) await endClient(last)
    },
  }
}

function nameOf(topic: Topic, id: string): string {
  return id === '' ? topic : `${topic} ${id}`
}

/**
 * Runs `work` without overlap. A call during a run schedules one more, as the current one may have read outdated data.
 * @returns starts it; settles with a run that began after the call
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false

  async function run(): Promise<void> {
    try {
      do {
        again = false
        await work()
      } while (again)
    } finally {
      running = null
    }
  }

  return () => {
    if (running) again = true
    else running = run()
    return running
  }
}

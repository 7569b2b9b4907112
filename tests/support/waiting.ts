import { type ClientBase } from 'pg'
import { vi } from 'vitest'

/** Only a failure or a very slow machine takes so long. */
const PATIENCE_MS = 60_000

/** Waits until the assertions of `check` hold: for effects of a socket, a job or another process. */
export function shows<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 })
}

/**
 * The same for a public call, less often: these are limited to some hundred a minute.
 */
export function showsByCall<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 300 })
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await shows(async () => {
    if (!(await isTrue())) throw new Error(`never came true: ${String(isTrue)}`)
  })
}

/** For a call whose result does not matter to the story, however slow the machine. */
export function patiently(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS)
}

/** Timers run by the test, so that a busy machine ends nothing too early. */
export function handTimers() {
  const set = new Set<{ ms: number; run: () => void }>()
  return {
    after: (ms: number, run: () => void): (() => void) => {
      const timer = { ms, run }
      set.add(timer)
      return () => void set.delete(timer)
    },
    /** Fires the timer of so many milliseconds. */
    runOut: (ms: number): void => {
      const timer = [...set].find((one) => one.ms === ms)
      if (!timer) throw new Error(`no timer of ${String(ms)}`)
      set.delete(timer)
      timer.run()
    },
    /** The milliseconds of running timers. */
    open: (): number[] => [...set].map(({ ms }) => ms),
  }
}

/** The number of sessions waiting for a lock in a connection's database: the server has those of other tests, too. */
export async function waitingForLocks(connection: Pick<ClientBase, 'query'>): Promise<number> {
  // A lock on another transaction has no database; its session holds others that have.
  const { rows } = await connection.query(`
    with own as (
      select locks.* from pg_locks locks join pg_database d on d.oid = locks.database
      where d.datname = current_database()
    )
    select distinct pid from pg_locks where not granted and pid in (select pid from own)`)
  return rows.length
}

export function eventsOf(
  origin: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
) {
  return streamOf(`${origin}/api/v1/live${query}`, headers)
}

/** A response that is read as it arrives, until the end of the scope. */
export async function streamOf(url: string, headers: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController()
  const response = await fetch(url, { signal: stop.signal, headers })
  const state = { text: '', ended: false }
  const reading = (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      state.text += chunk
    state.ended = true
  })().catch(() => {})
  return { response, state, reading, [Symbol.dispose]: () => stop.abort() }
}

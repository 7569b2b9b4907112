import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { endClient, openClient } from '#server/kit/db.ts'

/** Waiting for the lock is restarted after this, as the connection may have died unnoticed. */
const SET_WAIT = `set lock_timeout = '30s'`
const ASK = {
  text: `select pg_advisory_lock(hashtext('proof-of-price leader'))`,
  query_timeout: 35_000,
}
const TIMED_OUT = '55P03'

/**
 * `askMs` passes after a failure, `beatMs` between checks of a leader's connection. PostgreSQL ends the session, and so the
 * lead, of a process that sends nothing for `silentMs`: its machine may be gone.
 */
const PACE = { askMs: 500, beatMs: 15_000, queryMs: 5_000, silentMs: 60_000 }

export type Leadership = ReturnType<typeof openLeadership>

/**
 * Elects one leading process per database by an advisory lock on a separate connection, which bypasses any
 * pooler. The lock ends with its session, so a process that dies or loses the connection loses the lead.
 */
export function openLeadership(
  connection: pg.ClientConfig,
  onLead: (leads: boolean) => void,
  pace: Partial<typeof PACE> = {},
) {
  const { askMs, beatMs, queryMs, silentMs } = { ...PACE, ...pace }
  const stopping = new AbortController()
  let leads = false

  /** Waits for the lead, and holds it while the connection lasts. */
  async function lead(): Promise<void> {
    const client = openClient({
      connectionTimeoutMillis: queryMs,
      query_timeout: queryMs,
      application_name: `proof-of-price leader ${String(process.pid)}`,
      ...connection,
    })
    const lost = new AbortController()
    const signal = AbortSignal.any([lost.signal, stopping.signal])
    const end = (): void => lost.abort()
    client.on('error', end).on('end', end)
    const hold = async (): Promise<never> => {
      await client.connect()
      await client.query(`${SET_WAIT}; set idle_session_timeout = ${String(silentMs)}`)
      // Blocks until the previous leader ends.
      while (!(await client.query(ASK).catch(nullIfTimedOut))) signal.throwIfAborted()
      signal.throwIfAborted()
      onLead((leads = true))
      for (;;) {
        await pause(beatMs, undefined, { signal })
        await client.query('select 1')
      }
    }
    try {
      await Promise.race([hold(), once(signal, 'abort')])
    } finally {
      end()
      try {
        if (leads) onLead((leads = false))
      } finally {
        await endClient(client)
      }
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await lead().catch(() => {})
      await pause(askMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const following = follow()
  return {
    isLeader: (): boolean => leads,
    stop: async (): Promise<void> => {
      stopping.abort()
      await following
    },
  }
}

function nullIfTimedOut(error: unknown): null {
  if (error instanceof pg.DatabaseError && error.code === TIMED_OUT) return null
  throw error
}

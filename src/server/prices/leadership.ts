import pg from 'pg'
import { endClient, openClient } from '#server/kit/db.ts'

/** Waiting for the lock is restarted after this, as the connection may have died unnoticed. */
const SET_WAIT = `set lock_timeout = '30s'`
const ASK = {
  text: `select pg_advisory_lock(hashtext('proof-of-price leader'))`,
  query_timeout: 35_000,
}
const TIMED_OUT = '55P03'

/** Pauses after a failure, and between checks of a leader's connection. */
type Pace = { readonly askMs: number; readonly beatMs: number; readonly queryMs: number }

const PACE: Pace = { askMs: 500, beatMs: 15_000, queryMs: 5_000 }

export type Leadership = { readonly isLeader: () => boolean; readonly stop: () => Promise<void> }

/**
 * Elects one leading process per database by an advisory lock on a separate connection, which bypasses any
 * pooler. The lock ends with its session, so a process that dies or loses the connection loses the lead.
 */
export function openLeadership(
  connection: pg.ClientConfig,
  onLead: (leads: boolean) => void,
  { askMs, beatMs, queryMs }: Pace = PACE,
): Leadership {
  let client: pg.Client | null = null
  let leads = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function setLead(now: boolean): void {
    if (leads === now) return
    leads = now
    onLead(now)
  }

  function lost(of: pg.Client | null): void {
    if (client !== of) return
    client = null
    setLead(false)
    if (of) void endClient(of)
  }

  async function open(): Promise<pg.Client> {
    const next = openClient({
      connectionTimeoutMillis: queryMs,
      query_timeout: queryMs,
      application_name: `proof-of-price leader ${String(process.pid)}`,
      ...connection,
    })
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    await next.connect()
    await next.query(SET_WAIT)
    return next
  }

  async function ask(): Promise<void> {
    try {
      const on = client ?? (await open())
      if (leads) await on.query('select 1')
      else {
        // Blocks until the previous leader ends.
        await on.query(ASK)
        setLead(client === on)
      }
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === TIMED_OUT)) lost(client)
    }
    if (!isStopped) timer = setTimeout(() => void ask(), leads ? beatMs : askMs)
  }

  void ask()
  return {
    isLeader: () => leads,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      const last = client
      client = null
      setLead(false)
      if (last) await endClient(last)
    },
  }
}

import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { openDatabase, type Db } from '#server/kit/db.ts'
import { ConfigError } from '#server/kit/settings/config.ts'
import { troubleOf } from '#server/kit/trouble.ts'

/** Maximum lag of reads. */
const MOST_BEHIND_MS = 1_000
const LOOK_EVERY_MS = 500
/** Interval between checks while waiting for an announced change. */
const LOOK_SOON_MS = 50
/** A slower replica is skipped in favour of the primary. */
const ANSWER_WITHIN_MS = 5_000

export type ReplicaState = {
  /** `unfit`: it responds, but is no replica of this database. */
  readonly state: 'used' | 'behind' | 'away' | 'unfit'
  /** Age of the oldest change not replayed yet, ms; null if unknown. */
  readonly behindMs: number | null
}

export type Replica = Awaited<ReturnType<typeof openReplica>>

/** A position in the write-ahead log, bytes. */
type Place = number

const WRITTEN = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as place`
const REPLAYED = `select pg_is_in_recovery() as "isReplica", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as place`

/**
 * Reads that may be a second old, from a streaming replica. Twice a second the primary's write position is compared
 * with the replayed one, so that an idle primary is no lag and clock differences don't matter. While the primary is
 * away, the replica counts as current.
 *
 * @throws ConfigError if it responds at the start and is no replica of this database; one that is away is used later
 */
export async function openReplica(
  primary: pg.Pool,
  connection: pg.PoolConfig,
  log: { warn: (text: string) => void },
) {
  const { pool, close } = openDatabase(
    { ...connection, query_timeout: ANSWER_WITHIN_MS, connectionTimeoutMillis: ANSWER_WITHIN_MS },
    () => {
      // The next check detects it.
    },
  )
  /** Positions not reached at the last check, oldest first. */
  let ahead: { readonly at: number; readonly place: Place }[] = []
  let state: ReplicaState['state'] = 'away'
  let announced = 0
  /** Number of announcements that the replica certainly includes. */
  let caught = 0
  let waiting: { readonly announcement: number; readonly place: Place } | null = null
  let timer: NodeJS.Timeout | null = null
  let isOpen = false
  let isStopped = false

  async function look(): Promise<ReplicaState['state']> {
    const announcement = announced
    const at = performance.now()
    const written = (await ask<{ place: Place }>(primary, WRITTEN))?.place ?? null
    const replica = await ask<{ isReplica: boolean; place: Place | null }>(pool, REPLAYED)
    if (!replica) return setState('away')
    const isNew = state === 'away' || state === 'unfit'
    if (!replica.isReplica || (isNew && (await isOther(primary, pool)))) return setState('unfit')
    const replayed = replica.place ?? 0
    if (written === null) caught = announcement
    else {
      ahead.push({ at, place: written })
      waiting ??= { announcement, place: written }
    }
    if (waiting && replayed >= waiting.place) {
      caught = Math.max(caught, waiting.announcement)
      waiting = null
    }
    ahead = ahead.filter(({ place }) => place > replayed)
    return setState(behindMs() <= MOST_BEHIND_MS ? 'used' : 'behind')
  }

  function behindMs(): number {
    const [oldest] = ahead
    return oldest ? performance.now() - oldest.at : 0
  }

  function setState(now: ReplicaState['state']): ReplicaState['state'] {
    if (now !== state && isOpen) log.warn(TEXTS[now])
    state = now
    return now
  }

  function lookAgain(): void {
    if (isStopped) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(
      () => {
        timer = null
        look().then(lookAgain, lookAgain)
      },
      state === 'used' && caught < announced ? LOOK_SOON_MS : LOOK_EVERY_MS,
    ).unref()
  }

  async function query(text: pg.QueryConfig | string, values?: unknown[]): Promise<unknown> {
    const words = typeof text === 'string' ? text : text.text
    if (/^\s*(begin|start)\b/i.test(words)) throw new Error('the replica only accepts single reads')
    if (state === 'used' && caught >= announced && behindMs() <= MOST_BEHIND_MS) {
      try {
        return await pool.query(text, values)
      } catch (error) {
        // A replay may have cancelled the read; the primary reports real faults.
        if (troubleOf(error).isLost) setState('away')
      }
    }
    return primary.query(text, values)
  }

  async function stop(): Promise<void> {
    isStopped = true
    isOpen = false
    if (timer) clearTimeout(timer)
    await close()
  }

  const first = await look()
  if (first === 'unfit') {
    await stop()
    throw new ConfigError(
      'DATABASE_READ_URL must lead to a streaming replica of the database at DATABASE_URL. Without a replica, leave it out.',
    )
  }
  if (first !== 'used') log.warn(TEXTS[first])
  isOpen = true
  lookAgain()
  // All that Drizzle needs of a client outside transactions.
  const db: Db = drizzle({ query } as unknown as pg.Pool, { casing: 'snake_case' })
  return {
    /** Reads from the replica; from the primary while that is away, behind or failing. */
    db,
    state: (): ReplicaState => ({
      state,
      behindMs: state === 'away' || state === 'unfit' ? null : behindMs(),
    }),
    /** After an announced change: reads go to the primary until the replica has it. */
    catchUp: (): void => {
      announced += 1
      lookAgain()
    },
    stop,
  }
}

const TEXTS: Readonly<Record<ReplicaState['state'], string>> = {
  used: 'The replica (DATABASE_READ_URL) has caught up; public reads go to it.',
  behind:
    'The replica (DATABASE_READ_URL) is more than a second behind; public reads go to the primary.',
  away: 'The replica (DATABASE_READ_URL) does not answer; public reads go to the primary.',
  unfit:
    'The server at DATABASE_READ_URL is no longer a replica; public reads go to the primary. After a failover set DATABASE_URL to it.',
}

/** Whether they are different databases, or of different clusters; unknown counts as no. */
export async function isOther(one: pg.Pool, other: pg.ClientBase | pg.Pool): Promise<boolean> {
  const [ours, theirs] = [await identityOf(one), await identityOf(other)]
  return ours !== null && theirs !== null && ours !== theirs
}

/** @returns null without a response */
async function ask<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string) {
  try {
    return (await pool.query<Row>(text)).rows[0] ?? null
  } catch {
    return null
  }
}

/**
 * Identifies a database at any address: the system identifier, which replicas share, and the name. Null if the role
 * may not read it, as on some hosted servers.
 */
async function identityOf(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select system_identifier || ' ' || current_database() as identity from pg_control_system()`,
    )
    return rows[0]?.identity ?? null
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return null
    throw error
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { type PoolConfig } from 'pg'
import type pg from 'pg'
import { findRunning, startEmbedded } from '#server/database/embedded/embedded-postgres.ts'
import { type StoreLog } from '#server/database/embedded/failure.ts'
import {
  migrateDatabase,
  openClient,
  openDatabase,
  type Database,
  type Db,
} from '#server/kit/db.ts'
import { ConfigError } from '#server/kit/settings/config.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { watchOutages } from './outages.ts'
import { isOther, openReplica, type Replica } from './replica.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

export type OpenStore = Awaited<ReturnType<typeof openStore>>

export type StoreOptions = {
  readonly databaseUrl: string | null
  /** The server behind the pooler of `databaseUrl`. */
  readonly directUrl?: string | null
  /** A streaming replica of it. */
  readonly readUrl?: string | null
  readonly dataDir: string
  readonly migrationsFolder: string
  /** Throws if this version cannot read the stored data; migrations are then rolled back. */
  readonly checkStored?: (tx: Db) => Promise<void>
  readonly log: StoreLog
  /** Joins the database of a running site, if there is one. */
  readonly join: boolean
  /** How long to wait for an unavailable database; without it not at all, as a person is waiting. */
  readonly waitMs?: number
  /** Called once when the built-in database is permanently lost. */
  readonly onLost?: (failure: Error) => void
}

/** Opens the built-in or the configured database and migrates it. */
export async function openStore(options: StoreOptions) {
  const { log } = options
  const found = options.join && !options.databaseUrl ? await findRunning(options.dataDir) : null
  const embedded =
    options.databaseUrl || found
      ? null
      : await startEmbedded({
          dataDir: options.dataDir,
          log,
          ...(options.onLost ? { onLost: options.onLost } : {}),
        })
  const connection: PoolConfig = options.databaseUrl
    ? { connectionString: options.databaseUrl }
    : { ...(found ?? embedded)?.connection }
  const outages = watchOutages({ ping: () => database.pool.query('select 1'), log })
  const database: Database = openDatabase(connection, (error) => void outages.notice(error))
  let replica: Replica | null = null
  const close = async (): Promise<void> => {
    outages.stop()
    await replica?.stop()
    await database.close()
    await embedded?.stop()
  }
  /** Runs start-up work, with retries for at most `waitMs` while the database is away. */
  const whenThere = <T>(work: () => Promise<T>): Promise<T> =>
    retryWhileAway(work, {
      forMs: options.waitMs ?? 0,
      onWait: (reason) => log.warn(`Waiting for the database: ${reason}`),
    })
  /** Bypasses a pooler, for sessions. Never log it. */
  const direct = options.directUrl ? { connectionString: options.directUrl } : connection
  const setting = options.directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  try {
    if (options.databaseUrl) await whenThere(() => refusePooler(direct, setting))
    await whenThere(() => migratePast(direct, options))
    if (options.directUrl) await whenThere(() => refuseOther(database, direct))
    if (options.readUrl) {
      replica = await openReplica(database.pool, { connectionString: options.readUrl }, log)
    }
  } catch (error) {
    await close()
    throw unreachable(error, options.directUrl ?? options.databaseUrl, setting)
  }
  return { database, replica, direct, outages, whenThere, close }
}

/**
 * Retries work with back-off while only the database connection is away.
 *
 * @param forMs then the last failure is thrown
 * @param onWait called once with the message of the first failure
 */
export async function retryWhileAway<T>(
  work: () => Promise<T>,
  { forMs, onWait }: { forMs: number; onWait: (reason: string) => void },
): Promise<T> {
  const until = performance.now() + forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      const { message, isLost } = troubleOf(error)
      if (!isLost || performance.now() + pauseMs > until) throw error
      if (pauseMs === FIRST_PAUSE_MS) onWait(message)
      await pause(pauseMs)
    }
  }
}

async function migratePast(direct: PoolConfig, { migrationsFolder, checkStored }: StoreOptions) {
  const past = openDatabase({ ...direct, max: 2 }, () => {
    // The next query fails and handles it.
  })
  try {
    await migrateDatabase(past, migrationsFolder, checkStored)
  } finally {
    await past.close()
  }
}

/** Refuses a direct address that leads to another database. */
async function refuseOther(database: Database, direct: PoolConfig): Promise<void> {
  const client = openClient(direct)
  try {
    await client.connect()
    if (!(await isOther(database.pool, client))) return
    throw new ConfigError(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases. Name the same one in both: the first bypassing the pooler, the second through it.',
    )
  } finally {
    await client.end()
  }
}

/** Describes a failed connection; the address is shown without credentials. */
function unreachable(error: unknown, url: string | null, setting: string): unknown {
  const { message, isLost } = troubleOf(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!url || (!isLost && !/^(28|3D)/.test(code))) return error
  const { host } = new URL(url)
  return new Error(`The database at ${host} (${setting}) cannot be used: ${message}`)
}

/** Other clients of the same pooler may take the connections that would reveal it. */
const PROBES = 5

/**
 * Refuses an address without lasting sessions: a pooler in transaction mode hands each transaction to any of its
 * connections, so that notifications and locks end up elsewhere, without an error. Detected by behaviour, not by
 * name: two sessions at once never keep a server connection to themselves.
 *
 * @param connection how LISTEN and the leader's lock would connect
 * @param setting `DATABASE_URL` or `DATABASE_DIRECT_URL`
 * @throws ConfigError with a sentence that says what to set
 */
export async function refusePooler(
  connection: pg.ClientConfig,
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
): Promise<void> {
  const [first, second] = [openClient(connection), openClient(connection)]
  try {
    await first.connect()
    // The server reports its process id at the start; a pooler invents one. In session mode that is harmless.
    if ((await serverOf(first)) === Reflect.get(first, 'processID')) return
    await second.connect()
    for (let probe = 0; probe < PROBES; probe += 1) {
      if (!(await keepsServer(first, second))) throw new ConfigError(SENTENCES[setting])
    }
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

const SENTENCES = {
  DATABASE_URL:
    'DATABASE_URL leads through a pooler in transaction mode, in which notifications and the leader’s lock get lost. Set DATABASE_DIRECT_URL to the PostgreSQL server behind it; DATABASE_URL can stay.',
  DATABASE_DIRECT_URL:
    'DATABASE_DIRECT_URL leads through a pooler in transaction mode, in which notifications and the leader’s lock get lost. Name the PostgreSQL server itself there, or a pool in session mode.',
} as const

/** @returns whether the first session keeps its server connection while the second works */
async function keepsServer(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await serverOf(first)
  await second.query('begin')
  const others = await serverOf(second)
  // In a pool of one the first session would wait for it.
  const after = others === before ? null : await serverOf(first)
  await second.query('rollback')
  return after === before
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

import { setTimeout as pause } from 'node:timers/promises'
import { type PoolConfig } from 'pg'
import {
  migrateDatabase,
  openClient,
  openDatabase,
  type Database,
  type Db,
} from '#server/kit/db.ts'
import { type StoreLog } from './embedded/failure.ts'
import { findRunning, startEmbedded } from './embedded/embedded-postgres.ts'
import { refusePooler } from './pooler.ts'
import { identityOf } from './same-database.ts'
import { openReplica, type Replica } from './replica.ts'
import { watchOutages, type Outages } from './outages.ts'
import { ConfigError } from '#server/kit/settings/config.ts'
import { troubleOf } from '#server/kit/trouble.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

export type OpenStore = {
  readonly database: Database
  /** Null where no replica is named. */
  readonly replica: Replica | null
  /** How to reach it past a pooler, for a connection that keeps its session. Never log it. */
  readonly direct: PoolConfig
  /** The folder of the built-in database that this process itself runs; null otherwise. */
  readonly ownFolder: string | null
  readonly outages: Outages
  /** Does work of the start, again while the database is away for no longer than `waitMs`. */
  readonly whenThere: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export type StoreOptions = {
  readonly databaseUrl: string | null
  /** Where `databaseUrl` leads to a pooler: the server behind it. */
  readonly directUrl?: string | null
  /** A streaming replica of it. */
  readonly readUrl?: string | null
  readonly dataDir: string
  readonly migrationsFolder: string
  /** Throws when this version cannot read what is stored; migrations are then rolled back. */
  readonly checkStored?: (tx: Db) => Promise<void>
  readonly log: StoreLog
  /** Join the database that the running site has, where it runs, instead of insisting on being the only one. */
  readonly join: boolean
  /** How long a start waits for a database that does not answer. Without it: not at all, as a person is waiting. */
  readonly waitMs?: number
  /** Called once when the built-in database is lost for good. */
  readonly onLost?: (failure: Error) => void
}

/** Opens the database, the built-in one or the one named, and brings its schema up to date. */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
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
  const whenThere = <T>(work: () => Promise<T>): Promise<T> =>
    retryWhileAway(work, {
      forMs: options.waitMs ?? 0,
      onWait: (said) => log.warn(`Waiting for the database: ${said}`),
    })
  const ownFolder = embedded ? options.dataDir : null
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
  return { database, replica, direct, ownFolder, outages, whenThere, close }
}

/**
 * Does some work again, with growing pauses, while only the connection to the database is away.
 *
 * @param forMs for so long; then the last failure is thrown
 * @param onWait called once, with what the first failure said
 */
export async function retryWhileAway<T>(
  work: () => Promise<T>,
  { forMs, onWait }: { forMs: number; onWait: (said: string) => void },
): Promise<T> {
  const until = performance.now() + forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      const { said, isLost } = troubleOf(error)
      if (!isLost || performance.now() + pauseMs > until) throw error
      if (pauseMs === FIRST_PAUSE_MS) onWait(said)
      await pause(pauseMs)
    }
  }
}

/** Brings the schema up to date, past a pooler. */
async function migratePast(
  direct: PoolConfig,
  { migrationsFolder, checkStored }: StoreOptions,
): Promise<void> {
  const past = openDatabase({ ...direct, max: 2 }, () => {
    // The next query fails, and that is where it is handled.
  })
  try {
    await migrateDatabase(past, migrationsFolder, checkStored)
  } finally {
    await past.close()
  }
}

/** Refuses a direct address of another database than the one that is worked on. */
async function refuseOther(database: Database, direct: PoolConfig): Promise<void> {
  const client = openClient(direct)
  try {
    await client.connect()
    const [ours, theirs] = [await identityOf(database.pool), await identityOf(client)]
    if (ours === null || theirs === null || ours === theirs) return
    throw new ConfigError(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases. Name the same one in both: the first past the pooler, the second through it.',
    )
  } finally {
    await client.end()
  }
}

/** A failed connection as a sentence; the address is shown without user name and password. */
function unreachable(error: unknown, url: string | null, setting: string): unknown {
  const { said, isLost } = troubleOf(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!url || (!isLost && !/^(28|3D)/.test(code))) return error
  const { host } = new URL(url)
  return new Error(`The database at ${host} (${setting}) cannot be used: ${said}`)
}

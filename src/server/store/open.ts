import { type PoolConfig } from 'pg'
import { migrateDatabase, openDatabase, type Database } from './database.ts'
import { type StoreLog } from './embedded-failure.ts'
import { findRunning, startEmbedded } from './embedded-postgres.ts'

export type OpenStore = {
  readonly database: Database
  /** How to reach it, for connections of one's own. Never log it. */
  readonly connection: PoolConfig
  /** The folder of the built-in database that this process itself runs; null otherwise. */
  readonly ownFolder: string | null
  readonly close: () => Promise<void>
}

export type StoreOptions = {
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly migrationsFolder: string
  readonly log: StoreLog
  /** Join the database that the running site has, where it runs, instead of insisting on being the only one. */
  readonly join: boolean
  /** Told once when the built-in database is lost for good. */
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
  const database = openDatabase(connection, (error) => {
    log.warn(`A database connection was lost: ${error.message}`)
  })
  const close = async (): Promise<void> => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await migrateDatabase(database, options.migrationsFolder)
  } catch (error) {
    await close()
    throw unreachable(error, options.databaseUrl)
  }
  return { database, connection, ownFolder: embedded ? options.dataDir : null, close }
}

/** A failed connection as a sentence; the address is told without user name and password. */
function unreachable(error: unknown, url: string | null): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!url || !/^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28|3D)/.test(code)) return error
  const { host } = new URL(url)
  const said = error instanceof Error && error.message ? error.message : code
  return new Error(`The database at ${host} (DATABASE_URL) cannot be used: ${said}`)
}

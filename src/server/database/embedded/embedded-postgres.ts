import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureCluster, SUPERUSER } from './cluster.ts'
import { failureOf, type StoreLog } from './failure.ts'
import { findOwner, takeOwnerLock } from './owner-lock.ts'
import { readPidFile } from './pid-file.ts'
import { findPlace, preparePlace, type Place, type UsablePlace } from './place.ts'
import { isServerOf } from './process.ts'
import { startServer, type Server } from './server.ts'
import { startWindowsServer } from './windows.ts'

/** How to reach the database, in the words of `pg`. */
export type Connection = {
  /** The folder of a Unix socket, or an address. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** Only where there are no Unix sockets. Never log it. */
  readonly password?: string
}

export type Embedded = {
  readonly connection: Connection
  /** The server's process; another one after a crash of PostgreSQL. */
  readonly pid: number
  /** Close the connections first: those still open are cut. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Made when missing; holds the database and what belongs to it. */
  readonly dataDir: string
  readonly log: StoreLog
  /** False only for data that may be lost: the server then never waits for the disk. */
  readonly durable?: boolean
  /** Called once when PostgreSQL crashed so often that it is not started again. */
  readonly onLost?: (failure: Error) => void
}

const MOST_CRASHES = 5
const CRASH_WINDOW_MS = 60_000

const STARTING_MS = 15_000
const LOOK_EVERY_MS = 50

/**
 * Starts the built-in PostgreSQL on a data folder, which it makes when missing. One process at a time: see
 * `findRunning` for a second one. A server that crashes is started again on the same socket, so pools recover.
 *
 * @throws EmbeddedFailure with a sentence for the person who runs the site
 */
export async function startEmbedded({
  dataDir,
  log,
  durable = true,
  onLost,
}: EmbeddedOptions): Promise<Embedded> {
  const usable = preparePlace(dataDir, log)
  const { place } = usable
  const lock = takeOwnerLock(place.ownerLock)
  try {
    await ensureCluster(usable, durable)
    let server = await start(usable, durable, log)
    let stopping = false

    const keepUp = async (): Promise<void> => {
      const crashes: number[] = []
      for (;;) {
        const lastWords = await server.ended
        if (stopping) return
        log.error(`PostgreSQL crashed and is started again. It said: ${lastWords}`)
        crashes.push(Date.now())
        const recent = crashes.filter((at) => at > Date.now() - CRASH_WINDOW_MS)
        if (recent.length > MOST_CRASHES) throw new Error('PostgreSQL keeps crashing.')
        server = await start(usable, durable, log)
        // A stop that was asked for meanwhile stopped the old server.
        if (stopping) return server.stop()
      }
    }
    const kept = keepUp().catch((error: unknown) => {
      const failure = failureOf(error, `keep the database in ${place.folder} running`)
      log.error(failure.message)
      onLost?.(failure)
    })

    return {
      connection: connectionTo(place, server),
      get pid() {
        return server.pid
      },
      async stop() {
        stopping = true
        await server.stop()
        await kept
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw failureOf(error, `start the database in ${place.folder}`)
  }
}

/**
 * The database of this folder when another living program of the site runs it, such as the site itself. Waits while
 * that program is still starting it.
 *
 * @returns null when it is not running: the caller may start it
 */
export async function findRunning(
  dataDir: string,
): Promise<{ connection: Connection; pid: number } | null> {
  const deadline = Date.now() + STARTING_MS
  for (;;) {
    const place = findPlace(dataDir)
    if (place === null || findOwner(place.ownerLock) === null) return null
    const file = readPidFile(place.data)
    if (file?.ready && isServerOf(file.pid, place.data)) {
      const host = file.socketFolder || '127.0.0.1'
      return { connection: connectionTo(place, { host, port: file.port }), pid: file.pid }
    }
    if (Date.now() > deadline) return null
    await pause(LOOK_EVERY_MS)
  }
}

/** A connection string that `pg` and PostgreSQL's own tools understand. It may hold a password: never log it. */
export function connectionStringOf(connection: Connection, database = connection.database): string {
  const { host, port, user, password } = connection
  const who = password ? `${user}:${encodeURIComponent(password)}` : user
  return `postgresql://${who}@${encodeURIComponent(host)}:${String(port)}/${encodeURIComponent(database)}`
}

function start(usable: UsablePlace, durable: boolean, log: StoreLog): Promise<Server> {
  return process.platform === 'win32'
    ? startWindowsServer(usable, durable, log)
    : startServer(usable, durable, log)
}

function connectionTo(place: Place, { host, port }: { host: string; port: number }): Connection {
  const reach = { host, port, user: SUPERUSER, database: 'postgres' }
  if (!existsSync(place.password)) return reach
  return { ...reach, password: readFileSync(place.password, 'utf8').trim() }
}

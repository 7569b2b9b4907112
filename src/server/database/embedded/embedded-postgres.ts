import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { programOf } from './binaries.ts'
import { ensureCluster, SUPERUSER, runProgram } from './cluster.ts'
import { failureOf, type StoreLog, EmbeddedFailure, failureOfPostgres } from './failure.ts'
import { findOwner, takeOwnerLock, isServerOf } from './owner-lock.ts'
import { findPlace, preparePlace, type Place, type UsablePlace } from './place.ts'
import { readPidFile, startServer, type Server, settingsFor } from './server.ts'

/** Connection parameters of `pg`. */
export type Connection = {
  /** The folder of a Unix socket, or an address. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** Only without Unix sockets. Never log it. */
  readonly password?: string
}

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>

export type EmbeddedOptions = {
  readonly dataDir: string
  readonly log: StoreLog
  /** False only for disposable data: the server then never waits for the disk. */
  readonly durable?: boolean
  /** Called once when PostgreSQL has crashed too often to be restarted. */
  readonly onLost?: (failure: Error) => void
}

const MOST_CRASHES = 5
const CRASH_WINDOW_MS = 60_000

const STARTING_MS = 15_000
const LOOK_EVERY_MS = 50

/**
 * Starts the built-in PostgreSQL in a data folder, created if missing. One process at a time: a second one uses
 * `findRunning`. After a crash it restarts on the same socket, so that pools recover.
 *
 * @throws EmbeddedFailure with a sentence for the person who runs the site
 */
export async function startEmbedded({ dataDir, log, durable = true, onLost }: EmbeddedOptions) {
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
        log.error(`PostgreSQL crashed and is being restarted. Its last output: ${lastWords}`)
        crashes.push(Date.now())
        const recent = crashes.filter((at) => at > Date.now() - CRASH_WINDOW_MS)
        if (recent.length > MOST_CRASHES) throw new Error('PostgreSQL keeps crashing.')
        server = await start(usable, durable, log)
        // A stop during the restart ended only the old server.
        if (stopping) return server.stop()
      }
    }
    const upkeep = keepUp().catch((error: unknown) => {
      const failure = failureOf(error, `keep the database in ${place.folder} running`)
      log.error(failure.message)
      onLost?.(failure)
    })

    return {
      connection: connectionTo(place, server),
      /** Process id of the server; changes after a crash. */
      get pid(): number {
        return server.pid
      },
      /** Close the connections first: open ones are cut. */
      async stop(): Promise<void> {
        stopping = true
        await server.stop()
        await upkeep
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw failureOf(error, `start the database in ${place.folder}`)
  }
}

/**
 * The database of this folder if another process of the site runs it. Waits while that process is starting it.
 *
 * @returns null if it isn't running: the caller may start it
 */
export async function findRunning(dataDir: string) {
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

/** A connection string for `pg` and PostgreSQL's tools. It may hold a password: never log it. */
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

const WATCH_EVERY_MS = 1_000

/**
 * Starts the server on Windows, on a port of 127.0.0.1 with a password. Uses pg_ctl, which drops administrator
 * rights, as PostgreSQL refuses to run with them, and is the only clean way to stop it.
 */
async function startWindowsServer(
  usable: UsablePlace,
  durable: boolean,
  log: StoreLog,
): Promise<Server> {
  const { place, binaries, launcher } = usable
  const control = (words: readonly string[], doing: string): Promise<void> =>
    runProgram(launcher, programOf(binaries, 'pg_ctl'), [...words, '-D', place.data, '-w'], doing)
  const stop = (): Promise<void> =>
    control(['stop', '-m', 'fast'], `stop the database in ${place.folder}`)

  const left = readPidFile(place.data)
  if (left !== null && isServerOf(left.pid, place.data)) {
    log.warn('Stopping a PostgreSQL server left by an earlier run.')
    await stop()
  }
  const port = await freePort()
  const report = `${place.data}.log`
  const settings = settingsFor(durable, { listen_addresses: '127.0.0.1' }).join(' ')
  try {
    await control(
      ['start', '-l', report, '-o', `-p ${String(port)} ${settings}`],
      `start the database in ${place.folder}`,
    )
  } catch (error) {
    throw failureOfPostgres(
      `start the database in ${place.folder}`,
      `${String(error)}\n${tail(report)}`,
    )
  }
  const pid = readPidFile(place.data)?.pid
  if (pid === undefined) throw new EmbeddedFailure('PostgreSQL ended right after its start.')
  return { pid, host: '127.0.0.1', port, ended: endOf(pid, place.data, report), stop }
}

/** The server is a grandchild, so no exit event arrives. */
async function endOf(pid: number, data: string, report: string): Promise<string> {
  while (isServerOf(pid, data)) await pause(WATCH_EVERY_MS, undefined, { ref: false })
  return tail(report)
}

function tail(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(-20).join('\n')
  } catch {
    return ''
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address === 'object' && address) return address.port
  throw new EmbeddedFailure('There is no free port for PostgreSQL.')
}

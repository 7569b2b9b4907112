import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, basename, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { programOf } from './binaries.ts'
import { EmbeddedFailure, codeOf, failureOf, failureOfPostgres, type StoreLog } from './failure.ts'
import { findProcess, isServerOf } from './owner-lock.ts'
import { wordsFor, type UsablePlace } from './place.ts'

export type Server = {
  readonly pid: number
  /** A folder with a Unix socket, or an address. */
  readonly host: string
  readonly port: number
  /** Resolves once the server has ended, for whatever reason, with the end of its log. */
  readonly ended: Promise<string>
  /** Fast shutdown. */
  stop(): Promise<void>
}

/** Part of the socket's name; no TCP port is used. */
const SOCKET_PORT = 5432
/** Maximum length of a socket path: 104 bytes on macOS, 108 on Linux, minus the terminator. */
const LONGEST_SOCKET_PATH = 103

const SESSIONS_END_MS = 500
const FAST_STOP_MS = 60_000
const SLOW_START_MS = 10_000
/** How long workers of a killed server take to notice. */
const OLD_WORKERS_MS = 20_000
const LOG_LINES = 60

const DURABLE = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // An idle site would start a worker each minute that finds nothing to do.
  autovacuum_naptime: '5min',
}
const FORGETFUL = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Hundreds of short-lived databases, perhaps in memory: no vacuum, and little log.
  autovacuum: 'off',
  max_wal_size: '256MB',
}

/** The command line overrides the file, so that an old edit cannot cost data or log secrets. */
export function settingsFor(durable: boolean, more: Readonly<Record<string, string>>): string[] {
  const settings = {
    ...(durable ? DURABLE : FORGETFUL),
    // Statements and error details quote visitors' input.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '',
    log_checkpoints: 'off',
    logging_collector: 'off',
    // Many visitors ask short queries at once: starting workers for each costs more than they save.
    max_parallel_workers_per_gather: '0',
    lc_messages: 'C',
    timezone: 'UTC',
    ...more,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Starts the server on a Unix socket and waits until it accepts connections, however long recovery takes. The caller
 * holds the owner lock.
 *
 * @throws EmbeddedFailure with what PostgreSQL reported
 */
export async function startServer(
  usable: UsablePlace,
  durable: boolean,
  log: StoreLog,
): Promise<Server> {
  const { data } = usable.place
  const deadline = Date.now() + OLD_WORKERS_MS
  for (;;) {
    await reclaim(data, log)
    const host = makeSocketFolder(usable)
    const started = await tryStart(usable, host, durable, log)
    if (typeof started !== 'string') return started
    removeSocketFolder(host)
    // A busy worker of a killed server holds the shared memory until it notices.
    const oldWorkers = /pre-existing shared memory block|lock file .* already exists/.test(started)
    if (!oldWorkers || Date.now() > deadline) {
      throw failureOfPostgres(`start the database in ${usable.place.folder}`, started)
    }
    await pause(200)
  }
}

/** @returns the log of a server that failed to start */
async function tryStart(
  usable: UsablePlace,
  host: string,
  durable: boolean,
  log: StoreLog,
): Promise<Server | string> {
  const { place, binaries, launcher } = usable
  const sockets = {
    listen_addresses: '',
    unix_socket_directories: host,
    unix_socket_permissions: '0700',
  }
  const { file, args } = wordsFor(launcher, programOf(binaries, 'postgres'), [
    '-D',
    place.data,
    '-p',
    String(SOCKET_PORT),
    ...settingsFor(durable, sockets),
  ])
  const child = spawn(file, args, {
    ...launcher.options,
    // A separate session: Ctrl-C is for the site, which stops the database last.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  const ended = endOf(child, lines)
  const ready = new Promise<true>((done) => {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      if (lines.length > LOG_LINES) lines.shift()
      if (/database system is ready to accept (read-only )?connections/.test(line)) done(true)
      else report(line, log)
    })
  })
  const slow = setInterval(() => {
    log.info(`PostgreSQL is still starting: ${lines.at(-1) ?? 'no output yet'}`)
  }, SLOW_START_MS)
  const first = await Promise.race([ready, ended]).finally(() => {
    clearInterval(slow)
  })
  if (first !== true) return first

  return {
    pid: child.pid ?? 0,
    host,
    port: SOCKET_PORT,
    ended,
    async stop() {
      // Sessions of a closed pool end a moment later; terminated at once they would report a lost connection.
      child.kill('SIGTERM')
      const cut = setTimeout(() => child.kill('SIGINT'), SESSIONS_END_MS)
      const hurry = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS)
      await ended
      clearTimeout(cut)
      clearTimeout(hurry)
      removeSocketFolder(host)
    },
  }
}

function endOf(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((done) => {
    child.on('error', (error) => {
      done(failureOf(error, 'run PostgreSQL').message)
    })
    // Not 'close': workers of a killed server may hold the pipe open. The delay lets the last lines in.
    child.on('exit', (code, signal) => {
      setTimeout(() => {
        done([...lines, `It ended with ${signal ?? `status ${String(code)}`}.`].join('\n'))
      }, 20)
    })
  })
}

function report(line: string, log: StoreLog): void {
  if (/^(?:FATAL|PANIC):/.test(line)) log.error(`PostgreSQL: ${line}`)
  else if (/^(?:ERROR|WARNING):/.test(line)) log.warn(`PostgreSQL: ${line}`)
}

/**
 * The data folder, closed to other users, unless its path is too long for a socket. The same at every start, so that
 * pools reconnect after a crash.
 */
function makeSocketFolder({ place, launcher: { account } }: UsablePlace): string {
  const socket = join(place.data, `.s.PGSQL.${String(SOCKET_PORT)}`)
  if (Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH) return place.data
  const key = createHash('sha256').update(place.data).digest('hex').slice(0, 16)
  const folder = join(fs.existsSync('/tmp') ? '/tmp' : tmpdir(), `${SOCKET_FOLDER}${key}`)
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
    if (account) fs.chownSync(folder, account.uid, account.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw failureOf(error, `make ${folder} for the socket`)
    // Its owner could impersonate the database.
    const { uid, mode } = fs.lstatSync(folder)
    const ours = uid === (account?.uid ?? process.getuid?.())
    if (!ours || (mode & 0o170_777) !== 0o040_700) {
      throw new EmbeddedFailure(`${folder} belongs to another user; remove it.`)
    }
  }
  return folder
}

/** Prefix of socket folders below the temporary folder, for data folders with too long a path. */
const SOCKET_FOLDER = 'proof-of-price-socket-'

/** A process id that no system assigns. */
const NO_PROCESS = 999_999_999

const PAUSE_MS = 25
const ORPHAN_STOP_MS = 30_000
const QUICK_STOP_MS = 10_000

/** The content of `postmaster.pid`, whether the server still runs or not. */
export function readPidFile(data: string) {
  try {
    const lines = fs.readFileSync(pidFileOf(data), 'utf8').split('\n')
    return {
      pid: Number(lines[0]),
      port: Number(lines[3]),
      /** Empty without a Unix socket. */
      socketFolder: lines[4]?.trim() ?? '',
      ready: lines[7]?.trim() === 'ready',
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw failureOf(error, `look into the database folder ${data}`)
  }
}

/**
 * Frees a data folder from the server of a killed process: stops it if it still runs, and prevents its files from
 * blocking the next one. Requires the owner lock.
 */
export async function reclaim(data: string, log: StoreLog): Promise<void> {
  const left = readPidFile(data)
  if (left === null) return
  if (isServerOf(left.pid, data)) {
    log.warn(`Stopping a PostgreSQL server (process ${String(left.pid)}) left by an earlier run.`)
    await stopServer(left.pid, data)
  }
  removeSocketFolder(left.socketFolder)
  // PostgreSQL notices a dead process, but takes a zombie or a reused process id for a server. The file must stay: it
  // leads to the shared memory that shows whether workers of the old server still write.
  const now = readPidFile(data)
  if (now !== null && !isGone(now.pid)) disown(data)
  for (const name of fs.readdirSync(data)) {
    if (name.startsWith('.s.PGSQL.')) fs.rmSync(join(data, name), { force: true })
  }
}

/** Stops a server that is not our child, finally with an immediate shutdown. */
async function stopServer(pid: number, data: string): Promise<void> {
  const stops = [
    { signal: 'SIGINT', waitMs: ORPHAN_STOP_MS },
    { signal: 'SIGQUIT', waitMs: QUICK_STOP_MS },
  ] as const
  for (const { signal, waitMs } of stops) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') {
        throw failureOf(error, `stop the PostgreSQL server (process ${String(pid)}) of ${data}`)
      }
    }
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += PAUSE_MS) {
      if (!isServerOf(pid, data)) return
      await pause(PAUSE_MS)
    }
  }
  throw new EmbeddedFailure(
    `A PostgreSQL server (process ${String(pid)}) still works in ${data} and does not stop. Stop it by hand.`,
  )
}

/** Whether no process has this id, not even a zombie. */
function isGone(pid: number): boolean {
  if (findProcess(pid) !== null) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

function disown(data: string): void {
  const file = pidFileOf(data)
  const [, ...rest] = fs.readFileSync(file, 'utf8').split('\n')
  fs.writeFileSync(file, [String(NO_PROCESS), ...rest].join('\n'))
}

/** Removes a socket folder if it is ours; the path comes from a file, so it is verified. */
function removeSocketFolder(folder: string): void {
  const ours = basename(folder).startsWith(SOCKET_FOLDER)
  if (ours && ['/tmp', tmpdir()].includes(dirname(folder)))
    fs.rmSync(folder, { recursive: true, force: true })
}

function pidFileOf(data: string): string {
  return join(data, 'postmaster.pid')
}

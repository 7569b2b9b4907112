import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedFailure, codeOf, failureOf, type StoreLog } from './failure.ts'
import { findProcess, isServerOf } from './process.ts'

/** The content of `postmaster.pid`. */
export type PidFile = {
  readonly pid: number
  readonly port: number
  /** Folder of its Unix socket; empty without one. */
  readonly socketFolder: string
  readonly ready: boolean
}

/** Prefix of socket folders below the temporary folder, for data folders with too long a path. */
export const SOCKET_FOLDER = 'proof-of-price-socket-'

/** A process id that no system assigns. */
const NO_PROCESS = 999_999_999

const PAUSE_MS = 25
const FAST_STOP_MS = 30_000
const QUICK_STOP_MS = 10_000

/** The content, whether the server still runs or not. */
export function readPidFile(data: string): PidFile | null {
  try {
    const lines = readFileSync(pidFileOf(data), 'utf8').split('\n')
    return {
      pid: Number(lines[0]),
      port: Number(lines[3]),
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
  for (const name of readdirSync(data)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(data, name), { force: true })
  }
}

/** Stops a server that is not our child, finally with an immediate shutdown. */
async function stopServer(pid: number, data: string): Promise<void> {
  const stops = [
    { signal: 'SIGINT', waitMs: FAST_STOP_MS },
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
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [String(NO_PROCESS), ...rest].join('\n'))
}

/** Removes a socket folder if it is ours; the path comes from a file, so it is verified. */
export function removeSocketFolder(folder: string): void {
  const ours = basename(folder).startsWith(SOCKET_FOLDER)
  if (ours && ['/tmp', tmpdir()].includes(dirname(folder)))
    rmSync(folder, { recursive: true, force: true })
}

function pidFileOf(data: string): string {
  return join(data, 'postmaster.pid')
}

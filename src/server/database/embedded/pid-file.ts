import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedFailure, codeOf, failureOf, type StoreLog } from './failure.ts'
import { findProcess, isServerOf } from './process.ts'

/** What a PostgreSQL server writes about itself into its data folder. */
export type PidFile = {
  readonly pid: number
  readonly port: number
  /** The folder of its Unix socket; an empty text when it has none. */
  readonly socketFolder: string
  readonly ready: boolean
}

/** Sockets whose data folder has too long a path live in a folder of this name below the system's temporary one. */
export const SOCKET_FOLDER = 'proof-of-price-socket-'

/** A process number no system gives out. */
const NO_PROCESS = 999_999_999

const PAUSE_MS = 25
const FAST_STOP_MS = 30_000
const QUICK_STOP_MS = 10_000

/** What the server of this data folder wrote, whether it still runs or not. */
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
 * Frees a data folder from a server that a killed program of ours left behind: stops it when it runs on, and sees to
 * it that its files do not keep the next one from starting. Only for the one who holds the owner lock.
 */
export async function reclaim(data: string, log: StoreLog): Promise<void> {
  const left = readPidFile(data)
  if (left === null) return
  if (isServerOf(left.pid, data)) {
    log.warn(`Stopping a PostgreSQL server (process ${String(left.pid)}) that an earlier run left.`)
    await stopServer(left.pid, data)
  }
  removeSocketFolder(left.socketFolder)
  // PostgreSQL itself sees that a process is gone, but takes a zombie or a stranger with the same number for a server.
  // The file must stay: it leads to the shared memory that shows whether workers of the old server are still writing.
  const now = readPidFile(data)
  if (now !== null && !isGone(now.pid)) disown(data)
  for (const name of readdirSync(data)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(data, name), { force: true })
  }
}

/** Stops a server that is not our child, at the latest by sending its sessions away without a checkpoint. */
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

/** Whether there is nothing at all under this number, not even a zombie. */
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

/** Removes the folder of a socket if it is one of ours; the path comes from a file, so it is not taken at its word. */
export function removeSocketFolder(folder: string): void {
  const ours = basename(folder).startsWith(SOCKET_FOLDER)
  if (ours && ['/tmp', tmpdir()].includes(dirname(folder)))
    rmSync(folder, { recursive: true, force: true })
}

function pidFileOf(data: string): string {
  return join(data, 'postmaster.pid')
}

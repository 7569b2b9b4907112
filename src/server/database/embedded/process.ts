import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** Identifies a process across reuse of its id. */
export type ProcessMark = {
  readonly pid: number
  /** Start time in a system-specific format; empty if unknown. */
  readonly began: string
}

/** The process with this id; null if there is none or it is a zombie. */
export function findProcess(pid: number): ProcessMark | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') return findLinuxProcess(pid)
  if (process.platform === 'win32') return exists(pid) ? { pid, began: '' } : null
  const [state = '', ...began] = ps(pid, 'state=,lstart=').split(/\s+/)
  return state === '' || state.startsWith('Z') ? null : { pid, began: began.join(' ') }
}

function findLinuxProcess(pid: number): ProcessMark | null {
  const stat = readOrEmpty(`/proc/${String(pid)}/stat`)
  // The second field is the program name in parentheses and may contain parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', ticks] = [fields[0], fields[19]]
  if (ticks === undefined || 'ZXx'.includes(state)) return null
  // Ticks count from boot, so the boot id is needed, too.
  return { pid, began: `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}/${ticks}` }
}

/** Whether exactly this process still runs. */
export function isRunning(mark: ProcessMark): boolean {
  return findProcess(mark.pid)?.began === mark.began
}

/**
 * Whether this process is the PostgreSQL server of a data folder.
 *
 * @param data the real path of the folder, as given to the server with `-D`
 */
export function isServerOf(pid: number, data: string): boolean {
  if (findProcess(pid) === null) return false
  if (process.platform === 'win32') {
    return run('tasklist', ['/FI', `PID eq ${String(pid)}`, '/NH']).includes('postgres.exe')
  }
  if (process.platform !== 'linux') return ps(pid, 'command=').includes(`postgres -D ${data}`)
  const words = readOrEmpty(`/proc/${String(pid)}/cmdline`).split('\0')
  if (basename(words[0] ?? '') !== 'postgres') return false
  // A server started by hand may have another spelling of the path; its working folder is the data folder.
  return words[words.indexOf('-D') + 1] === data || workingFolder(pid) === data
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${String(pid)}/cwd`)
  } catch {
    // Another user's process; hidden from root in some containers.
    return ''
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function ps(pid: number, format: string): string {
  return run('ps', ['-o', format, '-p', String(pid)]).trim()
}

function run(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

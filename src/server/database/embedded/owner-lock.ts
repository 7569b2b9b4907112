import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { jsonOrNull } from '#server/kit/text.ts'
import { EmbeddedFailure, codeOf, failureOf } from './failure.ts'

/** Held by the only process that may start, stop or replace the database of a folder. */
export type OwnerLock = { release(): void }

/**
 * Acquires the lock. That of a killed process counts as free: the file names the process and its start time, so that
 * neither a crash nor a reused process id blocks the folder.
 *
 * @throws EmbeddedFailure if a living process holds it
 */
export function takeOwnerLock(file: string): OwnerLock {
  const me = findProcess(process.pid) ?? { pid: process.pid, began: '' }
  const text = JSON.stringify(me)
  const own = `${file}.${String(process.pid)}`
  try {
    for (let tries = 0; tries < 20; tries += 1) {
      if (createWhole(own, file, text)) {
        return {
          release() {
            if (readOrNull(file) === text) rmSync(file, { force: true })
          },
        }
      }
      const content = readOrNull(file)
      const owner = ownerIn(content)
      if (owner !== null) {
        throw new EmbeddedFailure(
          `Another program of this site (process ${String(owner.pid)}) already uses the database folder ` +
            `that ${file} protects. Stop it first, or give this one another DATA_DIR or a DATABASE_URL.`,
        )
      }
      if (content !== null) removeStale(file, own, content)
    }
  } catch (error) {
    throw failureOf(error, `take the lock ${file}`)
  }
  throw new EmbeddedFailure(`Could not take the lock ${file}: other programs keep taking it.`)
}

/** The living process that holds the lock, or null. */
export function findOwner(file: string): ProcessMark | null {
  return ownerIn(readOrNull(file))
}

/** Creates the file atomically. @returns false if it exists */
function createWhole(own: string, file: string, text: string): boolean {
  try {
    writeFileSync(own, text)
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/** Removes a stale lock, unless it was renewed since it was read. */
function removeStale(file: string, own: string, stale: string): void {
  const aside = `${own}.stale`
  try {
    renameSync(file, aside)
    if (readOrNull(aside) !== stale) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** The process that a lock names, if it is still running. */
function ownerIn(lock: string | null): ProcessMark | null {
  const mark = ProcessMark.safeParse(jsonOrNull(lock ?? '')).data
  return mark && findProcess(mark.pid)?.began === mark.began ? mark : null
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Identifies a process across reuse of its id. */
const ProcessMark = z.object({
  pid: z.number(),
  /** Start time in a system-specific format; empty if unknown. */
  began: z.string(),
})
type ProcessMark = z.infer<typeof ProcessMark>

/** The process with this id; null if it has ended or is a zombie. */
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

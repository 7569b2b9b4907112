import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { EmbeddedFailure, codeOf, failureOf } from './failure.ts'
import { findProcess, isRunning, type ProcessMark } from './process.ts'

/** Held by the one process that may start, stop or replace the database of a folder. */
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
      const held = readOrNull(file)
      const owner = held === null ? null : readMark(held)
      if (owner !== null && isRunning(owner)) {
        throw new EmbeddedFailure(
          `Another program of this site (process ${String(owner.pid)}) already uses the database folder ` +
            `that ${file} protects. Stop it first, or give this one another DATA_DIR or a DATABASE_URL.`,
        )
      }
      if (held !== null) removeStale(file, own, held)
    }
  } catch (error) {
    throw failureOf(error, `take the lock ${file}`)
  }
  throw new EmbeddedFailure(`Could not take the lock ${file}: other programs keep taking it.`)
}

/** The living process that holds the lock, or null. */
export function findOwner(file: string): ProcessMark | null {
  const held = readOrNull(file)
  const owner = held === null ? null : readMark(held)
  return owner !== null && isRunning(owner) ? owner : null
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

function readMark(text: string): ProcessMark | null {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || !('pid' in read) || !('began' in read)) {
      return null
    }
    const { pid, began } = read
    return typeof pid === 'number' && typeof began === 'string' ? { pid, began } : null
  } catch {
    return null
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

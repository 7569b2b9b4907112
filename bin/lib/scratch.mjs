import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
} from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Linux's folder in memory. */
const MEMORY = '/dev/shm'
const NAME = /^proof-of-price-scratch-(\d+)-/

/** The suites use a tenth of this; containers often have only 64 MB there. */
const ENOUGH_BYTES = 3e9
/** Required free memory, which the suites share with these files. */
const ENOUGH_MEMORY = 4e9
/** Age at which a folder counts as a leftover even if its process is in another container. */
const OLD_MS = 3 * 3_600_000

/**
 * Creates an in-memory folder for the temporary files of the suites: databases and browser profiles are hundreds of small
 * files, and a disk slows the suites by a sixth. Without enough memory, or if TMPDIR is set, nothing changes.
 *
 * @returns {{ env: NodeJS.ProcessEnv, remove: () => void }}
 */
export function makeScratch() {
  if (process.env.TMPDIR || !hasRoom()) return { env: {}, remove() {} }
  removeLeftovers()
  const folder = mkdtempSync(join(MEMORY, `proof-of-price-scratch-${process.pid}-`))
  // PostgreSQL runs as another user if we are root, and needs to traverse it.
  chmodSync(folder, 0o711)
  return { env: { TMPDIR: folder }, remove: () => remove(folder) }
}

function hasRoom() {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const free = process.availableMemory?.() ?? freemem()
    return bavail * bsize > ENOUGH_BYTES && free > ENOUGH_MEMORY && mayRunPrograms()
  } catch {
    return false
  }
}

/** PostgreSQL's programs are copied next to its data if its user cannot access them. */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , , options = ''] =
    mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
  return !options.split(',').includes('noexec')
}

/**
 * Removes leftovers of killed runs, which would occupy memory.
 *
 * @param {string} [memory] the folder with the leftovers
 */
export function removeLeftovers(memory = MEMORY) {
  for (const name of readdirSync(memory)) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    const folder = join(memory, name)
    if (Date.now() - statSync(folder).mtimeMs > OLD_MS) remove(folder)
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** @param {string} folder */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // It belongs to another user, or a killed program still writes there. The next run retries.
  }
}

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

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
const NAME = /^proof-of-price-scratch-(\d+)-/

/** The suites use a tenth of this at once; containers often have only 64 MB there. */
const ENOUGH_BYTES = 3e9
/** Free memory needed: files there take memory from the suites. */
const ENOUGH_MEMORY = 4e9
/** If containers share this memory, processes of another one are not visible here. */
const OLD_MS = 3 * 3_600_000

/**
 * Makes a folder in memory for the temporary files of the suites: databases and the profiles of browsers are hundreds of
 * small files each, and on a disk the suites take a sixth longer. Where there is no such memory, or TMPDIR
 * names a folder already, the suites use what the system gives them.
 *
 * @returns {{ env: NodeJS.ProcessEnv, remove: () => void }}
 */
export function makeScratch() {
  if (process.env.TMPDIR || !hasRoom()) return { env: {}, remove() {} }
  removeLeftovers()
  const folder = mkdtempSync(join(MEMORY, `proof-of-price-scratch-${process.pid}-`))
  // PostgreSQL runs as another user when we are root, and needs to pass through it.
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

/** PostgreSQL's programs are copied next to its data where its user could not reach them. */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , , options = ''] =
    mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
  return !options.split(',').includes('noexec')
}

/**
 * Removes the leftovers of killed runs, as the memory is not freed otherwise.
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
    // It belongs to another user, or a killed program still writes there. The next run tries again.
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from './project.mjs'

const LIBRARY = 'libfaketimeMT.so.1'

/** Where distributions install libfaketime; Debian's folder is named after the processor. */
const FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib']

/**
 * Environment that moves the clock of a program and its children, including PostgreSQL and the browser, ahead by some
 * days; timers run as usual.
 *
 * @param {number} days
 * @returns {NodeJS.ProcessEnv}
 * @throws {Refusal} if libfaketime is missing
 */
export function clockAhead(days) {
  if (process.env.TEST_DATABASE_URL) {
    throw new Refusal(
      'The PostgreSQL of TEST_DATABASE_URL has its own clock. Unset it to test with --days.',
    )
  }
  const library = findLibrary()
  if (library === null) {
    throw new Refusal(
      '--days needs libfaketime, which is not installed (on Debian: apt-get install libfaketime; Linux only).',
    )
  }
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${days}d`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Its shared memory belongs to one user, and PostgreSQL may run as another.
    FAKETIME_DISABLE_SHM: '1',
  }
}

/** @returns {string | null} */
function findLibrary() {
  if (process.platform !== 'linux') return null
  for (const folder of FOLDERS.filter((path) => existsSync(path))) {
    const inside = readdirSync(folder).filter((name) => name.endsWith('-linux-gnu'))
    for (const name of ['.', ...inside]) {
      const library = join(folder, name, 'faketime', LIBRARY)
      if (existsSync(library)) return library
    }
  }
  return null
}

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needsPackagedNode, requireNode } from './node.mjs'
import { npmInstall } from './npm.mjs'
import { showProgress } from './progress.mjs'
import { ROOT, inProject } from './project.mjs'

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean, os?:
 *   string[], cpu?: string[], libc?: string[] }} Package @typedef {Record<string, Package>} Packages by path, as in
 *   lockfiles
 */

/**
 * Installs the packages that build and run the site if they differ from package-lock.json, and a newer Node if this one
 * is too old. Packages for tests only are installed with `tests`, and then stay.
 *
 * @param {(line: string) => void} say reports progress
 * @param {{ tests?: boolean }} [also]
 * @returns {Promise<string>} the Node to run the site with
 * @throws {import('./project.mjs').Refusal} when npm fails
 */
export async function ensureInstalled(say, { tests = false } = {}) {
  const jobs = [
    ...missing('packages', ROOT, { tests }),
    ...(needsPackagedNode() ? missing('a newer Node', inProject('bin', 'node')) : []),
  ]
  await install(jobs, say)
  return requireNode()
}

/**
 * Installs the packages of a single command from its own lockfile.
 *
 * @param {string} what
 * @param {string} folder with that package.json
 * @param {(line: string) => void} say
 * @throws {import('./project.mjs').Refusal} when npm fails
 */
export async function ensureTool(what, folder, say) {
  await install(missing(what, folder), say)
}

/**
 * @typedef {{ what: string, folder: string, anew: boolean, tests: boolean, paths: readonly string[], stamp: string
 *   }} Job `paths` are the packages present afterwards; `stamp` is then recorded in the folder
 */

/**
 * @param {string} what
 * @param {string} folder
 * @param {{ tests?: boolean }} [also]
 * @returns {Job[]} a job that installs missing packages, if any
 */
export function missing(what, folder, { tests: withTests = false } = {}) {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const hash = createHash('sha256')
    .update(`${process.platform}-${process.arch}\n${lock}`)
    .digest('hex')
  const noted = readOrNull(stampOf(folder))
  if (noted === `${hash} all` || (!withTests && noted === `${hash} site`)) return []
  const present = readPackages(installedOf(folder))
  const tests = withTests || Object.values(present ?? {}).some(({ dev }) => dev === true)
  const stamp = `${hash} ${tests ? 'all' : 'site'}`
  const packages = ownPackages(JSON.parse(lock).packages, { tests })
  if (present !== null && isInstalled(folder, packages, present)) {
    writeFileSync(stampOf(folder), stamp)
    return []
  }
  const paths = Object.keys(packages)
  return [{ what, folder, anew: present === null, tests, paths, stamp }]
}

/**
 * The packages that a lockfile installs on this platform.
 *
 * @param {Packages} packages
 * @param {{ tests: boolean }} also
 * @returns {Packages}
 */
function ownPackages(packages, { tests }) {
  const isOurs = (/** @type {Package} */ { os, cpu, libc, dev }) =>
    (tests || dev !== true) &&
    fits(os, process.platform) &&
    fits(cpu, process.arch) &&
    // Only Linux has two C libraries, and Node does not tell which one is in use.
    !(libc?.includes('musl') && !libc.includes('glibc'))
  const own = Object.entries(packages).filter(([path, one]) => path !== '' && isOurs(one))
  return Object.fromEntries(own)
}

/**
 * @param {readonly string[] | undefined} named such as `linux`, or `!win32`
 * @param {string} one
 */
function fits(named, one) {
  if (named === undefined) return true
  return named.includes(one) || (named[0]?.startsWith('!') && !named.includes(`!${one}`))
}

/**
 * Whether npm's last installation, by any command, is up to date: `npm install <package>` does not need another.
 *
 * @param {string} folder
 * @param {Packages} required
 * @param {Packages} present
 */
function isInstalled(folder, required, present) {
  return Object.entries(required).every(([path, { version, optional, devOptional, peer }]) => {
    const there = present[path]
    // Optional packages may be missing; those that this platform needs are checked on use.
    if (there === undefined) return optional === true || devOptional === true || peer === true
    return there.version === version && existsSync(join(folder, path))
  })
}

/**
 * @param {readonly Job[]} jobs
 * @param {(line: string) => void} say
 */
async function install(jobs, say) {
  if (jobs.length === 0) return
  const what = jobs.map((job) => job.what).join(' and ')
  const paths = jobs.flatMap(({ folder, paths: own }) => own.map((path) => join(folder, path)))
  const end = showProgress(say, `Installing ${what}`, () => {
    const there = paths.filter((path) => existsSync(join(path, 'package.json'))).length
    return `${there} of ${paths.length}`
  })
  const done = await Promise.allSettled(jobs.map(run)).finally(end)
  for (const one of done) if (one.status === 'rejected') throw one.reason
  say(`Installed ${what} in ${end()} s.`)
}

/** @param {Job} job */
async function run({ folder, anew, tests, stamp }) {
  // npm writes its record last: without it, the next start does not trust an interrupted installation.
  rmSync(stampOf(folder), { force: true })
  rmSync(installedOf(folder), { force: true })
  await npmInstall(folder, { anew, words: [tests ? '--include=dev' : '--omit=dev'] })
  writeFileSync(stampOf(folder), stamp)
}

/** @param {string} folder */
function stampOf(folder) {
  return join(folder, 'node_modules', '.proof-of-price-installed')
}

/**
 * npm's own record of installed packages.
 *
 * @param {string} folder
 */
function installedOf(folder) {
  return join(folder, 'node_modules', '.package-lock.json')
}

/**
 * @param {string} file
 * @returns {Packages | null}
 */
function readPackages(file) {
  const text = readOrNull(file)
  return text === null ? null : JSON.parse(text).packages
}

/** @param {string} file */
function readOrNull(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { findNode, requireNode } from './node.mjs'
import { ROOT, Refusal, inProject } from './project.mjs'

const LOCKFILE = inProject('package-lock.json')
/** npm's own record of what is installed; written last, so an interrupted installation has none. */
const INSTALLED = inProject('node_modules', '.package-lock.json')
const STAMP = inProject('node_modules', '.proof-of-price-installed')

const HEARTBEAT_MS = 10_000

const NETWORK_TROUBLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH)\b/
const CERTIFICATE_TROUBLE =
  /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED)\b/

/**
 * Installs the packages if package-lock.json needs others than those installed.
 *
 * @param {(line: string) => void} say reports progress
 * @returns {Promise<string>} the Node to run the site with
 * @throws {Refusal} when npm fails
 */
export async function ensureInstalled(say) {
  const lock = readFileSync(LOCKFILE)
  const wanted = createHash('sha256')
    .update(`${process.platform}-${process.arch}\n`)
    .update(lock)
    .digest('hex')
  if (readOrNull(STAMP) !== wanted) {
    if (!isInstalled(lock.toString())) await install(say)
    writeFileSync(STAMP, wanted)
  }
  return requireNode()
}

/**
 * Whether npm's last installation, by whatever command, matches the lockfile: after `npm install <package>` there is no
 * need for a second one.
 *
 * @param {string} lock
 */
function isInstalled(lock) {
  const installed = readOrNull(INSTALLED)
  if (installed === null) return false
  const { packages: wanted } = JSON.parse(lock)
  const { packages: present } = JSON.parse(installed)
  return Object.entries(wanted).every(([path, { version, optional, devOptional, peer }]) => {
    const there = present[path]
    // Packages for other platforms are optional and may be missing; those of this platform are checked when they are used.
    if (there === undefined)
      return path === '' || optional === true || devOptional === true || peer === true
    return there.version === version && existsSync(inProject(path))
  })
}

/** @param {(line: string) => void} say */
async function install(say) {
  say('Installing packages (about a minute, only when they changed) ...')
  const began = Date.now()
  const heartbeat = setInterval(() => {
    say(`  still installing, ${Math.round((Date.now() - began) / 1000)} s`)
  }, HEARTBEAT_MS)
  try {
    let { status, report } = await runNpm('ci')
    if (status !== 0 && lacksOnlyForeignPackages(report)) {
      // Installs what the lockfile does name; nothing is written back.
      ;({ status, report } = await runNpm('install', '--no-save'))
    }
    if (status !== 0) throw new Refusal(explain(report))
  } finally {
    clearInterval(heartbeat)
  }
  say(`Packages installed in ${Math.round((Date.now() - began) / 1000)} s.`)
}

/**
 * If a registry lacks the packages for other platforms, npm silently leaves them out of the lockfile, and then `npm ci`
 * refuses that lockfile because they are missing: it does not know the version after the @.
 *
 * @param {string} report
 */
function lacksOnlyForeignPackages(report) {
  const faults = report.split('\n').filter((line) => /\b(?:Missing|Invalid): /.test(line))
  return faults.length > 0 && faults.every((line) => /Missing: \S+@ from lock file/.test(line))
}

/**
 * @param {...string} command
 * @returns {Promise<{ status: number, report: string }>}
 */
function runNpm(...command) {
  const words = [...command, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const npm = findNpm()
  // On Windows a running node.exe cannot be replaced, and `npm ci` replaces all packages.
  const node = process.platform === 'win32' ? process.execPath : (findNode() ?? process.execPath)
  return new Promise((done, fail) => {
    const child = npm
      ? spawn(node, [npm, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('npm', words, {
          cwd: ROOT,
          stdio: ['ignore', 'pipe', 'pipe'],
          shell: process.platform === 'win32',
        })
    let report = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        report = `${report}${chunk}`.slice(-20_000)
      })
    }
    child.on('error', (error) => {
      fail(
        new Refusal(
          `Could not run npm: ${error.message}. Install Node with npm from https://nodejs.org.`,
        ),
      )
    })
    child.on('close', (code) => {
      done({ status: code ?? 1, report })
    })
  })
}

/** @returns {string | null} npm's script: the one that started us, else the one on the PATH */
function findNpm() {
  const { npm_execpath: running = '', PATH = '' } = process.env
  if (/npm-cli\.c?js$/.test(running) && existsSync(running)) return running
  for (const folder of PATH.split(delimiter)) {
    const candidates = [
      join(folder, 'npm'),
      join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ]
    for (const candidate of candidates.filter((path) => existsSync(path))) {
      const script = realpathSync(candidate)
      if (script.endsWith('npm-cli.js')) return script
      const beside = join(dirname(script), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
      if (existsSync(beside)) return beside
    }
  }
  return null
}

/** @param {string} report what npm printed */
function explain(report) {
  const details = `npm said:\n${report.trim()}`
  if (NETWORK_TROUBLE.test(report)) {
    return `npm could not reach its registry. Check the network or the proxy settings (npm config get registry) and try again. ${details}`
  }
  if (CERTIFICATE_TROUBLE.test(report)) {
    return `npm does not trust the certificate of its registry. Behind a company proxy set NODE_EXTRA_CA_CERTS. ${details}`
  }
  if (/\bENOSPC\b/.test(report)) return `The disk is full. ${details}`
  if (/\b(EACCES|EPERM|EROFS)\b/.test(report)) {
    return `npm may not write to ${inProject('node_modules')}; check who owns it. ${details}`
  }
  return `npm could not install the packages. ${details}`
}

/** @param {string} file */
function readOrNull(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

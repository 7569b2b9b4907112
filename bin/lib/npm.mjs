import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { findNode } from './node.mjs'
import { Refusal } from './project.mjs'

const NETWORK_TROUBLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH)\b/
const CERTIFICATE_TROUBLE =
  /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED)\b/

/**
 * Installs the packages of a lockfile: from scratch, or only the missing ones.
 *
 * @param {string} folder with package.json and package-lock.json
 * @param {{ anew: boolean, words: readonly string[] }} how
 * @throws {Refusal} when npm fails
 */
export async function npmInstall(folder, { anew, words }) {
  // Does not write to the lockfile.
  const beside = ['install', '--no-save', ...words]
  let { status, report } = await runNpm(folder, anew ? ['ci', ...words] : beside)
  if (status !== 0 && anew && lacksOnlyForeignPackages(report)) {
    ;({ status, report } = await runNpm(folder, beside))
  }
  if (status !== 0) throw new Refusal(explain(report, folder))
}

/**
 * If a registry lacks packages of other platforms, npm silently omits them from the lockfile, and `npm ci` then rejects
 * it, without a version after the @.
 *
 * @param {string} report
 */
function lacksOnlyForeignPackages(report) {
  const faults = report.split('\n').filter((line) => /\b(?:Missing|Invalid): /.test(line))
  return faults.length > 0 && faults.every((line) => /Missing: \S+@ from lock file/.test(line))
}

/**
 * @param {string} cwd
 * @param {readonly string[]} command
 * @returns {Promise<{ status: number, report: string }>}
 */
function runNpm(cwd, command) {
  const words = [...command, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const npm = findNpm()
  // Windows cannot replace a running node.exe, and `npm ci` replaces all packages.
  const node = process.platform === 'win32' ? process.execPath : (findNode() ?? process.execPath)
  return new Promise((done, fail) => {
    const child = npm
      ? spawn(node, [npm, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('npm', words, {
          cwd,
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

/**
 * @param {string} report what npm printed
 * @param {string} folder
 */
function explain(report, folder) {
  const details = `npm said:\n${report.trim()}`
  if (NETWORK_TROUBLE.test(report)) {
    return `npm could not reach its registry. Check the network or the proxy settings (npm config get registry) and try again. ${details}`
  }
  if (CERTIFICATE_TROUBLE.test(report)) {
    return `npm does not trust the certificate of its registry. Behind a company proxy set NODE_EXTRA_CA_CERTS. ${details}`
  }
  if (/\bENOSPC\b/.test(report)) return `The disk is full. ${details}`
  if (/\b(EACCES|EPERM|EROFS)\b/.test(report)) {
    return `npm may not write to ${join(folder, 'node_modules')}; check who owns it. ${details}`
  }
  return `npm could not install the packages. ${details}`
}

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findOnPath } from './find-on-path.mjs'
import { ROOT, Refusal, inProject } from './project.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/**
 * Headless-only Chromium: saves a sixth of the work per page. It has no notifications.
 */
const SHELL_NAME = 'chromium-headless-shell'
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Finds a Chromium for tests, or installs one, with its headless shell if the system has it.
 *
 * @param {string} node
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the path of its binary
 * @throws {Refusal} when it cannot be installed
 */
export async function ensureChromium(node, say) {
  const found = await findChromium()
  if (found) return found
  const apt = findOnPath('apt-get')
  if (apt && process.getuid?.() === 0) {
    say('Installing Chromium with apt-get (only when there is none) ...')
    const updated = await run(apt, ['update', '-q'])
    const install = ['install', '-y', '-q', '--no-install-recommends']
    // Not every distribution has the shell.
    const both = updated && (await run(apt, [...install, 'chromium', SHELL_NAME]))
    if (updated && !both) await run(apt, [...install, 'chromium'])
  }
  if (!(await findChromium())) {
    say("Downloading Playwright's Chromium (only when there is none) ...")
    await run(node, [
      inProject('node_modules', '@playwright', 'test', 'cli.js'),
      'install',
      'chromium',
    ])
  }
  const installed = await findChromium()
  if (installed) return installed
  throw new Refusal(
    'There is no Chromium for the browser tests, and it could not be installed. Install chromium or google-chrome, ' +
      'or set CHROMIUM_PATH to one.',
  )
}

/** @returns {Promise<string | null>} */
async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Refusal(`CHROMIUM_PATH names ${named}, which does not exist.`)
  }
  for (const name of NAMES) {
    const found = findOnPath(name)
    if (found) return found
  }
  const { chromium } = await import('@playwright/test')
  return [...MAC_APPS, chromium.executablePath()].find((path) => existsSync(path)) ?? null
}

/** @returns {string | null} the headless shell, if installed */
export function findShell() {
  return process.env.CHROMIUM_PATH ? null : findOnPath(SHELL_NAME)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it succeeded
 */
function run(program, args) {
  return new Promise((done) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', () => done(false))
    child.on('exit', (code) => done(code === 0))
  })
}

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findOnPath } from './find-on-path.mjs'
import { ROOT, Refusal, inProject } from './project.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/**
 * Chromium without windows, which is what the tests see of it: a page takes a sixth less work. It has no notifications.
 */
const SHELL_NAME = 'chromium-headless-shell'
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Playwright's path to a browser, below a folder named after its version. */
const PLAYWRIGHT_BINARIES = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-win/chrome.exe',
  'chrome-win64/chrome.exe',
]

const SHELL_BINARIES = [
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-headless-shell-mac-arm64/chrome-headless-shell',
  'chrome-headless-shell-mac-x64/chrome-headless-shell',
  'chrome-headless-shell-win64/chrome-headless-shell.exe',
]

/**
 * A Chromium for tests. Where there is none, it is installed, with its headless shell if the system has one.
 *
 * @param {string} node
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the path of its binary
 * @throws {Refusal} when it cannot be installed
 */
export async function ensureChromium(node, say) {
  const found = findChromium()
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
  if (!findChromium()) {
    say("Downloading Playwright's Chromium (only when there is none) ...")
    await run(node, [
      inProject('node_modules', '@playwright', 'test', 'cli.js'),
      'install',
      'chromium',
    ])
  }
  const installed = findChromium()
  if (installed) return installed
  throw new Refusal(
    'There is no Chromium for the browser tests, and it could not be installed. Install chromium or google-chrome, ' +
      'or set CHROMIUM_PATH to one.',
  )
}

/** @returns {string | null} */
function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Refusal(`CHROMIUM_PATH names ${named}, which does not exist.`)
  }
  for (const name of NAMES) {
    const found = findOnPath(name)
    if (found) return found
  }
  return (
    [...MAC_APPS, ...listPlaywrightBrowsers('chromium', PLAYWRIGHT_BINARIES)].find((path) =>
      existsSync(path),
    ) ?? null
  )
}

/** @returns {string | null} the headless shell beside it, if it is installed */
export function findShell() {
  if (process.env.CHROMIUM_PATH) return null
  const listed = listPlaywrightBrowsers('chromium_headless_shell', SHELL_BINARIES)
  return findOnPath(SHELL_NAME) ?? listed.find((path) => existsSync(path)) ?? null
}

/**
 * @param {string} browser
 * @param {readonly string[]} binaries
 * @returns {string[]} the newest version first
 */
function listPlaywrightBrowsers(browser, binaries) {
  const prefix = `${browser}-`
  const caches = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache', 'ms-playwright'),
    join(homedir(), 'Library', 'Caches', 'ms-playwright'),
    join(homedir(), 'AppData', 'Local', 'ms-playwright'),
  ]
  return caches
    .filter((cache) => cache !== undefined && existsSync(cache))
    .flatMap((cache) =>
      readdirSync(cache ?? '')
        .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
        .toSorted((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
        .flatMap((name) => binaries.map((binary) => join(cache ?? '', name, binary))),
    )
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

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { ensureChromium, findShell } from './chromium.mjs'
import { findEngines } from './engines.mjs'
import { pinnedNode } from './node.mjs'
import { ROOT, inProject } from './project.mjs'
import { statusOf } from './run.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} Count `failures` names
 *   what failed, a line each
 * @typedef {{ node: string, say: (line: string) => void, signal: AbortSignal, env: NodeJS.ProcessEnv }} Bench what a
 *   suite works with; `env` holds the settings that shift its clock and name the folder of its temporary files
 * @typedef {{ name: string, title: string, run: (bench: Bench) => Promise<Count>, onlyNamed?: true }} Suite `onlyNamed`
 *   leaves it out of a plain `npm test`
 */

/** How many of the slowest files are listed. */
const SLOWEST = 10

/** @type {readonly Suite[]} */
export const SUITES = [
  {
    name: 'types',
    title: 'Types (tsc)',
    run: (bench) => check(bench, 'Types', ['typescript', 'bin', 'tsc'], ['-b']),
  },
  {
    name: 'lint',
    title: 'Lint (oxlint), and what nothing uses (knip)',
    run: async (bench) =>
      sum([
        await check(bench, 'Lint', ['oxlint', 'bin', 'oxlint'], []),
        await check(bench, 'Knip', ['knip', 'bin', 'knip.js'], ['--no-progress']),
      ]),
  },
  {
    name: 'format',
    title: 'Format (oxfmt)',
    run: (bench) => check(bench, 'Format', ['oxfmt', 'bin', 'oxfmt'], ['--check']),
  },
  { name: 'unit', title: 'Units and the whole app (Vitest)', run: runVitest },
  { name: 'browser', title: 'Browser (Playwright)', run: runBrowser },
  { name: 'engines', title: 'Firefox and WebKit', run: runEngines, onlyNamed: true },
]

/**
 * A suite that only passes or fails.
 *
 * @param {Bench} bench
 * @param {string} name
 * @param {readonly string[]} tool the script below node_modules
 * @param {readonly string[]} words
 * @returns {Promise<Count>}
 */
async function check(bench, name, tool, words) {
  const status = await runTool(bench, tool, words)
  return status === 0
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: [name] }
}

/**
 * @param {readonly Count[]} counts
 * @returns {Count}
 */
function sum(counts) {
  const all = (/** @type {'passed' | 'failed' | 'skipped'} */ name) =>
    counts.reduce((total, count) => total + count[name], 0)
  const failures = counts.flatMap((count) => count.failures)
  return { passed: all('passed'), failed: all('failed'), skipped: all('skipped'), failures }
}

/** @param {Bench} bench */
function runVitest(bench) {
  return withReport(async (file) => {
    const words = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const status = await runTool(bench, ['vitest', 'vitest.mjs'], words, bench.env)
    return countOf(file, status, (report) => {
      showSlowest(bench.say, timesOfVitest(report))
      return {
        passed: report.numPassedTests,
        // A file that cannot be loaded has no tests that could fail.
        failed: Math.max(report.numFailedTests, report.testResults.filter(isFailed).length),
        skipped: report.numPendingTests + report.numTodoTests,
        failures: report.testResults.filter(isFailed).flatMap(failuresOfFile),
      }
    })
  })
}

/** @param {{ status: string }} result */
function isFailed({ status }) {
  return status === 'failed'
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} VitestCase
 * @param {{ name: string, message?: string, assertionResults: VitestCase[] }} file
 */
function failuresOfFile({ name, message, assertionResults }) {
  const where = relative(ROOT, name)
  const failed = assertionResults.filter(isFailed)
  if (failed.length === 0) return [failure(where, message)]
  return failed.map((one) => failure(`${where} > ${one.fullName}`, one.failureMessages?.[0]))
}

/**
 * @typedef {{ title: string, file: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ title: string, ok: boolean, tests: { projectName: string, results: { duration?: number, error?: { message?: string } }[] }[] }} PlaywrightSpec
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failuresOfSuite({ file, specs = [], suites = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const said = tests.flatMap(({ results }) => results.map(({ error }) => error?.message))
      return failure(`${file} [${tests[0]?.projectName ?? ''}] > ${title}`, said.find(Boolean))
    })
  return [...own, ...suites.flatMap(failuresOfSuite)]
}

/**
 * @typedef {{ file: string, ms: number }} FileTime
 * @param {{ testResults: { name: string, startTime: number, endTime: number }[] }} report
 * @returns {FileTime[]}
 */
function timesOfVitest({ testResults }) {
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(ROOT, name),
    ms: endTime - startTime,
  }))
}

/**
 * @param {readonly PlaywrightSuite[]} suites one for each file and project
 * @returns {FileTime[]}
 */
function timesOfPlaywright(suites) {
  /** @type {Map<string, number>} */
  const times = new Map()
  for (const suite of suites) {
    times.set(suite.file, (times.get(suite.file) ?? 0) + timeOfSuite(suite))
  }
  return [...times].map(([file, ms]) => ({ file, ms }))
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {number} milliseconds
 */
function timeOfSuite({ specs = [], suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  const own = results.reduce((sum, { duration = 0 }) => sum + duration, 0)
  return suites.reduce((sum, suite) => sum + timeOfSuite(suite), own)
}

/**
 * @param {(line: string) => void} say
 * @param {readonly FileTime[]} times
 */
function showSlowest(say, times) {
  const slowest = [...times].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  say('\nThe slowest files:')
  for (const { file, ms } of slowest) {
    say(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`)
  }
}

/**
 * @param {string} what
 * @param {string | undefined} message
 */
function failure(what, message = '') {
  const [first = ''] = stripVTControlCharacters(message).split('\n')
  return first === '' ? what : `${what}: ${first}`
}

/** @param {Bench} bench */
async function runBrowser(bench) {
  await ensureBuilt(bench.node, bench.say)
  const chromium = await ensureChromium(bench.node, bench.say)
  const shell = findShell() ?? chromium
  return runPlaywright(bench, ['test'], { CHROMIUM_PATH: chromium, CHROMIUM_SHELL_PATH: shell })
}

/**
 * The journeys in the other engines that are installed; one that is not counts as skipped.
 *
 * @param {Bench} bench
 * @returns {Promise<Count>}
 */
async function runEngines(bench) {
  const { env, missing } = findEngines()
  for (const sentence of missing) bench.say(sentence)
  const none = { passed: 0, failed: 0, skipped: missing.length, failures: [] }
  if (!env.FIREFOX_PATH && !env.WEBKIT_DRIVER_PATH) return none
  await ensureBuilt(bench.node, bench.say)
  const words = [
    'test',
    ...(process.env.ENGINE_GREP ? ['-g', process.env.ENGINE_GREP] : []),
    '--config',
    'playwright.engines.config.ts',
  ]
  return sum([none, await runPlaywright(bench, words, env)])
}

/**
 * @param {Bench} bench
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} env
 */
function runPlaywright(bench, words, env) {
  return withReport(async (file) => {
    const status = await runTool(
      bench,
      ['@playwright', 'test', 'cli.js'],
      [...words, '--reporter=list,json'],
      {
        ...bench.env,
        ...env,
        SITE_NODE: pinnedNode() ?? bench.node,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      },
    )
    return countOf(file, status, ({ stats, errors, suites }) => {
      showSlowest(bench.say, timesOfPlaywright(suites))
      return {
        passed: stats.expected,
        failed: stats.unexpected + errors.length,
        skipped: stats.skipped,
        failures: [
          ...errors.map((/** @type {{ message?: string }} */ { message }) =>
            failure('Playwright', message),
          ),
          ...suites.flatMap(failuresOfSuite),
        ],
      }
    })
  })
}

/**
 * Reads what a runner counted. A suite that crashed, or ran no test at all, has failed.
 *
 * @param {string} file
 * @param {number} status
 * @param {(report: any) => Count} read
 * @returns {Count}
 */
function countOf(file, status, read) {
  /** @type {Count} */
  let count = { passed: 0, failed: 0, skipped: 0, failures: [] }
  try {
    count = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    console.error('The suite ended without a report.')
  }
  if (status === 0 && count.passed + count.failed > 0) return count
  const failures = count.failures.length > 0 ? count.failures : [`It ended with status ${status}.`]
  return { ...count, failed: Math.max(count.failed, 1), failures }
}

/**
 * @param {(file: string) => Promise<Count>} run
 * @returns {Promise<Count>}
 */
async function withReport(run) {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-report-'))
  try {
    return await run(join(folder, 'report.json'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Bench} bench
 * @param {readonly string[]} tool
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its status; the processes it started end with it
 */
async function runTool({ node, signal }, tool, words, env = {}) {
  if (signal.aborted) return 1
  const child = spawn(node, [inProject('node_modules', ...tool), ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const clear = () => child.kill('SIGTERM')
  signal.addEventListener('abort', clear)
  try {
    return await statusOf(child)
  } finally {
    signal.removeEventListener('abort', clear)
  }
}

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { ROOT, inProject } from './project.mjs'
import { statusOf } from './run.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
 * @typedef {{ node: string, say: (line: string) => void, signal: AbortSignal }} Bench what a suite works with
 * @typedef {{ name: string, title: string, run: (bench: Bench) => Promise<Count> }} Suite
 */

/** @type {readonly Suite[]} */
export const SUITES = [
  {
    name: 'types',
    title: 'Types (tsc)',
    run: (bench) => check(bench, ['typescript', 'bin', 'tsc'], ['-b']),
  },
  {
    name: 'lint',
    title: 'Lint (oxlint)',
    run: (bench) => check(bench, ['oxlint', 'bin', 'oxlint'], []),
  },
  {
    name: 'format',
    title: 'Format (oxfmt)',
    run: (bench) => check(bench, ['oxfmt', 'bin', 'oxfmt'], ['--check']),
  },
  { name: 'unit', title: 'Units and the whole app (Vitest)', run: runVitest },
  { name: 'browser', title: 'Browser (Playwright)', run: runPlaywright },
]

/**
 * A suite that says no more than yes or no.
 *
 * @param {Bench} bench
 * @param {readonly string[]} tool the script below node_modules
 * @param {readonly string[]} words
 * @returns {Promise<Count>}
 */
async function check(bench, tool, words) {
  const status = await runTool(bench, tool, words)
  return status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/** @param {Bench} bench */
function runVitest(bench) {
  return withReport(async (file) => {
    const words = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const status = await runTool(bench, ['vitest', 'vitest.mjs'], words)
    return countOf(file, status, (report) => ({
      passed: report.numPassedTests,
      // A file that cannot be loaded has no tests that could fail.
      failed: Math.max(report.numFailedTests, report.testResults.filter(isFailed).length),
      skipped: report.numPendingTests + report.numTodoTests,
    }))
  })
}

/** @param {{ status: string }} result */
function isFailed({ status }) {
  return status === 'failed'
}

/** @param {Bench} bench */
async function runPlaywright(bench) {
  await ensureBuilt(bench.node, bench.say)
  const chromium = await ensureChromium(bench.node, bench.say)
  return withReport(async (file) => {
    const status = await runTool(
      bench,
      ['@playwright', 'test', 'cli.js'],
      ['test', '--reporter=list,json'],
      {
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      },
    )
    return countOf(file, status, ({ stats, errors }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
    }))
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
  let count = { passed: 0, failed: 0, skipped: 0 }
  try {
    count = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    console.error('The suite ended without a report.')
  }
  const broken = status !== 0 || count.passed + count.failed === 0
  return broken ? { ...count, failed: Math.max(count.failed, 1) } : count
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
 * @returns {Promise<number>} its status; what it started ends with it when the bench is cleared
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

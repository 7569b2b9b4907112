import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './project.mjs'

/**
 * @typedef {import('./suites.mjs').Count} Count
 * @typedef {import('./slow-tests.mjs').TestTime} TestTime
 * @typedef {(line: string) => void} Say
 * @typedef {{ status: string, fullName: string, duration?: number | null, failureMessages?: string[] }} VitestCase
 * @typedef {{ name: string, status: string, message?: string, startTime: number, endTime: number, assertionResults: VitestCase[] }} VitestFile
 * @typedef {{ title: string, file: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ duration?: number, error?: { message?: string } }} PlaywrightResult
 * @typedef {{ title: string, ok: boolean, file: string, tests: { projectName: string, results: PlaywrightResult[] }[] }} PlaywrightSpec
 */

/** Number of slowest files listed. */
const SLOWEST = 10

/**
 * @param {string} file Vitest's JSON report
 * @param {number} status
 * @param {Say} say
 * @returns {Count}
 */
export function readVitest(file, status, say) {
  return countOf(file, status, say, (report) => {
    /** @type {VitestFile[]} */
    const files = report.testResults
    showSlowest(
      say,
      files.map(({ name, startTime, endTime }) => [relative(ROOT, name), endTime - startTime]),
    )
    const failed = files.filter(isFailed)
    return {
      passed: report.numPassedTests,
      // A file that failed to load has no failed tests.
      failed: Math.max(report.numFailedTests, failed.length),
      skipped: report.numPendingTests + report.numTodoTests,
      failures: failed.flatMap(failuresOfFile),
      times: files.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ fullName, duration }) => ({
          test: `${relative(ROOT, name)} > ${fullName}`,
          ms: duration ?? 0,
        })),
      ),
    }
  })
}

/** @param {{ status: string }} result */
function isFailed({ status }) {
  return status === 'failed'
}

/** @param {VitestFile} file */
function failuresOfFile({ name, message, assertionResults }) {
  const where = relative(ROOT, name)
  const failed = assertionResults.filter(isFailed)
  if (failed.length === 0) return [failure(where, message)]
  return failed.map((one) => failure(`${where} > ${one.fullName}`, one.failureMessages?.[0]))
}

/**
 * @param {string} file Playwright's JSON report
 * @param {number} status
 * @param {Say} say
 * @returns {Count}
 */
export function readPlaywright(file, status, say) {
  return countOf(file, status, say, ({ stats, errors, suites }) => {
    /** @type {PlaywrightSpec[]} */
    const specs = suites.flatMap(specsOf)
    const times = specs.flatMap(timesOfSpec)
    /** @type {Map<string, number>} */
    const perFile = new Map()
    for (const { test, ms } of times) {
      const [name = ''] = test.split(' ')
      perFile.set(name, (perFile.get(name) ?? 0) + ms)
    }
    showSlowest(say, [...perFile])
    return {
      passed: stats.expected,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
      failures: [
        ...errors.map((/** @type {{ message?: string }} */ { message }) =>
          failure('Playwright', message),
        ),
        ...specs.filter(({ ok }) => !ok).map(failureOfSpec),
      ],
      times,
    }
  })
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {PlaywrightSpec[]}
 */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/**
 * @param {PlaywrightSpec} spec
 * @returns {TestTime[]}
 */
function timesOfSpec({ title, file, tests }) {
  return tests.map(({ projectName, results }) => ({
    test: `e2e/${file} [${projectName}] > ${title}`,
    ms: results.reduce((sum, { duration = 0 }) => sum + duration, 0),
  }))
}

/** @param {PlaywrightSpec} spec */
function failureOfSpec({ title, file, tests }) {
  const messages = tests.flatMap(({ results }) => results.map(({ error }) => error?.message))
  return failure(`${file} [${tests[0]?.projectName ?? ''}] > ${title}`, messages.find(Boolean))
}

/**
 * @param {Say} say
 * @param {readonly (readonly [file: string, ms: number])[]} times
 */
function showSlowest(say, times) {
  say('The slowest files:')
  const slowest = [...times].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST)
  for (const [file, ms] of slowest) {
    say(`${(ms / 1_000).toFixed(1).padStart(8)} s  ${file}`)
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

/**
 * Reads a runner's counts. A suite that crashed or ran no tests has failed.
 *
 * @param {string} file
 * @param {number} status
 * @param {Say} say
 * @param {(report: any) => Count} read
 * @returns {Count}
 */
function countOf(file, status, say, read) {
  /** @type {Count} */
  let count = { passed: 0, failed: 0, skipped: 0, failures: [] }
  try {
    count = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    say('The suite ended without a report.')
  }
  if (status === 0 && count.passed + count.failed > 0) return count
  const failures = count.failures.length > 0 ? count.failures : [`It ended with status ${status}.`]
  return { ...count, failed: Math.max(count.failed, 1), failures }
}

/**
 * @param {(file: string) => Promise<Count>} run
 * @returns {Promise<Count>}
 */
export async function withReport(run) {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-report-'))
  try {
    return await run(join(folder, 'report.json'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { checkBudgets } from './budgets.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureChromium, findShell } from './chromium.mjs'
import { clockAhead } from './clock.mjs'
import { findEngines } from './engines.mjs'
import { findOnPath } from './find-on-path.mjs'
import { pinnedNode } from './node.mjs'
import { ROOT, Refusal, inProject } from './project.mjs'
import { readPlaywright, readVitest, withReport } from './reports.mjs'
import { statusOf } from './run.mjs'

/**
 * @typedef {import('./slow-tests.mjs').TestTime} TestTime
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[], times?: readonly TestTime[] }} Count
 *   `failures` has a line per failure
 * @typedef {{ node: string, say: (text: string) => void, signal: AbortSignal, env: NodeJS.ProcessEnv }} Context `env` sets
 *   the clock and the folder for temporary files
 * @typedef {{ name: string, title: string, run: (context: Context) => Promise<Count> }} Suite
 */

/** @type {Suite} */
const BROWSER = {
  name: 'browser',
  title: 'Browser (Playwright)',
  run: (context) => runBrowser(context, []),
}
/** @type {Suite} */
const UNIT = {
  name: 'unit',
  title: 'Rules, queries, stories, components (Vitest)',
  run: (context) => runVitest(context, []),
}
/** Caches unchanged files. */
const SPELLING =
  '--no-progress --no-summary --cache --cache-strategy content --cache-location node_modules/.cache/cspell'
/** oxlint checks types in a Go program: with the usual limit a third of its time goes into collecting garbage. */
const SELDOM_COLLECTED = { GOGC: '400', GOMEMLIMIT: '3GiB' }
/** @type {readonly Suite[]} */
const STATIC = [
  {
    name: 'lint',
    title: 'Types and lint (oxlint), unused code (knip), spelling (cspell), budgets',
    run: async (context) =>
      sum([
        await check(context, 'Types and lint', ['oxlint', 'bin', 'oxlint'], []),
        await check(context, 'Knip', ['knip', 'bin', 'knip.js'], ['--no-progress']),
        await check(context, 'Spelling', ['cspell', 'bin.mjs'], SPELLING.split(' ')),
        checkBudgets(context),
      ]),
  },
  {
    name: 'format',
    title: 'Format (oxfmt)',
    run: (context) => check(context, 'Format', ['oxfmt', 'bin', 'oxfmt'], ['--check']),
  },
]

const DEEP = { DEEP: '1' }
/** @type {Suite} */
const DEEP_BROWSER = {
  name: 'widths',
  title: 'Further widths, themes and large records (Playwright)',
  run: (context) => runBrowser(deeper(context), ['e2e/deep', 'e2e/steady']),
}
/** @type {Suite} */
const SHUFFLED = {
  name: 'rounds',
  title: 'Kill rounds, restarts, many runs; shuffled, in another time zone (Vitest)',
  run: (context) =>
    runVitest(deeper(context, { TZ: 'Asia/Kathmandu' }), [
      '--sequence.shuffle.files',
      '--sequence.shuffle.tests',
    ]),
}
/** @type {Suite} */
const AHEAD = {
  name: 'ahead',
  title: 'In 60 days (Vitest)',
  run: (context) => runAhead(context, 60),
}
/** @type {Suite} */
const ENGINES = { name: 'engines', title: 'Firefox and WebKit', run: runEngines }
/** @type {Suite} */
const CLUSTER = { name: 'cluster', title: 'Several processes, killed under load', run: runCluster }

/** @type {readonly Suite[]} */
export const SUITES = [BROWSER, UNIT, ...STATIC, DEEP_BROWSER, SHUFFLED, AHEAD, ENGINES, CLUSTER]

/**
 * The suites of a lane run one after the other, the lanes in parallel, longest first.
 *
 * @type {{ usual: readonly (readonly Suite[])[], deep: readonly (readonly Suite[])[] }}
 */
export const LANES = {
  usual: [[BROWSER], [UNIT], STATIC],
  // The drill needs the machine to itself.
  deep: [[SHUFFLED, AHEAD, DEEP_BROWSER, ENGINES, CLUSTER]],
}

/**
 * @param {Context} context
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Context}
 */
function deeper(context, env = {}) {
  return { ...context, env: { ...context.env, ...DEEP, ...env } }
}

/**
 * A suite that only passes or fails.
 *
 * @param {Context} context
 * @param {string} name
 * @param {readonly string[]} tool the script below node_modules
 * @param {readonly string[]} words
 * @returns {Promise<Count>}
 */
async function check(context, name, tool, words) {
  const status = await runTool(context, inModules(tool), words, SELDOM_COLLECTED)
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
  return {
    passed: all('passed'),
    failed: all('failed'),
    skipped: all('skipped'),
    failures: counts.flatMap(({ failures }) => failures),
    times: counts.flatMap(({ times = [] }) => times),
  }
}

/**
 * @param {string} sentence why it did not run
 * @param {Context} context
 * @returns {Count}
 */
function skip(sentence, { say }) {
  say(sentence)
  return { passed: 0, failed: 0, skipped: 1, failures: [] }
}

/**
 * @param {Context} context
 * @param {readonly string[]} words
 * @returns {Promise<Count>}
 */
function runVitest(context, words) {
  return withReport(async (file) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const status = await runTool(context, inModules(['vitest', 'vitest.mjs']), [
      'run',
      ...reporters,
      ...words,
    ])
    return readVitest(file, status, context.say)
  })
}

/**
 * @param {Context} context
 * @param {number} days
 * @returns {Promise<Count>}
 */
async function runAhead(context, days) {
  try {
    return await runVitest({ ...context, env: { ...context.env, ...clockAhead(days) } }, [])
  } catch (error) {
    if (error instanceof Refusal) return skip(error.message, context)
    throw error
  }
}

/**
 * @param {Context} context
 * @param {readonly string[]} words
 */
async function runBrowser(context, words) {
  await ensureBuilt(context.node, context.say)
  const chromium = await ensureChromium(context.node, context.say)
  const shell = findShell() ?? chromium
  return runPlaywright(context, words, { CHROMIUM_PATH: chromium, CHROMIUM_SHELL_PATH: shell })
}

/**
 * Runs the journeys in other installed browsers; a missing browser counts as skipped.
 *
 * @param {Context} context
 * @returns {Promise<Count>}
 */
async function runEngines(context) {
  const { env, missing } = findEngines()
  const absent = sum(missing.map((sentence) => skip(sentence, context)))
  if (!env.FIREFOX_PATH && !env.WEBKIT_DRIVER_PATH) return absent
  await ensureBuilt(context.node, context.say)
  const words = [
    ...(process.env.ENGINE_GREP ? ['-g', process.env.ENGINE_GREP] : []),
    '--config',
    'playwright.engines.config.ts',
  ]
  return sum([absent, await runPlaywright(context, words, env)])
}

/**
 * @param {Context} context
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Count>}
 */
function runPlaywright(context, words, env) {
  return withReport(async (file) => {
    const status = await runTool(
      context,
      inModules(['@playwright', 'test', 'cli.js']),
      ['test', ...words, '--reporter=list,json'],
      { ...env, SITE_NODE: pinnedNode() ?? context.node, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    )
    return readPlaywright(file, status, context.say)
  })
}

/** Programs that bench/cluster.ts needs. */
const CLUSTER_PROGRAMS = ['nginx', 'pgbouncer']

/**
 * Kills the parts of a cluster one after the other.
 *
 * @param {Context} context
 * @returns {Promise<Count>}
 */
async function runCluster(context) {
  const missing = CLUSTER_PROGRAMS.filter((name) => findOnPath(name) === null)
  if (missing.length > 0) {
    return skip(`The cluster needs ${missing.join(' and ')} (Debian's packages).`, context)
  }
  await ensureBuilt(context.node, context.say)
  const status = await runTool(context, inProject('bench', 'cluster.ts'), [])
  return status === 0
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: ['The drill'] }
}

/** @param {readonly string[]} path of a tool */
function inModules(path) {
  return inProject('node_modules', ...path)
}

/**
 * @param {Context} context
 * @param {string} script
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit status; its child processes end with it
 */
async function runTool({ node, signal, say, env: shared }, script, words, env = {}) {
  if (signal.aborted) return 1
  const child = spawn(node, [script, ...words], {
    cwd: ROOT,
    env: { ...process.env, ...shared, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', say)
  const clear = () => child.kill('SIGTERM')
  signal.addEventListener('abort', clear)
  try {
    return await statusOf(child)
  } finally {
    signal.removeEventListener('abort', clear)
  }
}

import { clockAhead } from './lib/clock.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { Refusal, runScript } from './lib/project.mjs'
import { onStopSignal } from './lib/run.mjs'
import { makeScratch } from './lib/scratch.mjs'
import { slowTests } from './lib/slow-tests.mjs'
import { LANES, SUITES } from './lib/suites.mjs'

// npm test: all suites in one pool; npm test -- unit browser: only those two; npm test -- deep: the slow ones. `--days 60`
// runs them with the clock 60 days ahead. A failure does not stop the other suites.
await runScript(async () => {
  const { names, clock } = readWords(process.argv.slice(2))
  const lanes = choose(names)
  const node = await ensureInstalled(console.log, { tests: true }).catch((error) => {
    // Counted as a failure in the last line of the output.
    process.once('exit', () => console.log(`\n${sentence({ passed: 0, failed: 1, skipped: 0 })}`))
    throw error
  })
  const stop = new AbortController()
  onStopSignal(() => stop.abort())
  const scratch = makeScratch()
  process.once('exit', scratch.remove)
  const began = Date.now()
  const run = (/** @type {import('./lib/suites.mjs').Suite} */ suite) =>
    runSuite(suite, { node, signal: stop.signal, env: { ...clock, ...scratch.env } })
  const counts = (await Promise.all(lanes.map((lane) => oneAtATime(lane, run)))).flat()

  const { lines, failures: tooSlow } = slowTests(counts.flatMap(({ times = [] }) => times))
  const failures = [...counts.flatMap((count) => count.failures), ...tooSlow]
  if (lines.length > 0) console.log(`\nSlow tests:\n${lines.join('\n')}`)
  // The end of a long log then shows the failures.
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  const all = (/** @type {'passed' | 'failed' | 'skipped'} */ name) =>
    counts.reduce((total, count) => total + count[name], 0)
  const total = {
    passed: all('passed'),
    failed: all('failed') + tooSlow.length,
    skipped: all('skipped'),
  }
  console.log(`\nIn ${seconds(began)} s:\n${sentence(total)}`)
  process.exitCode = total.failed > 0 ? 1 : 0
})

/**
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>}
 */
async function oneAtATime(items, work) {
  const done = []
  for (const item of items) done.push(await work(item))
  return done
}

/**
 * Runs a suite, prefixing each of its lines with its name.
 *
 * @param {import('./lib/suites.mjs').Suite} suite
 * @param {Omit<import('./lib/suites.mjs').Context, 'say'>} context
 */
async function runSuite({ name, title, run }, context) {
  const began = Date.now()
  const say = (/** @type {string} */ text) => {
    for (const line of text.split('\n')) console.log(`${name.padEnd(7)} | ${line}`)
  }
  say(`${title} ...`)
  const count = await run({ ...context, say }).catch((error) => {
    say(error instanceof Refusal ? error.message : String(error?.stack ?? error))
    return { passed: 0, failed: 1, skipped: 0, failures: ['It could not be started.'] }
  })
  say(`${title}: ${sentence(count)} in ${seconds(began)} s`)
  return { ...count, failures: count.failures.map((line) => `${title}: ${line}`) }
}

/** @param {readonly string[]} words */
function readWords(words) {
  const at = words.indexOf('--days')
  if (at === -1) return { names: words, clock: {} }
  const days = words[at + 1] ?? ''
  if (!/^\d{1,5}$/.test(days)) {
    throw new Refusal('--days takes a number of days, such as npm test -- --days 60')
  }
  const names = words.filter((_, i) => i !== at && i !== at + 1)
  return { names, clock: clockAhead(Number(days)) }
}

/**
 * @param {readonly string[]} names of suites or lanes
 * @returns {readonly (readonly import('./lib/suites.mjs').Suite[])[]}
 */
function choose(names) {
  const known = SUITES.map(({ name }) => name)
  const unknown = names.filter((name) => name !== 'deep' && !known.includes(name))
  if (unknown.length > 0) {
    throw new Refusal(
      `There is no suite ${unknown.join(', ')}. The suites are ${known.join(', ')}; deep runs the last ones.`,
    )
  }
  const lanes = names.includes('deep') ? LANES.deep : LANES.usual
  return names.length === 0 || names.includes('deep')
    ? lanes
    : SUITES.filter(({ name }) => names.includes(name)).map((suite) => [suite])
}

/** @param {number} began */
function seconds(began) {
  return ((Date.now() - began) / 1_000).toFixed(1)
}

/** @param {{ passed: number, failed: number, skipped: number }} count */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

import { clockAhead } from './lib/clock.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { Refusal, runScript } from './lib/project.mjs'
import { onStopSignal } from './lib/run.mjs'
import { makeScratch } from './lib/scratch.mjs'
import { SUITES } from './lib/suites.mjs'

// npm test: every suite but those that only run when named, or those named (npm test -- unit browser). After a failure the others still run.
// `--days 60` runs them as they will run in 60 days.
await runScript(async () => {
  const { names, clock } = readWords(process.argv.slice(2))
  const chosen = choose(names)
  const node = await ensureInstalled(console.log).catch((error) => {
    // So that the last line shows it, too.
    process.once('exit', () => console.log(`\n${sentence({ passed: 0, failed: 1, skipped: 0 })}`))
    throw error
  })
  const stop = new AbortController()
  onStopSignal(() => stop.abort())
  const scratch = makeScratch()
  process.once('exit', scratch.remove)
  const env = { ...clock, ...scratch.env }

  const total = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  for (const { title, run } of chosen) {
    console.log(`\n== ${title} ==`)
    const began = Date.now()
    const count = await run({ node, say: console.log, signal: stop.signal, env }).catch((error) => {
      console.error(error instanceof Refusal ? error.message : error)
      return { passed: 0, failed: 1, skipped: 0, failures: ['It could not be started.'] }
    })
    console.log(`-- ${title}: ${sentence(count)} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
    total.passed += count.passed
    total.failed += count.failed
    total.skipped += count.skipped
    failures.push(...count.failures.map((line) => `${title}: ${line}`))
  }
  // So that the end of a long log shows what failed.
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log(`\n${sentence(total)}`)
  process.exitCode = total.failed > 0 ? 1 : 0
})

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

/** @param {readonly string[]} names */
function choose(names) {
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name))
  if (unknown.length > 0) {
    const known = SUITES.map(({ name }) => name).join(', ')
    throw new Refusal(`There is no suite ${unknown.join(', ')}. The suites are ${known}.`)
  }
  return names.length === 0
    ? SUITES.filter(({ onlyNamed }) => !onlyNamed)
    : SUITES.filter(({ name }) => names.includes(name))
}

/** @param {{ passed: number, failed: number, skipped: number }} count */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

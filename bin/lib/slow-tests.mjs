import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { inProject } from './project.mjs'

/** @typedef {{ test: string, ms: number }} TestTime */

/**
 * Which tests take long. A machine with other work gets as much more time as its load.
 *
 * @param {readonly TestTime[]} times
 * @param {number} slowdown 1 on a machine that runs nothing else
 * @returns {{ lines: readonly string[], failures: readonly string[] }} a line for each slow one; those over the limit
 */
export function slowTests(times, slowdown = Math.max(1, loadavg()[1] / availableParallelism())) {
  const { print, fail, listed } = JSON.parse(
    readFileSync(inProject('budgets.json'), 'utf8'),
  ).testSeconds
  const slow = times
    .map(({ test, ms }) => ({ test, seconds: ms / 1_000 }))
    .filter(({ seconds }) => seconds > print)
    .toSorted((a, b) => b.seconds - a.seconds)
  return {
    lines: slow.map(({ test, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${test}`),
    failures: slow
      .filter(({ test, seconds }) => seconds > (listed[test] ?? fail) * slowdown)
      .map(
        ({ test, seconds }) =>
          `${test} took ${seconds.toFixed(0)} s: make it faster, move it to deep, or list it in budgets.json.`,
      ),
  }
}

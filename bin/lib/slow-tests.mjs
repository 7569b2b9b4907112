import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { inProject } from './project.mjs'

/** @typedef {{ test: string, ms: number }} TestTime */

/**
 * Finds slow tests. Limits are scaled by the load of the machine.
 *
 * @param {readonly TestTime[]} times
 * @param {number} slowdown 1 on an otherwise idle machine
 * @returns {{ lines: readonly string[], failures: readonly string[] }} a line per slow test, and those over the limit
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

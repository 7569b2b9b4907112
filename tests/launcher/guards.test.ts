import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
// The launcher is plain JavaScript.
import { checkBudgets } from '../../bin/lib/budgets.mjs'
import { slowTests } from '../../bin/lib/slow-tests.mjs'

const budgets = JSON.parse(readFileSync('budgets.json', 'utf8')) as {
  lines: Record<string, number>
}

it('a folder over its line budget fails, and one far below is reported', () => {
  const message: string[] = []
  const lines = { ...budgets.lines, domain: 10, bin: 1_000_000 }
  const { failed, failures } = checkBudgets(
    { say: (line: string) => message.push(line) },
    { ...budgets, lines },
  )
  expect(failed).toBe(1)
  expect(failures.join()).toMatch(/lines\.domain: \d+ is over 10/)
  expect(message.join()).toMatch(/lines\.bin is \d+, lower it/)
})

it('a test over ten seconds is listed; over thirty, or longer under load, it fails', () => {
  const times = [
    { test: 'quick', ms: 9_000 },
    { test: 'slow', ms: 20_000 },
    { test: 'too slow', ms: 40_000 },
  ]
  const calm = slowTests(times, 1)
  expect(calm.lines.map((line) => line.trim())).toEqual(['40.0 s  too slow', '20.0 s  slow'])
  expect(calm.failures).toHaveLength(1)
  expect(calm.failures[0]).toContain('too slow took 40 s')
  expect(slowTests(times, 2).failures).toEqual([])
})

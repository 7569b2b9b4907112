import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { OUTCOMES } from '#domain/judging/verdict.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import { packCalls, unpackCalls } from './hedgehog.ts'

it('unpacks packed calls unchanged', () => {
  const calls = OUTCOMES.map((outcome, i): StatedCall => ({
    id: `call-${String(i)}`,
    slug: `expert-${String(i % 2)}`,
    name: `Expert ${String(i % 2)}`,
    made: day('2021-01-01'),
    due: day('2021-12-31'),
    from: 29_374.15,
    level: 100_000,
    outcome,
    isDecided: i < 2,
    isRepeat: i % 2 === 1,
    error: [0, -0.000_012, null, null][i] ?? null,
  }))
  expect(unpackCalls(packCalls(calls))).toEqual(calls)
  expect(packCalls(calls).people).toHaveLength(2)
})

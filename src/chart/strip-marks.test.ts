import { expect, it } from 'vitest'
import { marksOf, MOST_MARKS, sampleOf } from './strip-marks.ts'

const at = (luck: number | null, outcome: 'hit' | 'void' = 'hit') => ({ luck, outcome })

it('stacks overlapping marks, starting in the middle', () => {
  const lanes = marksOf([at(0.1), at(0.1), at(0.11), at(0.5)], 0.05, 3).map(({ lane }) => lane)
  expect(lanes).toEqual([0, -1, 1, 0])
})

it('limits the number of lanes for a hundred calls at one position', () => {
  const calls = Array.from({ length: 100 }, () => at(0.2))
  const lanes = marksOf(calls, 0.05, 3).map(({ lane }) => lane)
  expect(lanes).toHaveLength(100)
  expect([Math.min(...lanes), Math.max(...lanes)]).toEqual([-3, 3])
})

it('draws no mark for a call without luck or that does not count', () => {
  expect(marksOf([at(null), at(0.2, 'void')], 0.05, 3)).toEqual([])
})

it('draws a sample of many calls, with the same shares of outcomes and of luck', () => {
  const length = 4 * MOST_MARKS
  const calls = Array.from({ length }, (_, i) => {
    return { luck: i / length, outcome: i % 4 === 0 ? 'hit' : 'miss' } as const
  })
  const sample = sampleOf(calls)
  expect(sample).toHaveLength(MOST_MARKS)
  expect(sample).toEqual(calls.filter((call) => sample.includes(call)))
  for (const half of [sample.slice(0, MOST_MARKS / 2), sample.slice(MOST_MARKS / 2)]) {
    const hits = half.filter(({ outcome }) => outcome === 'hit')
    expect(hits.length / half.length).toBeCloseTo(1 / 4, 1)
  }
  expect(sample.filter(({ luck }) => luck < 0.5).length).toBeCloseTo(MOST_MARKS / 2, -1)
  expect(sampleOf(calls.slice(0, MOST_MARKS))).toEqual(calls.slice(0, MOST_MARKS))
})

import { expect, it } from 'vitest'
import { marksOf } from './strip-marks.ts'

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

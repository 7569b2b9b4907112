import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { retries } from './retries.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('pauses between tries double up to the longest, and one pause runs at a time', () => {
  const tried: number[] = []
  const began = Date.now()
  const { again, reset, stop } = retries(
    () => {
      tried.push(Date.now() - began)
      again()
      again()
    },
    { firstMs: 100, longestMs: 300 },
  )
  again()
  again()
  vi.advanceTimersByTime(900)
  expect(tried).toEqual([100, 300, 600, 900])
  reset()
  vi.advanceTimersByTime(400)
  expect(tried.slice(4)).toEqual([1_200, 1_300])
  stop()
  vi.advanceTimersByTime(900)
  expect(tried).toHaveLength(6)
})

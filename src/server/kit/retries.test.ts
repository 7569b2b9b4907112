import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { retries, oneAtATime } from './retries.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('delays double up to the maximum, and only one runs at a time', () => {
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

it('a call during a run causes exactly one more run', async () => {
  const begun: (() => void)[] = []
  const ask = oneAtATime(() => new Promise((end) => begun.push(end)))
  const request = [ask(), ask(), ask()]
  expect(begun).toHaveLength(1)
  begun[0]?.()
  await vi.waitFor(() => expect(begun).toHaveLength(2))
  begun[1]?.()
  await Promise.all(request)
  expect(begun).toHaveLength(2)
})

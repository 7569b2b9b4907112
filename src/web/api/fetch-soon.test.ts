import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchSoon } from './fetch-soon.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('what several reports change is fetched once soon, and once more later; then not at all until the next one', () => {
  const fetched = vi.fn<() => void>()
  const { changed, stop } = fetchSoon(fetched)
  const after = (ms: number): number => {
    vi.advanceTimersByTime(ms)
    return fetched.mock.calls.length
  }
  changed()
  changed()
  expect([after(699), after(801)]).toEqual([0, 1])
  changed()
  expect([after(5_000), after(60_000)]).toEqual([2, 2])
  changed()
  expect(after(1_500)).toBe(3)
  changed()
  stop()
  expect(after(60_000)).toBe(3)
})

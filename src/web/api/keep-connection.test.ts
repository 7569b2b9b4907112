import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepConnection, type ConnectionEnds } from './keep-connection.ts'

const SILENT_MS = 30_000
const AGAIN_AT_LATEST_MS = 7_500

/** The connections that were opened, and how many of them are open. */
function connections() {
  const opened: ConnectionEnds[] = []
  const open = new Set<ConnectionEnds>()
  const connect = (ends: ConnectionEnds) => {
    opened.push(ends)
    open.add(ends)
    return () => void open.delete(ends)
  }
  return { opened, open, connect }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a connection that says twice that it is lost is opened again once', () => {
  const { opened, open, connect } = connections()
  const onLost = vi.fn<() => void>()
  const close = keepConnection(connect, SILENT_MS, onLost)
  opened[0]?.lost()
  opened[0]?.lost()
  expect([open.size, onLost.mock.calls.length]).toEqual([0, 1])
  vi.advanceTimersByTime(2 * AGAIN_AT_LATEST_MS)
  expect([opened.length, open.size]).toEqual([2, 1])
  close()
  expect(open.size).toBe(0)
})

it('a connection that falls silent is opened again, and what the former one still says does not count', () => {
  const { opened, open, connect } = connections()
  const close = keepConnection(connect, SILENT_MS)
  opened[0]?.heard()
  vi.advanceTimersByTime(SILENT_MS + AGAIN_AT_LATEST_MS)
  expect([opened.length, open.size]).toEqual([2, 1])
  opened[0]?.lost()
  opened[0]?.heard()
  vi.advanceTimersByTime(SILENT_MS + AGAIN_AT_LATEST_MS)
  expect([opened.length, open.size]).toEqual([2, 1])
  close()
  opened[1]?.lost()
  vi.advanceTimersByTime(AGAIN_AT_LATEST_MS)
  expect([opened.length, open.size]).toEqual([2, 0])
})

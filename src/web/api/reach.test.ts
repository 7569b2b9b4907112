import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Module from './reach.ts'

type Reach = typeof Module

const CACHED = new Headers({ 'x-kept-since': '2026-11-20T14:05:00.000Z' })
const CACHED_AT = Date.UTC(2026, 10, 20, 14, 5)
const NOW = Date.UTC(2026, 10, 21, 9, 0)
/** Longer than the interval between two probes. */
const A_PAUSE = 10_001

let reach: Reach
const answer = vi.fn<(url?: string, init?: RequestInit) => Promise<unknown>>()

const ALIVE = () => Promise.resolve({ json: () => Promise.resolve({ ok: true }) })
const AWAY = () => Promise.reject(new TypeError('Failed to fetch'))
/** A captive portal answers every request with its own page. */
const PORTAL = () => Promise.resolve({ json: () => Promise.reject(new SyntaxError('<html>')) })
const PORTAL_OF_DATA = () => Promise.resolve({ json: () => Promise.resolve({ captive: true }) })

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('fetch', answer)
  answer.mockImplementation(AWAY)
  reach = await import('./reach.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('revalidates browser caches on every request', async () => {
  answer.mockReset().mockImplementation(ALIVE)
  await reach.fetchFresh('/api/v1/status', { method: 'POST' })
  await reach.fetchFresh('/healthz', { cache: 'no-store' })
  expect(answer.mock.calls.map(([, init]) => init?.cache)).toEqual(['no-cache', 'no-store'])
})

describe('the site', () => {
  it('counts as reachable while replies come from it, whatever the browser says', async () => {
    reach.watchReach()
    answer.mockImplementation(ALIVE)
    window.dispatchEvent(new Event('offline'))
    await vi.advanceTimersByTimeAsync(1)
    expect(answer).toHaveBeenCalledOnce()
    reach.noteAnswer(new Headers())
    expect(reach.reachNow()).toEqual({ isReached: true, asOf: NOW + 1 })
  })

  it('is unreachable when a reply is a cached copy, and data is as old as the oldest copy', () => {
    reach.watchReach()
    reach.noteAnswer(CACHED)
    reach.noteAnswer(new Headers({ 'x-kept-since': '2026-11-20T18:00:00.000Z' }))
    expect(reach.reachNow()).toEqual({ isReached: false, asOf: CACHED_AT })
    // News about other data does not make the shown data newer.
    reach.noteAnswer(new Headers())
    expect(reach.reachNow()).toEqual({ isReached: false, asOf: CACHED_AT })
  })

  it('is unreachable when the page itself is a cached copy', () => {
    const content = '2026-11-20T14:05:00.000Z'
    vi.stubGlobal('document', { querySelector: () => ({ content }) })
    reach.watchReach()
    expect(reach.reachNow()).toEqual({ isReached: false, asOf: CACHED_AT })
  })

  it('is unreachable when a call gets no reply; data is as of the last reply', () => {
    reach.watchReach()
    vi.advanceTimersByTime(60_000)
    reach.noteNews()
    vi.advanceTimersByTime(60_000)
    reach.noteSilence()
    expect(reach.reachNow()).toEqual({ isReached: false, asOf: NOW + 60_000 })
  })

  it('is probed when a connection ends', async () => {
    reach.watchReach()
    reach.doubtReach()
    await vi.advanceTimersByTimeAsync(1)
    expect(reach.reachNow().isReached).toBe(false)
  })

  it.each([
    ['another server answers with a page', PORTAL],
    ['another server answers with data', PORTAL_OF_DATA],
    ['nothing answers', AWAY],
  ])('stays unreachable while %s', async (_, behaves) => {
    reach.watchReach()
    reach.noteSilence()
    answer.mockImplementation(behaves)
    for (let n = 1; n <= 3; n += 1) {
      await vi.advanceTimersByTimeAsync(A_PAUSE)
      expect(answer.mock.calls.length).toBeGreaterThanOrEqual(n)
    }
    expect(reach.reachNow().isReached).toBe(false)
  })

  it('is reachable again once shown data was refreshed', async () => {
    reach.watchReach()
    const listener = vi.fn<() => void>()
    reach.onReach(listener)
    const refresh = vi.fn<() => Promise<void>>(() =>
      Promise.resolve(reach.noteAnswer(new Headers())),
    )
    reach.refreshOnReturn(refresh)
    reach.noteAnswer(CACHED)
    answer.mockImplementation(ALIVE)
    await vi.advanceTimersByTimeAsync(A_PAUSE)
    expect(refresh).toHaveBeenCalledOnce()
    expect(reach.reachNow().isReached).toBe(true)
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('stays unreachable when refreshing failed or returned a cached copy', async () => {
    reach.watchReach()
    reach.noteAnswer(CACHED)
    answer.mockImplementation(ALIVE)
    const end = reach.refreshOnReturn(() => Promise.reject(new Error('no answer')))
    await vi.advanceTimersByTimeAsync(A_PAUSE)
    expect(reach.reachNow()).toEqual({ isReached: false, asOf: CACHED_AT })
    end()
    let isCopy = true
    reach.refreshOnReturn(() => Promise.resolve(reach.noteAnswer(isCopy ? CACHED : new Headers())))
    await vi.advanceTimersByTimeAsync(A_PAUSE)
    expect(reach.reachNow()).toEqual({ isReached: false, asOf: CACHED_AT })
    isCopy = false
    await vi.advanceTimersByTimeAsync(A_PAUSE)
    expect(reach.reachNow().isReached).toBe(true)
  })

  it('is not probed by pages that do not watch it', () => {
    reach.noteSilence()
    reach.doubtReach()
    expect(reach.reachNow().isReached).toBe(true)
    expect(answer).not.toHaveBeenCalled()
  })
})

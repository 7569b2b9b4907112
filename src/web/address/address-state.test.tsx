import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useAddressState, type AddressCodec } from './address-state.ts'

const WRITTEN_BY_MS = 250
const codec: AddressCodec<string> = {
  read: (param) => param('word') ?? '',
  write: (word) => ({ word: word || undefined }),
}
const address = () => window.location.pathname + window.location.search

/** Simulates Back: the address changes before any event. */
function stepTo(url: string, scrollKey: string): void {
  window.history.replaceState({ scrollKey }, '', url)
  window.dispatchEvent(new PopStateEvent('popstate'))
}

beforeEach(() => {
  vi.useFakeTimers()
  window.history.replaceState({ scrollKey: 'second' }, '', '/history?word=now')
})
afterEach(() => {
  window.history.replaceState(null, '', '/')
})

it('writes a state to the address after a delay, or at once when a link is followed or the page left', () => {
  const { result } = renderHook(() => useAddressState(codec))
  expect(result.current[0]).toBe('now')
  act(() => result.current[1](() => 'later'))
  expect([result.current[0], address()]).toEqual(['later', '/history?word=now'])
  vi.advanceTimersByTime(WRITTEN_BY_MS)
  expect(address()).toBe('/history?word=later')
  act(() => result.current[1]((before) => `${before} still`))
  document.body.click()
  expect(address()).toBe('/history?word=later+still')
  act(() => result.current[1](() => 'last'))
  window.dispatchEvent(new Event('pagehide'))
  expect(address()).toBe('/history?word=last')
})

it('does not write a pending state to the entry that Back leads to', () => {
  const { result } = renderHook(() => useAddressState(codec))
  act(() => result.current[1](() => 'chosen'))
  act(() => stepTo('/history?word=before', 'first'))
  act(() => document.body.click())
  vi.advanceTimersByTime(WRITTEN_BY_MS)
  expect([result.current[0], address()]).toEqual(['before', '/history?word=before'])
})

it('keeps a pending state when a dialog opens', () => {
  const { result } = renderHook(() => useAddressState(codec))
  act(() => result.current[1](() => 'chosen'))
  act(() => stepTo('/history?word=now#search', 'second'))
  expect([result.current[0], address()]).toEqual(['chosen', '/history?word=chosen'])
})

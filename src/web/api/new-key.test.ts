import { afterEach, expect, it, vi } from 'vitest'
import { newKey } from './new-key.ts'

afterEach(() => vi.unstubAllGlobals())

it('keys are made on pages without encryption, where browsers have no `randomUUID`', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  expect(newKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newKey()).not.toBe(newKey())
})

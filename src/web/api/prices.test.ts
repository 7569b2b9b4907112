import { expect, it } from 'vitest'
import { lastClose, NO_PRICES, unpackPrices } from './prices.ts'

it('decodes delta-encoded days', () => {
  const prices = unpackPrices({ first: 100, steps: [1, 3], closes: [5, 6, 7] })
  expect([...prices.days]).toEqual([100, 101, 104])
  expect([...prices.closes]).toEqual([5, 6, 7])
})

it('drops and counts days without a positive price', () => {
  const prices = unpackPrices({ first: 100, steps: [1, 1], closes: [5, 0, 7] })
  expect([[...prices.days], prices.skipped]).toEqual([[100, 102], 1])
})

it('returns the last close, if any', () => {
  expect(lastClose(unpackPrices({ first: 10, steps: [1], closes: [2, 3] }))).toEqual({
    day: 11,
    usd: 3,
  })
  expect(lastClose(NO_PRICES)).toBeNull()
})

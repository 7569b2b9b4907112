import { day } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { lastClose, NO_PRICES, pricesOfPoints, unpackPrices } from './prices.ts'

it('days are unpacked from their steps', () => {
  const prices = unpackPrices({ first: 100, steps: [1, 3], closes: [5, 6, 7] })
  expect([...prices.days]).toEqual([100, 101, 104])
  expect([...prices.closes]).toEqual([5, 6, 7])
})

it('points without a real date or a positive price are dropped', () => {
  const prices = pricesOfPoints([
    { date: '2024-02-30', close: 1 },
    { date: '2024-02-28', close: 0 },
    { date: '2024-02-29', close: 61_000 },
  ])
  expect([...prices.days]).toEqual([day('2024-02-29')])
})

it('closes and values are taken, also as text, and what was dropped is counted', () => {
  const prices = pricesOfPoints([
    { date: '2024-02-28T00:00:00Z', close: '61000.5' },
    { date: '2024-02-29', value: 62_000 },
    { date: '2024-03-01', close: -5 },
    { date: '2024-03-02', close: 'n/a' },
    { date: 7, close: 1 },
  ])
  expect([[...prices.closes], prices.skipped]).toEqual([[61_000.5, 62_000], 3])
})

it('the last close is known, or that there is none', () => {
  expect(lastClose(unpackPrices({ first: 10, steps: [1], closes: [2, 3] }))).toEqual({
    day: 11,
    usd: 3,
  })
  expect(lastClose(NO_PRICES)).toBeNull()
})

import { describe, expect, it } from 'vitest'
import { readNumber, readPrice, showClaim, showUsd } from './price-text.ts'

describe('readNumber', () => {
  it.each([
    ['100000', 100_000],
    ['$100,000', 100_000],
    ['100.000', 100_000],
    ['1.000.000', 1_000_000],
    ['1,00,000', 100_000],
    ['1 234 567', 1_234_567],
    ["1'234'567", 1_234_567],
    ['1,234.56', 1_234.56],
    ['1.234,56', 1_234.56],
    ['1,234.567', 1_234.567],
    ['1.234,567', 1_234_567],
    ['164.5', 164.5],
    ['164.55', 164.55],
    ['0.065', 0.065],
    ['.065', 0.065],
    ['0,065', 0.065],
    ['1.2345', 1.2345],
    ['-5', -5],
    ['$ 12', 12],
  ])('reads %s as %d', (text, value) => expect(readNumber(text)).toBe(value))

  it.each([
    '',
    ' ',
    '.',
    '$',
    'abc',
    '1.2.3',
    '0.1.2',
    '12.05.2024',
    '1,23,4',
    '12a',
    '1e5',
    '--5',
    '1..',
    'NaN',
    'Infinity',
  ])('refuses %j', (text) => expect(readNumber(text)).toBeNull())
})

describe('readPrice', () => {
  it.each([
    ['$150,000', 150_000, 150_000],
    ['150k', 150_000, 150_000],
    ['1.5M', 1_500_000, 1_500_000],
    ['1.5 million', 1_500_000, 1_500_000],
    ['$80,000 - $120,000', 80_000, 120_000],
    ['80k-120k', 80_000, 120_000],
    ['80-120k', 80_000, 120_000],
    ['80k to 120k', 80_000, 120_000],
    ['$0.06', 0.06, 0.06],
    ['100000 USD', 100_000, 100_000],
    ['$1bn', 1e9, 1e9],
  ])('reads %s', (text, min, max) => expect(readPrice(text)).toEqual({ min, max }))

  it.each(['', 'moon', '$0', '-5', '120k - 80k', '1-2-3', '$', 'k'])(
    'finds no price in %j',
    (text) => expect(readPrice(text)).toBeNull(),
  )
})

describe('showUsd', () => {
  it.each([
    [103_647, '$103,647'],
    [103_647.4, '$103,647'],
    [164.43, '$164.43'],
    [180, '$180'],
    [164.5, '$164.50'],
    [0.0612, '$0.0612'],
    [0.06, '$0.06'],
    [0.5, '$0.50'],
    [0.000_000_12, '$0.00000012'],
    [-1_000, '-$1,000'],
    [0, '$0'],
    [13_000_000, '$13,000,000'],
    [999.999, '$1,000.00'],
  ])('shows %d as %s', (usd, text) => expect(showUsd(usd)).toBe(text))
})

it('shows a range with both ends', () => {
  expect(showClaim({ type: 'range', min: 80_000, max: 120_000 })).toBe('$80,000 - $120,000')
  expect(showClaim({ type: 'pricetimerange', min: 65_000 })).toBe('$65,000')
  expect(showClaim({ type: 'target', usd: 100_000.5 })).toBe('$100,000.50')
})

import { expect, it } from 'vitest'
import { cameTrue, consensusLevel, errorText, saidBy, yearFinding, yearRest } from './year-text.ts'

const NONE = { year: 2025, due: 0, n: 0, hits: 0, expected: 0, open: 0 }

it.each([
  [
    { n: 41, hits: 18, expected: 15.27 },
    false,
    '18 of 41 Bitcoin calls due in 2025 came true. Luck expects 15.3.',
  ],
  [
    { n: 7, hits: 0, expected: 2 },
    true,
    '0 of 7 Bitcoin calls due so far in 2025 came true. Luck expects 2.0.',
  ],
  [
    { n: 1, hits: 1, expected: 0.4 },
    false,
    'The one Bitcoin call due in 2025 came true. Luck expects 0.4.',
  ],
  [
    { n: 1, expected: 0.4 },
    false,
    'The one Bitcoin call due in 2025 did not come true. Luck expects 0.4.',
  ],
  [
    { n: 1_200, hits: 1_000, expected: 900 },
    false,
    '1,000 of 1,200 Bitcoin calls due in 2025 came true. Luck expects 900.0.',
  ],
  [{ open: 8 }, true, '8 Bitcoin calls are due in 2025. Their time is not up yet.'],
  [{ open: 1 }, true, '1 Bitcoin call is due in 2025. Its time is not up yet.'],
  [{ due: 2 }, false, 'No Bitcoin call due in 2025 can be compared with luck.'],
])('the finding of a year with %j', (given, isSoFar, text) => {
  expect(yearFinding({ asset: 'btc', tally: { ...NONE, ...given }, isSoFar })).toBe(text)
})

it.each([
  [{ due: 5, n: 5 }, ''],
  [{ due: 8, open: 8 }, ''],
  [{ due: 8, n: 5, open: 3 }, '3 calls of this year are open.'],
  [{ due: 8, n: 5, open: 1 }, '1 call of this year is open. 2 calls are not compared with luck.'],
  [{ due: 1 }, '1 call is not compared with luck.'],
])('what the finding of a year with %j leaves out', (given, text) => {
  expect(yearRest({ ...NONE, ...given })).toBe(text)
})

it.each([
  [10.427, '1,043 % too high'],
  [0.5, '50 % too high'],
  [0.0312, '3.1 % too high'],
  [0.0001, 'less than 0.1 % too high'],
  [-0.3, '30 % too low'],
  [-0.998, '99 % too low'],
])('a level that was off by %s is %s', (error, text) => {
  expect(errorText(error)).toBe(text)
})

it('a consensus says its level, who named it and what came of it', () => {
  expect(consensusLevel({ direction: 'up', low: 170_000, high: 200_000 })).toBe(
    'Up to $170,000 – $200,000',
  )
  expect(consensusLevel({ direction: 'never-below', low: 80, high: 80 })).toBe('Never below $80')
  expect([saidBy({ people: 9, calls: 14 }), saidBy({ people: 9, calls: 9 })]).toEqual([
    '9 people, 14 calls',
    '9 people',
  ])
  expect([0, 3, 14].map((hits) => cameTrue({ hits, calls: 14 }))).toEqual([
    'none came true',
    '3 of 14 came true',
    'all came true',
  ])
})

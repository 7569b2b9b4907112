import { expect, it } from 'vitest'
import { knownDaysText } from './known-days.tsx'

it.each([
  [
    { days: 4_000, ranged: 0 },
    'We have only daily closes for Bitcoin (4,000 days), so both ways of judging give the same verdict.',
  ],
  [
    { days: 5_400, ranged: 5_120 },
    'The high and low of Bitcoin are known for 5,120 of 5,400 days (95%); on the others only the close is.',
  ],
  [
    { days: 5_400, ranged: 5_399 },
    'The high and low of Bitcoin are known for 5,399 of 5,400 days (99%); on the others only the close is.',
  ],
  [
    { days: 5_400, ranged: 1 },
    'The high and low of Bitcoin are known for 1 of 5,400 days (1%); on the others only the close is.',
  ],
  [{ days: 730, ranged: 730 }, 'The high and low of Bitcoin are known for all 730 days.'],
])('%j of an asset are described in a sentence', (known, sentence) => {
  expect(knownDaysText('Bitcoin', known)).toBe(sentence)
})

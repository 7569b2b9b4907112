import { expect, it } from 'vitest'
import { type Outcome } from '#domain/judging/verdict.ts'
import { verdict } from '#tests/support/web-fixtures.ts'
import { drawnText } from './part.ts'

it.each<readonly [readonly Outcome[], string]>([
  [[], 'The Bitcoin price, without predictions'],
  [['hit'], '1 Bitcoin price prediction: it came true'],
  [['pending'], '1 Bitcoin price prediction: it is open'],
  [['miss', 'miss'], '2 Bitcoin price predictions: all missed'],
  [
    ['miss', 'hit', 'pending', 'miss'],
    '4 Bitcoin price predictions: 1 came true, 2 missed, 1 is open',
  ],
  [['pending', 'pending', 'void'], '3 Bitcoin price predictions: 2 are open, 1 is void'],
])('%j on a chart: %s', (outcomes, text) => {
  const drawn = outcomes.map((outcome) => ({
    verdicts: { touch: verdict({ outcome }), close: verdict({ mode: 'close' as const }) },
  }))
  expect(drawnText('Bitcoin', drawn, 'touch')).toBe(text)
})

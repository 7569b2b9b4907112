import { expect, it } from 'vitest'
import { type Outcome } from '#domain/judging/verdict.ts'
import { verdict } from '#tests/support/web-fixtures.ts'
import { drawnText } from './part.ts'

it.each<readonly [readonly Outcome[], string]>([
  [[], 'The Bitcoin price, without predictions'],
  [['hit'], '1 Bitcoin price prediction: it came true'],
  [['pending'], '1 Bitcoin price prediction: it is open'],
  [['miss', 'miss'], '2 Bitcoin price predictions: all missed'],
  [['miss', 'hit', 'pending'], '3 Bitcoin price predictions: 1 came true, 1 missed, 1 is open'],
  [['pending', 'pending', 'void'], '3 Bitcoin price predictions: 2 are open, 1 is void'],
])('%j on a chart: %s', (outcomes, text) => {
  const close = verdict({ mode: 'close' })
  const drawn = outcomes.map((outcome) => ({ verdicts: { touch: verdict({ outcome }), close } }))
  expect(drawnText('Bitcoin', drawn, 'touch')).toBe(text)
})

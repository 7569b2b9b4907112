import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type VerdictMessage } from '#contracts/live.ts'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { expect, it } from 'vitest'
import { withTold, type ToldVerdict } from './told-verdicts.ts'

const LIST = [predictionRow(), predictionRow({ id: 'other' })].flatMap(
  (row) => predictionOfRow(row) ?? [],
)
const told = (given: Partial<VerdictMessage>, toldAt: number): ToldVerdict => ({
  id: 'other',
  asset: 'btc',
  mode: 'close',
  outcome: 'hit',
  ...given,
  toldAt,
})

it('turns the outcome that was told and keeps every other prediction the same object', () => {
  const now = withTold(LIST, [told({}, 1_000)], 0)
  expect(now[1]?.verdicts.close.outcome).toBe('hit')
  expect(now[1]?.verdicts.touch).toBe(LIST[1]?.verdicts.touch)
  expect(now[0]).toBe(LIST[0])
})

it('lets the last word stand', () => {
  const twice = [told({ outcome: 'hit' }, 1), told({ outcome: 'miss' }, 2)]
  expect(withTold(LIST, twice, 0)[1]?.verdicts.close.outcome).toBe('miss')
})

it('believes a list that was fetched well after it', () => {
  expect(withTold(LIST, [told({}, 1_000)], 40_000)).toBe(LIST)
})

import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type VerdictMessage } from '#contracts/live.ts'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { expect, it } from 'vitest'
import { withVerdicts, type LiveVerdict } from './live-verdicts.ts'

const LIST = [predictionRow(), predictionRow({ id: 'other' })].flatMap(
  (row) => predictionOfRow(row) ?? [],
)
const heard = (given: Partial<VerdictMessage>, heardAt: number): LiveVerdict => ({
  id: 'other',
  asset: 'btc',
  mode: 'close',
  outcome: 'hit',
  ...given,
  heardAt,
})

it('the outcome that has arrived is turned and every other prediction stays the same object', () => {
  const now = withVerdicts(LIST, [heard({}, 1_000)], 0)
  expect(now[1]?.verdicts.close.outcome).toBe('hit')
  expect(now[1]?.verdicts.touch).toBe(LIST[1]?.verdicts.touch)
  expect(now[0]).toBe(LIST[0])
})

it('the last of two outcomes is shown', () => {
  const twice = [heard({ outcome: 'hit' }, 1), heard({ outcome: 'miss' }, 2)]
  expect(withVerdicts(LIST, twice, 0)[1]?.verdicts.close.outcome).toBe('miss')
})

it('a list that was fetched just after it may not have it yet', () => {
  expect(withVerdicts(LIST, [heard({}, 1_000)], 30_999)[1]?.verdicts.close.outcome).toBe('hit')
})

it('a list that was fetched well after it is taken as it is', () => {
  expect(withVerdicts(LIST, [heard({}, 1_000)], 40_000)).toBe(LIST)
})

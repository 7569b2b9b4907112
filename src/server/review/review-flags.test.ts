import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { comparedOf } from './review-flags.service.ts'

it('compares a level in the units of today: one said before a split is divided by it', () => {
  const row = {
    id: 'a',
    asset_type: 'mstr' as const,
    expert_name: 'Expert A',
    twitter_handle: null,
    prediction_type: 'target' as const,
    price_target: 1_500,
    price_min: null,
    price_max: null,
    target_time: '2025-12-31',
  }
  const actions = [{ asset: 'mstr' as const, day: day('2024-08-08'), ratio: 10 }]
  const levelOf = (made: string | null) =>
    comparedOf({ ...row, prediction_made: made }, actions)?.claim
  expect(levelOf('2024-08-07')).toMatchObject({ usd: 150 })
  expect(levelOf('2024-08-08')).toMatchObject({ usd: 1_500 })
  expect(levelOf(null)).toMatchObject({ usd: 1_500 })
})

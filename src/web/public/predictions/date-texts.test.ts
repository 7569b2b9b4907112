import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { dayFromNumber } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { targetDate } from './prediction-card.tsx'

it('shows target dates with their precision, and says when there is no date', () => {
  const [prediction] = predictionsOfRows([predictionRow()])
  if (!prediction) throw new Error('the fixture is no prediction')
  expect(targetDate(prediction)).toBe('2024')
  expect(targetDate({ ...prediction, byPrecision: 'day' })).toBe('31/12/2024')
  expect(targetDate({ ...prediction, by: dayFromNumber(NaN) })).toBe('Date not specified')
})

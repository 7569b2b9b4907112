import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { dayFromNumber } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { recordDate, targetDate } from './date-texts.ts'

it('shows target dates as exactly as they are known, and says when there is none', () => {
  const [prediction] = predictionsOfRows([predictionRow()])
  if (!prediction) throw new Error('the fixture is no prediction')
  expect(targetDate(prediction)).toBe('2024')
  expect(targetDate({ ...prediction, byPrecision: 'day' })).toBe('31/12/2024')
  expect(targetDate({ ...prediction, by: dayFromNumber(NaN) })).toBe('Date not specified')
})

it.each([
  ['2026-10-01T08:00:00.000Z', '01/10/2026'],
  ['2026-02-30', 'Invalid Date'],
  ['soon', 'Invalid Date'],
  ['', 'N/A'],
])('shows %o in a record as %s', (at, text) => {
  expect(recordDate(at)).toBe(text)
})

import { expect, it } from 'vitest'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { day } from '#domain/day.ts'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import {
  historyFigures,
  historyYears,
  historyParams,
  OPENING_HISTORY,
  readHistory,
  sortBy,
  type HistoryView,
} from './history-view.ts'

/** Calls at a level: days made and due, with outcome and deciding day. */
const ROWS = (
  [
    ['open', 10, '2021-05-01', '2030-01-01', 'pending', null],
    ['old', 30, '2019-05-01', '2020-01-01', 'miss', '2020-01-01'],
    ['new', 20, '2019-08-01', '2025-01-01', 'hit', '2023-03-01'],
    ['void', 5, '2021-05-01', '2026-01-01', 'void', '2021-05-01'],
  ] as const
).flatMap(([id, usd, made, by, outcome, on]) => {
  const row = { id, target_time: by, prediction_made: made, price_target: usd }
  const level = { min: usd, max: usd }
  const touch = verdict({ outcome, day: on && day(on), level, direction: 'up' })
  const verdicts = { touch, close: touch }
  return predictionsOfRows([predictionRow(row)]).map((one) => ({ ...one, verdicts }))
})
const PRICES = {
  days: Float64Array.of(day('2019-12-31'), day('2025-01-01'), day('2025-06-01')),
  closes: Float64Array.of(20, 40, 8),
  skipped: 0,
}
const FIGURES = historyFigures(ROWS, 'touch', PRICES)
it('the history table sorts by the column pressed, and the other way when pressed again', () => {
  const byLevel = sortBy(OPENING_HISTORY, 'prediction')
  expect(byLevel).toMatchObject({ sort: 'prediction', descending: false })
  expect(sortBy(byLevel, 'prediction').descending).toBe(true)
  expect(sortBy(OPENING_HISTORY, 'target').descending).toBe(true)
})

it('the history table returns to the first page with a new order', () => {
  expect(sortBy({ ...OPENING_HISTORY, page: 3 }, 'expert').page).toBe(0)
})

it('the history table measures the error of a call from the close of its deadline or the last one before; a void has none', () => {
  expect(FIGURES.map(({ prediction, error, isSoFar }) => [prediction.id, error, isSoFar])).toEqual([
    ['open', 0.25, true],
    ['old', 0.5, false],
    ['new', 0, false],
    ['void', null, true],
  ])
  expect(historyFigures(ROWS, 'touch', null).every(({ error }) => error === null)).toBe(true)
})

it('the calls of a year are counted, with the median error of decided ones', () => {
  expect(historyYears(FIGURES)).toEqual([
    { year: 2021, calls: 2, decided: 0, hits: 0, error: null },
    { year: 2019, calls: 2, decided: 2, hits: 1, error: 0.25 },
  ])
  // A hit before its deadline has no error yet.
  const early = FIGURES.map((row) => ({ ...row, isSoFar: true }))
  expect(historyYears(early).map(({ error }) => error)).toEqual([null, null])
})

it.each<{ view: Partial<HistoryView> }>([
  { view: {} },
  { view: { sort: 'error', descending: true, status: 'miss', search: 'bo', page: 2 } },
  { view: { kind: 'by-date', made: 2021, due: 2025, byYear: true } },
])('the history table comes back from the address: %o', ({ view }) => {
  const whole = { ...OPENING_HISTORY, ...view }
  const params = new URLSearchParams(historyParams(whole))
  expect(readHistory((name) => params.get(name))).toEqual(whole)
})

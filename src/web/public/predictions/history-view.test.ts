import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { describe, expect, it } from 'vitest'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import {
  historyParams,
  historyRows,
  OPENING_HISTORY,
  readHistory,
  sortBy,
  type HistoryView,
} from './history-view.ts'

const ROWS = predictionsOfRows([
  predictionRow({ id: 'late', target_time: '2030-01-01', price_target: 10 }),
  predictionRow({ id: 'early', target_time: '2020-01-01', price_target: 30 }),
  predictionRow({ id: 'middle', target_time: '2025-01-01', price_target: 20 }),
])
const ids = (view: HistoryView) => historyRows(view, ROWS, 'touch').map(({ id }) => id)

describe('the history table', () => {
  it('the history table opens with the latest deadline first', () => {
    expect(ids(OPENING_HISTORY)).toEqual(['late', 'middle', 'early'])
  })

  it('the history table sorts by the column pressed, and the other way when pressed again', () => {
    const byLevel = sortBy(OPENING_HISTORY, 'prediction')
    expect(ids(byLevel)).toEqual(['late', 'middle', 'early'])
    expect(ids(sortBy(byLevel, 'prediction'))).toEqual(['early', 'middle', 'late'])
  })

  it('the history table returns to the first page with a new order', () => {
    expect(sortBy({ ...OPENING_HISTORY, page: 3 }, 'expert').page).toBe(0)
  })

  it.each<HistoryView>([
    OPENING_HISTORY,
    { sort: 'status', descending: false, status: 'miss', search: 'bo', page: 2 },
    { sort: 'target', descending: false, status: null, search: '', page: 0 },
  ])('the history table comes back from the address: %o', (view) => {
    const params = new URLSearchParams(historyParams(view))
    expect(readHistory((name) => params.get(name))).toEqual(view)
  })
})

import { expect, it } from 'vitest'
import { OPENING_VIEW } from '#chart/view-state.ts'
import { day } from '#domain/day.ts'
import { OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { clearSelection, OPENING_SELECTION, pressFilter } from '#domain/listing/selection.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { DASHBOARD_ADDRESS, reset, select, type DashboardState } from './dashboard-state.ts'

const ZOOMED: DashboardState = {
  view: { ...OPENING_VIEW, scale: 'log', targets: 'votes', mode: 'close', range: [19_000, 19_500] },
  selection: pressFilter(OPENING_SELECTION, 'miss'),
  history: OPENING_HISTORY,
  day: day('2021-03-12'),
}

it('returns the chart home when its last prediction is removed, keeping scale, mode and open targets', () => {
  expect(select(ZOOMED, clearSelection).view).toEqual({
    ...OPENING_VIEW,
    scale: 'log',
    targets: 'votes',
    mode: 'close',
  })
})

it('keeps the view while predictions remain', () => {
  expect(select(ZOOMED, (before) => pressFilter(before, 'success')).view).toBe(ZOOMED.view)
})

it('clears filters and zoom on reset', () => {
  const { selection, view } = reset(ZOOMED)
  expect(selection).toEqual(clearSelection())
  expect(view.range).toBeNull()
  expect(reset(ZOOMED).day).toBe(ZOOMED.day)
})

it('restores the complete state from the address', () => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(DASHBOARD_ADDRESS.write(ZOOMED))) {
    if (value !== undefined) params.set(name, value)
  }
  expect(DASHBOARD_ADDRESS.read((name) => params.get(name))).toEqual(ZOOMED)
})

it.each([
  ['/receipt/abc?unsubscribe=1&x=2', '/receipt/abc?unsubscribe=1'],
  ['/receipt/abc?unsubscribe=0', '/receipt/abc'],
  ['/btc?status=miss&x=1#search', '/btc?status=miss'],
  ['/corrections?page=2&x=1', '/corrections?page=2'],
  ['/data?page=2', '/data?page=2'],
])('normalizes the address %s to %s', (url, normalized) => {
  expect(pageAddress(url)).toBe(normalized)
})

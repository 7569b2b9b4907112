import { pageAddress } from '#web/public/page-address.ts'
import { OPENING_VIEW } from '#chart/view-state.ts'
import { day } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { clearSelection, OPENING_SELECTION, pressFilter } from '#domain/listing/selection.ts'
import { DASHBOARD_ADDRESS, reset, select, type DashboardState } from './dashboard-state.ts'

const ZOOMED: DashboardState = {
  view: { ...OPENING_VIEW, scale: 'log', targets: 'votes', mode: 'close', range: [19_000, 19_500] },
  selection: pressFilter(OPENING_SELECTION, 'miss'),
  history: OPENING_HISTORY,
  day: day('2021-03-12'),
}

it('the chart goes home when the last prediction leaves it, keeping scale, mode and open targets', () => {
  expect(select(ZOOMED, clearSelection).view).toEqual({
    ...OPENING_VIEW,
    scale: 'log',
    targets: 'votes',
    mode: 'close',
  })
})

it('the view is left alone while predictions remain', () => {
  expect(select(ZOOMED, (before) => pressFilter(before, 'success')).view).toBe(ZOOMED.view)
})

it('a reset forgets filters and zoom', () => {
  const { selection, view } = reset(ZOOMED)
  expect(selection).toEqual(clearSelection())
  expect(view.range).toBeNull()
  expect(reset(ZOOMED).day).toBe(ZOOMED.day)
})

it('the state comes back from the address whole', () => {
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
])('of %s a page is kept as %s', (url, kept) => {
  expect(pageAddress(url)).toBe(kept)
})

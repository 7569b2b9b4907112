import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { useListView } from './list-view.ts'

const ID = '6a1f0d0e-0000-4000-8000-000000000001'
const START = {
  tab: 'pending',
  q: '',
  sort: 'submitted',
  dir: 'asc',
  show: 'all',
  page: 0,
  after: null,
  before: null,
  open: null,
}

beforeEach(() => history.replaceState(null, '', '/admin/dashboard'))

function view(query = '') {
  history.replaceState(null, '', `/admin/dashboard${query}`)
  return renderHook(() => useListView()).result
}

it.each([
  ['', {}],
  ['?tab=approved', { tab: 'approved', dir: 'desc' }],
  ['?sort=nothing&dir=up&show=odd&open=none', {}],
  [`?q=ann&dir=desc&show=clean&open=${ID}`, { q: 'ann', dir: 'desc', show: 'clean', open: ID }],
  ['?page=3', {}],
  ['?page=3&after=x&before=y', { page: 2, after: 'x' }],
  ['?page=1&before=y', { before: 'y' }],
  ['?page=0&after=x', { after: 'x' }],
  ['?page=100000&after=x', { page: 99_999, after: 'x' }],
  ['?page=100001&after=x', { after: 'x' }],
  [`?q=${'a'.repeat(201)}`, { q: 'a'.repeat(200) }],
])('%s is read', (query, expected) => {
  expect(view(query).current[0]).toEqual({ ...START, ...expected })
})

it('a view is written without what is as it starts, and replaces the entry only when asked', () => {
  const list = view()
  const before = history.length
  act(() => list.current[1]({ tab: 'all', q: 'ann', page: 1, after: 'x' }))
  expect(location.search).toBe('?tab=all&q=ann&page=2&after=x')
  act(() => list.current[1]({ q: '' }, 'replace'))
  expect(history.length - before).toBe(1)
  expect(location.search).toBe('?tab=all&page=2&after=x')
})

it('another tab begins in its own direction, unless the list was turned around', () => {
  const list = view()
  act(() => list.current[1]({ tab: 'approved' }))
  expect(list.current[0].dir).toBe('desc')
  act(() => list.current[1]({ dir: 'asc' }))
  act(() => list.current[1]({ tab: 'rejected' }))
  expect(list.current[0].dir).toBe('asc')
  act(() => list.current[1]({ tab: 'pending', sort: 'expert', dir: 'asc' }))
  act(() => list.current[1]({ tab: 'approved' }))
  expect(list.current[0].dir).toBe('asc')
})

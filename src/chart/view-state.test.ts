import fc from 'fast-check'
import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import {
  OPENING_VIEW,
  readView,
  VIEW_PARAMS,
  viewParams,
  type ViewParam,
  type ViewState,
} from './view-state.ts'

const read = (params: Partial<Record<ViewParam, string>>) =>
  readView((name) => params[name] ?? null)
const back = (view: ViewState) => read(viewParams(view))

it('the opening view adds no parameters', () => {
  expect(viewParams(OPENING_VIEW)).toEqual({})
  expect(back(OPENING_VIEW)).toEqual(OPENING_VIEW)
})

it('a view is restored from its address', () => {
  const choices = { scale: 'log', threads: false, targets: 'votes', mode: 'close' } as const
  const [range, prices] = [
    [day('2020-02-29'), day('2026-01-01')],
    [0.05, 123_450],
  ] as const
  const view: ViewState = { ...choices, frame: null, range, prices }
  const chosen = { scale: 'log', threads: 'off', targets: 'votes', judge: 'close' }
  const spans = { from: '2020-02-29', to: '2026-01-01', low: '0.05', high: '123450' }
  expect(viewParams(view)).toEqual({ ...chosen, ...spans })
  expect(back(view)).toEqual(view)
  const framed: ViewState = { ...view, frame: '5Y', range: null }
  expect(viewParams(framed)).toMatchObject({ frame: '5y' })
  expect(back(framed)).toEqual(framed)
})

it('a short view includes fractions of days, and days override a frame name', () => {
  const range = [day('2025-10-01') + 0.25, day('2025-10-08') + 0.07] as const
  const params = viewParams({ ...OPENING_VIEW, range })
  expect(params).toEqual({ from: '2025-10-01.25', to: '2025-10-08.07' })
  expect(back({ ...OPENING_VIEW, frame: '1Y', range })).toEqual({ ...OPENING_VIEW, range })
})

it('any address is parsed without an error', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom(...VIEW_PARAMS),
        fc.oneof(fc.string(), fc.constantFrom('count', 'votes', 'off', 'log', '1y', '2025-10-01')),
      ),
      (params) => {
        const view = read(params)
        expect(view.range === null || view.range[0] < view.range[1]).toBe(true)
        expect(view.prices === null || view.prices[0] < view.prices[1]).toBe(true)
        expect(back(view)).toEqual(view)
      },
    ),
  )
})

it.each([
  [{ targets: 'count' }, 'count'],
  [{ targets: 'votes' }, 'votes'],
  [{ targets: 'on' }, null],
  [{}, null],
] as const)('the address %o shows open targets by %s', (input, targets) => {
  expect(read(input)).toEqual({ ...OPENING_VIEW, targets })
  expect(viewParams(read(input))).toEqual(targets ? { targets } : {})
})

it.each([
  ['2026-01-01', '2020-01-01'],
  ['soon', '2020-01-01'],
  ['2020-13-01', '2026-01-01'],
])('the range %s to %s is ignored', (from, to) => {
  expect(read({ from, to }).range).toBeNull()
})

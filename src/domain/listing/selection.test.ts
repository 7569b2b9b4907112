import { expect, it } from 'vitest'
import {
  readSelection,
  selectionParams,
  chooseExpert,
  clearSelection,
  cycleFilter,
  drawnMeanwhile,
  isBare,
  pressedFilter,
  OPENING_SELECTION,
  pressFilter,
  toggleMultiple,
  togglePrediction,
  type Selection,
} from './selection.ts'

const ALL = pressFilter(OPENING_SELECTION, 'all')
const toggle = (selection: Selection, id: string, ids: readonly string[]) =>
  togglePrediction(selection, id, { ids, total: ids.length })

it('the chart shows the predictions of a status after its chip', () => {
  expect(pressFilter(OPENING_SELECTION, 'success').active).toEqual({ status: 'success' })
})

it('the chart is empty when the active chip is pressed again, and the filter returns to All', () => {
  const again = pressFilter(pressFilter(OPENING_SELECTION, 'miss'), 'miss')
  expect(again.filter).toBe('all')
  expect(isBare(again)).toBe(true)
  expect(isBare(pressFilter(ALL, 'all'))).toBe(true)
  expect(isBare(clearSelection())).toBe(true)
})

it('the chart separates exceptions of a status from predictions that join it', () => {
  const less = toggle(ALL, 'open', ['miss', 'open'])
  expect(less.active).toEqual({ status: 'all', without: ['open'] })
  expect(toggle(less, 'open', ['miss'])).toEqual(ALL)
  const misses = pressFilter(OPENING_SELECTION, 'miss')
  expect(toggle(misses, 'void', ['miss']).active).toEqual({ status: 'miss', and: ['void'] })
  expect(isBare(toggle(misses, 'miss', ['miss']))).toBe(true)
})

it('on a full chart, an added prediction is listed, and a removed one stays off', () => {
  const more = togglePrediction(ALL, 'open', { ids: ['miss'], total: 4 })
  expect(more.active).toEqual({ status: 'all', and: ['open'] })
  const less = togglePrediction(more, 'open', { ids: ['miss', 'open'], total: 4 })
  expect(less.active).toEqual({ status: 'all', without: ['open'] })
})

it('while loading, the chart drops removed predictions and includes added ones', () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const meanwhile = (active: Selection['active']) =>
    drawnMeanwhile({ ...OPENING_SELECTION, active }, rows.slice(0, 2), rows).map(({ id }) => id)
  expect(meanwhile({ leading: 12 })).toEqual(['a', 'b'])
  expect(meanwhile({ status: 'miss', without: ['a'], and: ['c'] })).toEqual(['b', 'c'])
  expect(meanwhile({ ids: ['c', 'x'] })).toEqual(['c'])
})

it('choosing an expert in single mode replaces the previous one, and draws all their calls', () => {
  const ada = chooseExpert(OPENING_SELECTION, 'ada')
  expect(ada).toMatchObject({ experts: ['ada'], active: { status: 'all' } })
  expect(chooseExpert(ada, 'bo').experts).toEqual(['bo'])
})

it('choosing an expert adds in multiple mode, and removes when chosen again', () => {
  const both = chooseExpert(toggleMultiple(chooseExpert(OPENING_SELECTION, 'ada')), 'bo')
  expect(both.experts).toEqual(['ada', 'bo'])
  expect(chooseExpert(both, 'ada').experts).toEqual(['bo'])
  expect(toggleMultiple(both).experts).toEqual(['bo'])
})

it('choosing All Influencers returns to everyone and an empty chart', () => {
  const none = chooseExpert(chooseExpert(OPENING_SELECTION, 'ada'), null)
  expect(isBare(none)).toBe(true)
  expect(none.experts).toEqual([])
})

it('All shows as pressed when all are drawn, or none', () => {
  expect(pressedFilter(OPENING_SELECTION)).toBeNull()
  expect(pressedFilter(ALL)).toBe('all')
  expect(pressedFilter(toggle(ALL, 'open', ['open', 'miss']))).toBeNull()
  expect(pressedFilter(pressFilter(pressFilter(ALL, 'miss'), 'miss'))).toBe('all')
  expect(pressedFilter(pressFilter(ALL, 'miss'))).toBe('miss')
})

it('the status button cycles through all, success, miss and pending', () => {
  const steps = [OPENING_SELECTION]
  for (let i = 0; i < 4; i += 1) steps.push(cycleFilter(steps.at(-1) ?? OPENING_SELECTION))
  expect(steps.map(({ filter }) => filter)).toEqual(['all', 'success', 'miss', 'pending', 'all'])
})

const MANY = Array.from({ length: 90 }, (_, i) => `p${String(i)}`)

it.each([
  OPENING_SELECTION,
  clearSelection(),
  pressFilter(OPENING_SELECTION, 'miss'),
  toggleMultiple(chooseExpert(OPENING_SELECTION, 'ada')),
  { ...OPENING_SELECTION, search: 'a & b=c' },
  toggle(clearSelection(), 'hit-old', []),
  toggle(ALL, 'open', ['open', 'miss']),
  toggle(pressFilter(OPENING_SELECTION, 'miss'), 'open', ['miss']),
  { ...OPENING_SELECTION, active: { ids: ['a,b', '-c', 'all', 'none', '50%', '%2C'] } },
  { ...OPENING_SELECTION, active: { status: 'all', without: ['-a,b'], and: ['miss', 'x'] } },
  { ...OPENING_SELECTION, active: { ids: MANY } },
] satisfies Selection[])('the address of the dashboard restores %o', (selection) => {
  const params = new URLSearchParams(selectionParams(selection))
  expect(readSelection((name) => params.get(name))).toEqual(selection)
})

it('the address of the dashboard is short for all but one', () => {
  expect(selectionParams(toggle(ALL, 'open', ['open', 'miss']))).toEqual({ on: 'all,-open' })
})

it('the address of the dashboard is empty on opening', () => {
  expect(selectionParams(OPENING_SELECTION)).toEqual({})
})

it('the address of the dashboard ignores invalid values', () => {
  expect(readSelection((name) => (name === 'status' ? 'maybe' : null))).toEqual(OPENING_SELECTION)
})

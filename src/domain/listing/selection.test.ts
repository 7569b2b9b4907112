import { predictionsOfRows, verdictRow } from '#contracts/prediction-wire.ts'
import { day } from '#domain/day.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { describe, expect, it } from 'vitest'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { countsOf, expertsOf, listed } from './listing.ts'
import { readSelection, selectionParams } from './selection-address.ts'
import {
  activeOnes,
  chooseExpert,
  clearSelection,
  cycleFilter,
  isBare,
  pressedFilter,
  OPENING_SELECTION,
  pressFilter,
  searchFor,
  toggleMultiple,
  togglePrediction,
  type Selection,
} from './selection.ts'

const PEOPLE = {
  ada: { id: 1, name: 'Ada Quant', slug: 'ada', score: 0, is_firm: false, x_handle: '@ada' },
  bo: { id: 2, name: 'Bö Núñez', slug: 'bo', score: 0, is_firm: false, x_handle: null },
}

function one(id: string, who: keyof typeof PEOPLE, touch: Outcome, made: string, votes = 0) {
  return predictionRow({
    id,
    influencer: PEOPLE[who],
    prediction_made: made,
    vote_score: votes,
    verdicts: {
      touch: verdictRow(verdict({ outcome: touch })),
      close: verdictRow(verdict({ mode: 'close', outcome: 'miss' })),
    },
  })
}

const ALL = predictionsOfRows([
  one('hit-old', 'ada', 'hit', '2020-01-01'),
  one('hit-new', 'bo', 'hit', '2024-01-01'),
  one('miss', 'ada', 'miss', '2023-01-01', 21),
  one('open', 'bo', 'pending', '2025-01-01'),
  one('void', 'bo', 'void', '2025-06-01', 99),
])

const DRAWABLE = {
  predictions: ALL,
  mode: 'touch',
  opening: [day('2015-01-01'), day('2030-01-01')],
} as const

const drawn = (selection: Selection, mode: 'touch' | 'close' = 'touch') =>
  activeOnes(selection, { ...DRAWABLE, mode }).map(({ id }) => id)
const shown = (selection: Selection) => listed(selection, ALL, 'touch').map(({ id }) => id)

describe('what is on the chart', () => {
  it('what is on the chart is every counted prediction after All: most supported first, then newest', () => {
    expect(drawn(pressFilter(OPENING_SELECTION, 'all'))).toEqual([
      'miss',
      'open',
      'hit-new',
      'hit-old',
    ])
  })

  it('what is on the chart is the predictions of a status after its chip, in the mode that is shown', () => {
    const hits = pressFilter(OPENING_SELECTION, 'success')
    expect(drawn(hits)).toEqual(['hit-new', 'hit-old'])
    expect(drawn(hits, 'close')).toEqual([])
  })

  it('what is on the chart is nothing when the active chip is pressed again, and the filter returns to All', () => {
    const again = pressFilter(pressFilter(OPENING_SELECTION, 'miss'), 'miss')
    expect(again.filter).toBe('all')
    expect(isBare(again)).toBe(true)
    const all = pressFilter(OPENING_SELECTION, 'all')
    expect(isBare(pressFilter(all, 'all'))).toBe(true)
  })

  it('what is on the chart gains and loses single ones, starting from what was there', () => {
    const hits = pressFilter(OPENING_SELECTION, 'success')
    const less = togglePrediction(hits, 'hit-new', DRAWABLE)
    expect(drawn(less)).toEqual(['hit-old'])
    expect(drawn(togglePrediction(less, 'void', DRAWABLE))).toEqual(['hit-old', 'void'])
  })

  it('what is on the chart keeps the exceptions of a status apart from those who join it', () => {
    const all = pressFilter(OPENING_SELECTION, 'all')
    const less = togglePrediction(all, 'open', DRAWABLE)
    expect(drawn(less)).toEqual(['miss', 'hit-new', 'hit-old'])
    expect(togglePrediction(less, 'open', DRAWABLE)).toEqual(all)
    const more = togglePrediction(pressFilter(OPENING_SELECTION, 'miss'), 'void', DRAWABLE)
    expect(drawn(more)).toEqual(['miss', 'void'])
    expect(isBare(togglePrediction(pressFilter(OPENING_SELECTION, 'miss'), 'miss', DRAWABLE))).toBe(
      true,
    )
  })

  it('what is on the chart is what the words searched for leave, and the counts say the same', () => {
    const found = searchFor(OPENING_SELECTION, 'ada')
    expect(countsOf(found, ALL, 'touch')).toEqual({ all: 2, pending: 0, success: 1, miss: 1 })
    expect(drawn(pressFilter(found, 'all'))).toEqual(['miss', 'hit-old'])
    expect(drawn(pressFilter(found, 'pending'))).toEqual([])
    expect(drawn(found)).toHaveLength(4)
  })

  it('what is on the chart is nothing after a reset', () => {
    expect(drawn(clearSelection())).toEqual([])
  })
})

describe('choosing experts', () => {
  it('choosing an expert replaces the one before in single mode', () => {
    const ada = chooseExpert(OPENING_SELECTION, 'ada')
    expect(drawn(ada)).toEqual(['miss', 'hit-old'])
    expect(drawn(chooseExpert(ada, 'bo'))).toEqual(['open', 'hit-new'])
  })

  it('choosing an expert accumulates in multiple mode, and gives one up when chosen again', () => {
    const both = chooseExpert(toggleMultiple(chooseExpert(OPENING_SELECTION, 'ada')), 'bo')
    expect(drawn(both)).toHaveLength(4)
    expect(drawn(chooseExpert(both, 'ada'))).toEqual(['open', 'hit-new'])
    expect(toggleMultiple(both).experts).toEqual(['bo'])
  })

  it('choosing All Influencers returns to everyone and an empty chart', () => {
    const none = chooseExpert(chooseExpert(OPENING_SELECTION, 'ada'), null)
    expect(isBare(none)).toBe(true)
    expect(shown(none)).toHaveLength(5)
  })

  it('choosing experts offers unique names in order, with their counts', () => {
    expect(expertsOf(ALL)).toEqual([
      { slug: 'ada', name: 'Ada Quant', predictions: 2 },
      { slug: 'bo', name: 'Bö Núñez', predictions: 3 },
    ])
  })
})

describe('the list', () => {
  it('the list runs newest first and keeps voids under All only', () => {
    expect(shown(OPENING_SELECTION)).toEqual(['void', 'open', 'hit-new', 'miss', 'hit-old'])
    expect(shown(pressFilter(OPENING_SELECTION, 'pending'))).toEqual(['open'])
  })

  it('the list counts no void', () => {
    expect(countsOf(OPENING_SELECTION, ALL, 'touch')).toEqual({
      all: 4,
      pending: 1,
      success: 2,
      miss: 1,
    })
  })

  it('the list finds every word in any case and without accents, and levels without commas', () => {
    expect(shown(searchFor(OPENING_SELECTION, 'nunez 69000'))).toEqual(['void', 'open', 'hit-new'])
    expect(shown(searchFor(OPENING_SELECTION, 'nunez 70000'))).toEqual([])
  })
})

it('All shows as pressed when all are drawn, or none', () => {
  expect(pressedFilter(OPENING_SELECTION)).toBeNull()
  const all = pressFilter(OPENING_SELECTION, 'all')
  expect(pressedFilter(all)).toBe('all')
  expect(pressedFilter(togglePrediction(all, 'open', DRAWABLE))).toBeNull()
  expect(pressedFilter(pressFilter(pressFilter(all, 'miss'), 'miss'))).toBe('all')
  expect(pressedFilter(pressFilter(all, 'miss'))).toBe('miss')
})

it('the status button goes all, success, miss, pending and round again', () => {
  const steps = [OPENING_SELECTION]
  for (let i = 0; i < 4; i += 1) steps.push(cycleFilter(steps.at(-1) ?? OPENING_SELECTION))
  expect(steps.map(({ filter }) => filter)).toEqual(['all', 'success', 'miss', 'pending', 'all'])
})

describe('the address', () => {
  const through = (selection: Selection) => {
    const params = new URLSearchParams(selectionParams(selection))
    return readSelection((name) => params.get(name))
  }

  it.each([
    OPENING_SELECTION,
    clearSelection(),
    pressFilter(OPENING_SELECTION, 'miss'),
    toggleMultiple(chooseExpert(OPENING_SELECTION, 'ada')),
    searchFor(OPENING_SELECTION, 'a & b=c'),
    togglePrediction(clearSelection(), 'hit-old', DRAWABLE),
    togglePrediction(pressFilter(OPENING_SELECTION, 'all'), 'open', DRAWABLE),
    togglePrediction(pressFilter(OPENING_SELECTION, 'miss'), 'open', DRAWABLE),
    { ...OPENING_SELECTION, active: { ids: ['a,b', '-c', 'all', 'none', '50%', '%2C'] } },
    { ...OPENING_SELECTION, active: { status: 'all', without: ['-a,b'], and: ['miss', 'x'] } },
    {
      ...OPENING_SELECTION,
      active: { ids: Array.from({ length: 90 }, (_, i) => `p${String(i)}`) },
    },
  ] satisfies Selection[])('the address of the dashboard brings back %o', (selection) => {
    expect(through(selection)).toEqual(selection)
  })

  it('the address of the dashboard stays short for all but one', () => {
    const most = togglePrediction(pressFilter(OPENING_SELECTION, 'all'), 'open', DRAWABLE)
    expect(selectionParams(most)).toEqual({ on: 'all,-open' })
    expect(drawn(through(most))).toEqual(['miss', 'hit-new', 'hit-old'])
  })

  it('the address of the dashboard is empty on opening', () => {
    expect(selectionParams(OPENING_SELECTION)).toEqual({})
  })

  it('the address of the dashboard reads nonsense as the opening', () => {
    expect(readSelection((name) => (name === 'status' ? 'maybe' : null))).toEqual(OPENING_SELECTION)
  })
})

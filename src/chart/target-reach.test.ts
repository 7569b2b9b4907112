import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, day } from '#domain/day.ts'
import { openTargets } from './open-targets.ts'
import { targetsInView } from './target-grid.ts'
import { viewBefore, viewOfTargets } from './target-reach.ts'
import { closes, predicted, seriesFrom } from './testing.ts'
import { OPENING_VIEW, readView, viewParams, type ViewParam, type ViewState } from './view-state.ts'

const TODAY = day('2026-11-20')
const SERIES = seriesFrom(
  closes('2020-01-01', ...Array.from({ length: 2_500 }, () => 80_000)),
  TODAY,
)
const ON: ViewState = { ...OPENING_VIEW, targets: 'count' }

function called(...calls: readonly (readonly [usd: number, days: number])[]) {
  const predictions = calls.map(([usd, days]) =>
    predicted({ type: 'target', usd }, [], { made: TODAY, by: addDays(TODAY, days) }),
  )
  return openTargets(predictions, 'touch', TODAY).targets
}

function shownOf(view: ViewState, targets: ReturnType<typeof called>): number {
  if (!view.range || !view.prices) throw new Error('the view shows no place')
  return targetsInView(targets, { days: view.range, prices: view.prices }).length
}

const ANY = fc.array(
  fc.tuple(fc.double({ min: 0.01, max: 1e8, noNaN: true }), fc.integer({ min: -200, max: 9_000 })),
  { minLength: 1, maxLength: 60 },
)

it('switched on, the view shows most calls, all of a few, and today with the price before it', () => {
  fc.assert(
    fc.property(ANY, (calls) => {
      const targets = called(...calls)
      const view = viewOfTargets(ON, targets, SERIES, TODAY, false)
      const near = targets.filter(({ days }) => days[1] <= TODAY + 3_650)
      const least = near.length === targets.length && near.length < 20 ? targets.length : 0
      expect(shownOf(view, targets)).toBeGreaterThanOrEqual(least)
      expect(view.range?.[0]).toBeLessThan(TODAY - 100)
      expect(view.range?.[1]).toBeGreaterThan(TODAY + 300)
      expect(view.prices?.[0]).toBeLessThanOrEqual(80_000)
      expect(view.prices?.[1]).toBeGreaterThanOrEqual(80_000)
    }),
  )
})

it('all are in the view that shows all', () => {
  fc.assert(
    fc.property(ANY, (calls) => {
      const targets = called(...calls)
      expect(shownOf(viewOfTargets(ON, targets, SERIES, TODAY, true), targets)).toBe(targets.length)
    }),
  )
})

it('its address shows the same', () => {
  fc.assert(
    fc.property(ANY, fc.boolean(), (calls, isAll) => {
      const view = viewOfTargets(ON, called(...calls), SERIES, TODAY, isAll)
      const params: Partial<Record<ViewParam, string>> = viewParams(view)
      expect(readView((name) => params[name] ?? null)).toEqual(view)
    }),
  )
})

it('of many calls a far one is left beyond the edge', () => {
  const near = Array.from({ length: 30 }, (_, i) => [100_000 + i * 1_000, 200 + i] as const)
  const targets = called(...near, [49_000_000, 7_000])
  const view = viewOfTargets(ON, targets, SERIES, TODAY, false)
  expect(view).toMatchObject({ scale: null, frame: null })
  expect(view.prices?.[1]).toBeLessThan(150_000)
  expect(view.range?.[1]).toBeLessThan(TODAY + 500)
})

it('levels far above the price are on a log axis; a choice of the visitor stays', () => {
  expect(viewOfTargets(ON, called([1_000_000, 300]), SERIES, TODAY, false).scale).toBe('log')
  const chosen = { ...ON, scale: 'linear' } as const
  expect(viewOfTargets(chosen, called([100_000, 300]), SERIES, TODAY, false).scale).toBe('linear')
})

it('without open calls the view stays', () => {
  expect(viewOfTargets(ON, [], SERIES, TODAY, true)).toBe(ON)
})

it('switching off goes back, unless the view was moved', () => {
  const before: ViewState = { ...OPENING_VIEW, frame: '1Y' }
  const shown = viewOfTargets(ON, called([1_000_000, 300]), SERIES, TODAY, false)
  const now: ViewState = { ...shown, targets: 'votes', mode: 'close' }
  expect(viewBefore(now, before, shown)).toEqual({ ...before, targets: 'votes', mode: 'close' })
  const moved: ViewState = { ...now, range: [20_000, 21_000] }
  expect(viewBefore(moved, before, shown)).toEqual(moved)
})

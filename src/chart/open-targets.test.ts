import fc from 'fast-check'
import { expect, it } from 'vitest'
import { day, addDays } from '#domain/day.ts'
import { atLeast, bar, bottom, range, target, top } from '#tests/support/builders.ts'
import { closes, predicted, seriesFrom, TODAY, closesBy } from '#tests/support/charts.ts'
import { openTargets } from './open-targets.ts'
import { targetsInView } from './target-grid.ts'
import { viewBefore, viewOfTargets } from './target-layer.ts'
import { OPENING_VIEW, readView, viewParams, type ViewParam, type ViewState } from './view-state.ts'

const MADE = day('2026-10-01')
const BARS = closes('2026-09-30', 80_000, 80_000)
const THIS_YEAR = { by: day('2026-12-31'), byPrecision: 'year' } as const
const NAMED = { from: day('2027-01-01'), by: day('2027-06-30') } as const
const OURS = { by: day('2027-10-01'), byPrecision: 'year', deadlineAssumed: true } as const
const spanOf = (from: string, to: string) => [day(from), day(to)]

it.each([
  ['a day', { by: day('2027-03-15') }, ['2027-03-15', '2027-03-15']],
  ['a day, wherever it starts', NAMED, ['2027-06-30', '2027-06-30']],
  ['a month', { by: day('2027-03-31'), byPrecision: 'month' }, ['2027-03-01', '2027-03-31']],
  ['a year', { by: day('2028-12-31'), byPrecision: 'year' }, ['2028-01-01', '2028-12-31']],
  ['what is left of this year', THIS_YEAR, ['2026-11-20', '2026-12-31']],
  ['a deadline of ours', OURS, ['2027-10-01', '2027-10-01']],
  ['a deadline that has passed', { by: day('2026-11-01') }, ['2026-11-01', '2026-11-01']],
] as const)('a target is due in %s', (_, input, [from, to]) => {
  const call = predicted(target(150_000), BARS, { made: MADE, ...input })
  const found = { name: call.expert.name, votes: 0, prices: [150_000, 150_000] }
  const { targets } = openTargets([call], 'touch', TODAY)
  expect(targets).toEqual([{ ...found, days: spanOf(from, to) }])
})

it.each([
  ['a range covers its band', range(100_000, 200_000), [100_000, 200_000]],
  ['a minimum is at its level', atLeast(90_000), [90_000, 90_000]],
] as const)('%s, over a named window', (_, claim, prices) => {
  const named = { made: MADE, from: day('2027-01-01'), by: day('2027-06-30') }
  const [window] = openTargets([predicted(claim, BARS, named)], 'touch', TODAY).targets
  expect(window).toMatchObject({ days: spanOf('2027-01-01', '2027-06-30'), prices })
  const plain = predicted(claim, BARS, { ...named, from: null })
  const [deadline] = openTargets([plain], 'touch', TODAY).targets
  expect(deadline?.days).toEqual(spanOf('2027-06-30', '2027-06-30'))
})

it('counts limits separately, and ignores decided calls, hidden calls and levels of zero', () => {
  const by = day('2027-12-31')
  const bars = closes('2026-09-30', 80_000, 80_000, 100_000)
  const calls = [
    predicted(top(300_000), bars, { made: MADE, by }),
    predicted(bottom(20_000), bars, { made: MADE, by }),
    predicted(target(95_000), bars, { made: MADE, by }),
    predicted(target(150_000), bars, { made: MADE, by, excludeFromChart: true }),
    predicted(target(0), bars, { made: MADE, by }),
    predicted(target(150_000), bars, { made: MADE, by, voteScore: 21 }),
  ]
  const { targets, limits } = openTargets(calls, 'touch', TODAY)
  expect(targets.map(({ votes }) => votes)).toEqual([21])
  expect(limits).toBe(2)
})

it('takes open calls from the judging mode, and positions from display levels', () => {
  const bars = [...BARS, bar('2026-10-02', '80000..120000>80000')]
  const drawn = { made: MADE, by: day('2027-12-31'), chartValue: 115_000 }
  const call = predicted(target(110_000), bars, drawn)
  expect(openTargets([call], 'touch', TODAY).targets).toEqual([])
  expect(openTargets([call], 'close', TODAY).targets[0]?.prices).toEqual([115_000, 115_000])
})

const SERIES = seriesFrom(closesBy('2020-01-01', 2_500, () => 80_000))
const ON: ViewState = { ...OPENING_VIEW, targets: 'count' }

function called(...calls: readonly (readonly [usd: number, days: number])[]) {
  const predictions = calls.map(([usd, days]) =>
    predicted(target(usd), [], { made: TODAY, by: addDays(TODAY, days) }),
  )
  return openTargets(predictions, 'touch', TODAY).targets
}

const SOME = fc.array(
  fc.tuple(fc.double({ min: 0.01, max: 1e8, noNaN: true }), fc.integer({ min: -200, max: 9_000 })),
  { minLength: 1, maxLength: 60 },
)

it('the layer opens with today and most calls in view, all if few or chosen, which its address reproduces', () => {
  fc.assert(
    fc.property(SOME, fc.boolean(), (calls, isAll) => {
      const targets = called(...calls)
      const view = viewOfTargets(ON, targets, SERIES, TODAY, isAll)
      const [days, prices] = [view.range!, view.prices!]
      const areNear = targets.every((one) => one.days[1] <= TODAY + 3_650)
      const least = isAll || (areNear && targets.length < 20) ? targets.length : 0
      expect(targetsInView(targets, { days, prices }).length).toBeGreaterThanOrEqual(least)
      const params: Partial<Record<ViewParam, string>> = viewParams(view)
      expect(readView((name) => params[name] ?? null)).toEqual(view)
      if (isAll) return
      expect(days[0]).toBeLessThan(TODAY - 100)
      expect(days[1]).toBeGreaterThan(TODAY + 300)
      expect(prices[0]).toBeLessThanOrEqual(80_000)
      expect(prices[1]).toBeGreaterThanOrEqual(80_000)
    }),
    { numRuns: 200 },
  )
})

it('a distant one of many calls is left outside the view', () => {
  const near = Array.from({ length: 30 }, (_, i) => [100_000 + i * 1_000, 200 + i] as const)
  const targets = called(...near, [49_000_000, 7_000])
  const view = viewOfTargets(ON, targets, SERIES, TODAY, false)
  expect(view).toMatchObject({ scale: null, frame: null })
  expect(view.prices?.[1]).toBeLessThan(150_000)
  expect(view.range?.[1]).toBeLessThan(TODAY + 500)
})

it('levels far above the price select a log axis, unless the visitor chose an axis', () => {
  expect(viewOfTargets(ON, called([1_000_000, 300]), SERIES, TODAY, false).scale).toBe('log')
  const chosen = { ...ON, scale: 'linear' } as const
  expect(viewOfTargets(chosen, called([100_000, 300]), SERIES, TODAY, false).scale).toBe('linear')
})

it('the view stays without open calls', () => {
  expect(viewOfTargets(ON, [], SERIES, TODAY, true)).toBe(ON)
})

it('switching off restores the previous view, unless it was moved', () => {
  const before: ViewState = { ...OPENING_VIEW, frame: '1Y' }
  const visible = viewOfTargets(ON, called([1_000_000, 300]), SERIES, TODAY, false)
  const now: ViewState = { ...visible, targets: 'votes', mode: 'close' }
  expect(viewBefore(now, before, visible)).toEqual({ ...before, targets: 'votes', mode: 'close' })
  const moved: ViewState = { ...now, range: [20_000, 21_000] }
  expect(viewBefore(moved, before, visible)).toEqual(moved)
})

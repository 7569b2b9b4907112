import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import {
  OPENING_VIEW,
  readView,
  TIME_FRAMES,
  viewParams,
  type ViewState,
} from '#chart/view-state.ts'
import { ASSETS } from '#domain/asset.ts'
import { addDays, day, type Day } from '#domain/day.ts'
import { predicted, seriesFrom, TODAY, marksOf, closesBy } from '#tests/support/charts.ts'
import { rounds } from '#tests/support/deep.ts'
import {
  changeSettings,
  moveView,
  openView,
  restView,
  spansAt,
  startFling,
  type ChartView,
  type Settings,
} from './chart-view.ts'

const SERIES = seriesFrom(
  closesBy('2014-01-01', 4_700, (i) => 400 * 1.0012 ** i * (1 + 0.3 * Math.sin(i / 90))),
)
const ALL = marksOf(
  Array.from({ length: 40 }, (_, i) =>
    predicted({ type: i % 3 === 0 ? 'by-date' : 'target', usd: 2_000 * 1.3 ** i }, [], {
      id: `p${String(i)}`,
      made: addDays(day('2016-01-01'), i * 90),
      by: addDays(day('2017-03-01'), i * 110),
    }),
  ),
)
const slice = (first: number, count: number) => ALL.slice(first, first + count)

function settingsOf(view: ViewState, marks: Settings['marks'], past: Day | null = null): Settings {
  const { scale, frame, range, prices } = view
  return {
    asset: ASSETS.btc,
    series: SERIES,
    ranges: null,
    marks,
    threads: [],
    withThreads: true,
    withTargets: view.targets !== null,
    median: null,
    under: null,
    live: past === null ? { usd: 84_000, direction: null } : null,
    today: past ?? TODAY,
    isPast: past !== null,
    theme: 'light',
    scale,
    frame,
    range,
    prices,
  }
}

const seen = (chart: ChartView) => ({
  ...spansAt(chart, Infinity),
  scale: chart.limits.scale,
  frame: chart.frame,
})

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const step = fc.oneof(
  fc.record({ do: fc.constant('zoom' as const), factor: between(0.3, 2), part: between(0, 1) }),
  fc.record({ do: fc.constant('pan' as const), part: between(-2, 2) }),
  fc.record({ do: fc.constant('prices' as const), factor: between(0.3, 3) }),
  fc.record({ do: fc.constant('frame' as const), frame: fc.constantFrom(null, ...TIME_FRAMES) }),
  fc.record({
    do: fc.constant('scale' as const),
    scale: fc.constantFrom(null, 'log' as const, 'linear' as const),
  }),
  fc.record({
    do: fc.constant('targets' as const),
    targets: fc.constantFrom(null, 'count' as const, 'votes' as const),
    years: fc.constantFrom(null, 2, 20, 28),
  }),
  fc.record({ do: fc.constant('draw' as const), first: fc.nat(39), count: fc.nat(40) }),
  fc.record({ do: fc.constant('reset' as const) }),
  fc.record({ do: fc.constant('day' as const), back: fc.nat(3_000) }),
)

/** Stands in for the page: feeds reported views back as settings. */
function visit(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  let view: ViewState = OPENING_VIEW
  let marks: Settings['marks'] = slice(0, 12)
  let past: Day | null = null
  const chart = openView(settingsOf(view, marks), () => {})
  for (const taken of steps) {
    const { days } = chart.viewport
    const length = days[1] - days[0]
    switch (taken.do) {
      case 'zoom':
        moveView(chart, { type: 'zoom', factor: taken.factor, at: days[0] + length * taken.part })
        break
      case 'pan':
        moveView(chart, { type: 'pan', days: length * taken.part })
        break
      case 'prices':
        moveView(chart, { type: 'zoom prices', factor: taken.factor })
        break
      case 'reset':
        moveView(chart, { type: 'reset' })
        break
      case 'frame':
        view = { ...view, frame: taken.frame, range: null, prices: null }
        break
      case 'scale':
        view = { ...view, scale: taken.scale, prices: null }
        break
      case 'targets': {
        const range =
          taken.years === null ? view.range : ([TODAY - 365, TODAY + taken.years * 365] as const)
        view = { ...view, targets: taken.targets, range, frame: range ? null : view.frame }
        break
      }
      case 'draw':
        marks = slice(taken.first, taken.count)
        break
      case 'day': {
        const then = addDays(TODAY, -taken.back)
        past = taken.back === 0 ? null : then
        marks = ALL.filter(({ prediction }) => prediction.made <= then).slice(-12)
        break
      }
    }
    if (['frame', 'scale', 'targets', 'draw', 'day'].includes(taken.do)) {
      changeSettings(chart, settingsOf(view, marks, past))
    }
    view = { ...view, ...restView(chart).chosen }
    changeSettings(chart, settingsOf(view, marks, past))
  }
  return { chart, view, marks, past }
}

it('a link opens exactly the view it was copied from, with the same frame selected', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const { chart, view, marks, past } = visit(steps)
      const params: Readonly<Record<string, string>> = viewParams(view)
      const opened = readView((name) => params[name] ?? null)
      const again = openView(settingsOf(opened, marks, past), () => {})
      expect(seen(again)).toEqual(seen(chart))
      expect(opened.frame).toBe(chart.frame)
      // The opening view is not reported.
      const { frame, range, prices } = opened
      expect(restView(again).chosen).toEqual({ frame, range, prices })
    }),
    { numRuns: rounds(100, 2_000) },
  )
})

it('a frame stays selected while predictions are added, until the view moves', () => {
  const chart = openView(settingsOf({ ...OPENING_VIEW, frame: '1Y' }, slice(30, 8)), () => {})
  const before = seen(chart)
  changeSettings(chart, settingsOf({ ...OPENING_VIEW, frame: '1Y' }, ALL))
  expect(seen(chart).days).toEqual(before.days)
  expect(chart.frame).toBe('1Y')
  moveView(chart, { type: 'pan', days: -30 })
  expect(restView(chart).chosen).toMatchObject({ frame: null, prices: null })
  moveView(chart, { type: 'reset' })
  expect(restView(chart).chosen).toEqual({ frame: null, range: null, prices: null })
})

it('a view can be as short as a week', () => {
  const week = [day('2025-10-01'), day('2025-10-08')] as const
  const chart = openView(settingsOf({ ...OPENING_VIEW, range: week }, ALL), () => {})
  const { days, prices } = seen(chart)
  expect(days).toEqual(week)
  expect(prices[1] / prices[0]).toBeLessThan(1.3)
})

it('an unmoved view of a past day follows the playback, with one kind of axis', () => {
  const then = (back: number) => addDays(TODAY, -back)
  const until = (back: number) => ALL.filter(({ prediction }) => prediction.made <= then(back))
  const chart = openView(settingsOf(OPENING_VIEW, until(3_000), then(3_000)), () => {})
  for (let back = 3_000; back > 100; back -= 50) {
    changeSettings(chart, settingsOf(OPENING_VIEW, until(back), then(back)))
    expect(restView(chart).chosen).toEqual({ frame: null, range: null, prices: null })
    const { days, scale } = seen(chart)
    expect([scale, days[0] < then(back), then(back) < days[1]]).toEqual(['log', true, true])
  }
})

it('far deadlines are reachable only with open targets on, and the opening view does not change', () => {
  const far: ViewState = { ...OPENING_VIEW, range: [TODAY - 365, TODAY + 9_000] }
  const marks = slice(0, 12)
  const off = openView(settingsOf(far, marks), () => {})
  expect(off.viewport.days[1]).toBeLessThan(TODAY + 9_000)
  const on = openView(settingsOf({ ...far, targets: 'count' }, marks), () => {})
  expect(on.viewport.days).toEqual(far.range)
  const opening = openView(settingsOf({ ...OPENING_VIEW, targets: 'count' }, marks), () => {})
  expect(opening.viewport.days).toEqual(off.limits.opening)
  // Without them, the view opens as its address says.
  changeSettings(on, settingsOf(far, marks))
  expect(on.viewport.days).toEqual(off.viewport.days)
})

it('a chosen view follows the playback day, unless it shows other days', () => {
  const at = (back: number) => addDays(TODAY, -back)
  const range = [at(3_000), at(2_900)] as const
  const view = { ...OPENING_VIEW, range }
  const chart = openView(settingsOf(view, [], at(2_950)), () => {})
  const step = (back: number) => {
    const { chosen } = restView(chart)
    changeSettings(chart, settingsOf({ ...view, ...chosen }, [], at(back)))
    return seen(chart).days
  }
  expect(step(2_920)).toEqual(range)
  const [from, to] = step(2_890)
  expect([to - from, from < at(2_890), at(2_890) < to]).toEqual([100, true, true])
  const elsewhere = openView(settingsOf(view, [], at(1_000)), () => {})
  changeSettings(elsewhere, settingsOf(view, [], at(990)))
  expect(seen(elsewhere).days).toEqual(range)
})

it('a change undone before the chart settles leaves the view as before', () => {
  const chart = openView(settingsOf(OPENING_VIEW, ALL), () => undefined)
  restView(chart)
  const before = seen(chart)
  const range = [day('2020-01-01'), day('2021-01-01')] as const
  changeSettings(chart, settingsOf({ ...OPENING_VIEW, range }, ALL))
  expect(seen(chart).days).toEqual(range)
  changeSettings(chart, settingsOf(OPENING_VIEW, ALL))
  expect(seen(chart)).toEqual(before)
})

it.each([false, true])(
  'glides to other days and goes on after a drag, unless motion is to be reduced: %s',
  (matches) => {
    vi.stubGlobal('window', { matchMedia: () => ({ matches }) })
    const chart = openView(settingsOf(OPENING_VIEW, ALL), () => undefined)
    Object.assign(chart, { scene: spansAt(chart, Infinity) })
    changeSettings(chart, settingsOf({ ...OPENING_VIEW, range: [19_000, 19_500] }, ALL))
    expect(chart.glide === null).toBe(matches)
    startFling(chart, 2)
    expect(chart.fling === null).toBe(matches)
    vi.unstubAllGlobals()
  },
)

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Span } from './scale.ts'
import {
  flingStep,
  move,
  openViewport,
  reveal,
  wheelFactor,
  widened,
  type Bounds,
  type Move,
} from './viewport.ts'

const HOME: Span = [0, 1_000]
const BOUNDS: Bounds = {
  home: HOME,
  opening: [200, 800],
  framed: false,
  scale: 'linear',
  prices: [0, 100],
  panFloor: -2_000,
}
const OPEN = openViewport(null, null, { home: [0, 1_000], opening: [200, 800] })
const after = (...steps: Move[]) => steps.reduce((now, step) => move(now, step, BOUNDS), OPEN)
const length = ([from, to]: Span) => to - from

describe('zoom', () => {
  it('zooms out by 1.1 and in by 0.9 per notch', () => {
    expect(wheelFactor(100)).toBeCloseTo(1.1)
    expect(wheelFactor(-100)).toBeCloseTo(0.9)
    expect(wheelFactor(-400)).toBeCloseTo(0.9)
    expect(wheelFactor(10) ** 10).toBeCloseTo(1.1)
  })
  it('is limited to half a home span and five days', () => {
    const turn = (factor: number) =>
      Array.from({ length: 200 }, (): Move => ({ type: 'zoom', factor, at: 500 }))
    expect(length(after(...turn(1.1)).days)).toBeCloseTo(2_000, 9)
    expect(length(after(...turn(0.9)).days)).toBeCloseTo(5, 9)
  })
  it('keeps the day under the pointer in place', () => {
    const { days } = after({ type: 'zoom', factor: 0.9, at: 300 })
    expect((300 - days[0]) / length(days)).toBeCloseTo(100 / 600, 12)
  })
  it('doubles exactly when pinched to twice the distance', () => {
    const { days } = after({ type: 'pinch', factor: 0.5, at: 400, part: 0.25 })
    expect(days).toEqual([325, 625])
  })
})

describe('pan', () => {
  it('follows the pointer', () => {
    expect(after({ type: 'pan', days: -50 }).days).toEqual([150, 750])
  })
  it('keeps the centre between half a home span before home and its end', () => {
    expect(after({ type: 'pan', days: 1e9 }).days).toEqual([700, 1_300])
    expect(after({ type: 'pan', days: -1e9 }).days).toEqual([-800, -200])
  })
  it('flings identically at any frame rate', () => {
    const fly = (ms: number) => {
      let [px, velocity] = [0, 1]
      for (let t = 0; t < 1_000; t += ms) {
        const step = flingStep(velocity, ms)
        px += step.px
        velocity = step.velocity
      }
      return px
    }
    expect(fly(8)).toBeCloseTo(fly(16), 0)
    expect(flingStep(0.021, 1_000).velocity).toBe(0)
  })
})

describe('prices', () => {
  it('follow the data until the axis is moved', () => {
    expect(OPEN.prices).toBeNull()
    expect(after({ type: 'zoom prices', factor: 2 }).prices).toEqual([-50, 150])
    expect(after({ type: 'zoom prices', factor: 2 }, { type: 'follow prices' }).prices).toBeNull()
  })
  it('never pan below the floor', () => {
    const far = move(OPEN, { type: 'pan prices', part: -1_000 }, BOUNDS).prices
    expect(far).toEqual([-2_000, -1_900])
    const stock = move(OPEN, { type: 'pan prices', part: -0.5 }, { ...BOUNDS, panFloor: 0 }).prices
    expect(stock).toEqual([0, 100])
  })
  it('never zoom below the floor', () => {
    const out = { type: 'zoom prices', factor: 2 } as const
    expect(move(OPEN, out, { ...BOUNDS, panFloor: 0 }).prices).toEqual([0, 150])
  })
  it('pan by ratio on a log axis', () => {
    const log = { ...BOUNDS, scale: 'log', prices: [1, 100] } as const
    const visible = move(OPEN, { type: 'pan prices', part: 0.5 }, log).prices
    expect(visible?.map((usd) => Math.round(usd))).toEqual([10, 1_000])
  })
})

describe('fit', () => {
  const fit = (...active: [string, number, number][]): Move => ({
    type: 'fit',
    active: active.map(([id, from, to]) => ({ id, days: [from, to] })),
  })
  it('widens once for a newly activated prediction', () => {
    const first = after(fit(['a', 100, 900]))
    expect(first.days[0]).toBeLessThan(100)
    expect(first.days[1]).toBeGreaterThan(900)
    const moved = move(first, { type: 'pan', days: 300 }, BOUNDS)
    expect(move(moved, fit(['a', 100, 900]), BOUNDS).days).toEqual(moved.days)
    expect(move(moved, fit(['a', 100, 900], ['b', 50, 60]), BOUNDS).days[0]).toBeLessThan(50)
  })
  it('shows one far deadline fully, but not one of many', () => {
    expect(after(fit(['a', 300, 950])).days[1]).toBeGreaterThan(950)
    const spans = (...ends: number[]) =>
      ends.map((end, i) => ({ id: String(i), days: [100, end] as const }))
    expect(widened([200, 800], spans(950), BOUNDS)[1]).toBeGreaterThan(950)
    expect(widened([200, 800], spans(950, 700), BOUNDS)[1]).toBeLessThan(900)
    expect(widened([200, 800], spans(950, 700), BOUNDS)[0]).toBeLessThan(100)
  })
  it('leaves the opening view and time frames unchanged for several new predictions', () => {
    const both = fit(['a', 100, 900], ['b', 300, 950])
    expect(after(both).days).toEqual(BOUNDS.opening)
    const panned = after({ type: 'pan', days: 10 })
    expect(move(panned, both, { ...BOUNDS, framed: true }).days).toEqual(panned.days)
    expect(move(panned, both, BOUNDS).days[0]).toBeLessThan(100)
    const framed = move(OPEN, fit(['a', 100, 900]), { ...BOUNDS, framed: true })
    expect(framed.chosen).toBe(true)
  })
  it('never starts before its predictions, nor ends beyond home for a deadline in the year 9999', () => {
    const far = after(fit(['a', 150, 2_900_000]))
    expect(far.days[0]).toBeGreaterThan(100)
    expect(far.days[1]).toBe(1_000)
    // If home is so long that zoom limits widen the view, they widen it into the future.
    const wide = { ...BOUNDS, home: [0, 100_000] } as const
    expect(move(OPEN, fit(['a', 150, 900]), wide).days[0]).toBeGreaterThan(100)
  })
  it('returns home when the last prediction is removed, and fits it again when it returns', () => {
    const cleared = after(fit(['a', 100, 900]), fit())
    expect(cleared.days).toEqual(BOUNDS.opening)
    expect(move(cleared, fit(['a', 100, 900]), BOUNDS).days[0]).toBeLessThan(100)
  })
})

it('the range of an address has the same limits', () => {
  const open = (from: number, to: number) => openViewport([from, to], null, BOUNDS).days
  expect(open(300, 700)).toEqual([300, 700])
  expect(length(open(500, 501))).toBeCloseTo(5, 9)
  expect(length(open(-1e6, 1e6))).toBeCloseTo(2_000, 9)
  const [from, to] = open(-90_000, -89_970)
  expect((from + to) / 2).toBeCloseTo(-500, 9)
})

it('a day is revealed by the smallest movement', () => {
  expect(reveal([0, 100], 50)).toEqual([0, 100])
  expect(reveal([0, 100], 195)).toEqual([105, 205])
  expect(reveal([0, 100], -5)).toEqual([-15, 85])
})

it('no sequence of gestures exceeds a limit', () => {
  // A link rounds the view to days, which may exceed a limit.
  const SLACK = 1
  const factor = fc.double({ min: 0, max: 5 })
  const some = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  const at = some(-1e4, 1e4)
  const steps = fc.oneof(
    fc.record({ type: fc.constant('zoom' as const), factor, at }),
    fc.record({ type: fc.constant('pan' as const), days: some(-1e5, 1e5) }),
    fc.record({ type: fc.constant('pinch' as const), factor, at, part: some(-1, 2) }),
  )
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (moves) => {
      const { days } = after(...moves)
      expect(length(days)).toBeGreaterThanOrEqual(5 - SLACK)
      expect(length(days)).toBeLessThanOrEqual(2_000 + SLACK)
      expect(Math.abs((days[0] + days[1]) / 2 - 500)).toBeLessThanOrEqual(1_000 + SLACK)
    }),
  )
})

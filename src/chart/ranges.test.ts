import { expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { addDays, day } from '#domain/day.ts'
import { pointsOf, sceneWith, TODAY } from '#tests/support/charts.ts'
import { fittedDomain } from './axes.ts'
import { rangeLayer, type RangedDay } from './ranges.ts'
import { type ScaleKind, type Span } from './scale.ts'
import { type Scene } from './scene.ts'
import { makeSeries } from './series.ts'
import { sceneToSvg } from './svg.ts'
import { THEMES } from './theme.ts'

const FIRST = day('2024-01-01')
const ALL: Span = [FIRST, addDays(FIRST, 399)]

/** A day from 100 to 120, opening at 105 and closing at 115; each later day is a dollar higher. */
function ranged(i: number): RangedDay {
  return { day: FIRST + i, open: 105 + i, high: 120 + i, low: 100 + i, close: 115 + i }
}

const DAYS = Array.from({ length: 400 }, (_, i) => ranged(i))

function sceneOf(
  days: Span,
  { of = DAYS, closes = DAYS, loaded = ALL, width = 1_122 } = {},
): Scene {
  const { series } = makeSeries(pointsOf(closes), TODAY)
  const ranges = rangeLayer(of, loaded)
  const prices = [0, 1_000] as const
  return sceneWith({ width, height: 544, dpr: 1, days, prices, series, ranges })
}

const first = (count: number): Span => [FIRST, FIRST + count]

const areasOf = ({ ranges }: Scene) => (ranges?.kind === 'areas' ? ranges.outlines : [])

function barsOf({ ranges }: Scene): { x: number; y: number; w: number; h: number }[] {
  const bars = ranges?.kind === 'bars' ? ranges.outlines : []
  return bars.map(([x = 0, y = 0, right = 0, , , bottom = 0]) => {
    return { x, y, w: right - x, h: bottom - y }
  })
}

it('a week has bars from low to high with ticks for open and close', () => {
  const scene = sceneOf(first(6))
  expect(areasOf(scene)).toEqual([])
  const { time, price } = scene
  const bars = barsOf(scene)
  const [stem, open, close] = [bars[3]!, bars[4]!, bars[5]!]
  expect(bars).toHaveLength(3 * 7)
  expect(stem.x + stem.w / 2).toBeCloseTo(time.toPx(FIRST + 1), 0)
  expect(Math.abs(stem.y - price.toPx(121))).toBeLessThan(1)
  expect(Math.abs(stem.y + stem.h - price.toPx(101))).toBeLessThan(1)
  expect([open.x + open.w, close.x]).toEqual([stem.x, stem.x + stem.w])
  expect(Math.abs(open.y + open.h / 2 - price.toPx(106))).toBeLessThan(1)
  expect(Math.abs(close.y + close.h / 2 - price.toPx(116))).toBeLessThan(1)
})

it('a day without a known open has no tick for it', () => {
  const scene = sceneOf([FIRST - 2, FIRST], { of: DAYS.with(0, { ...DAYS[0]!, open: null }) })
  const [stem, close] = barsOf(scene)
  expect(close?.x).toBe((stem?.x ?? 0) + (stem?.w ?? 0))
})

it('four months have plain bars, and denser days an area', () => {
  const months = sceneOf(first(120))
  expect(areasOf(months)).toEqual([])
  expect(barsOf(months)).toHaveLength(121)
  const phone = sceneOf(first(120), { width: 390 })
  expect(barsOf(phone)).toEqual([])
  expect(areasOf(phone)).toHaveLength(1)
})

it('an area follows the highs and returns along the lows', () => {
  const scene = sceneOf(first(360), { width: 390, of: DAYS.slice(0, 3) })
  const { price, time } = scene
  const at = (of: number, usd: number) => [time.toPx(FIRST + of), price.toPx(usd)]
  const highs = [at(-0.5, 120), at(0, 120), at(1, 121), at(2, 122), at(2.5, 122)]
  const lows = [at(2.5, 102), at(2, 102), at(1, 101), at(0, 100), at(-0.5, 100)]
  expect([...(areasOf(scene)[0] ?? [])]).toEqual([...highs, ...lows].flat())
})

it('a full-year view has neither; one a day shorter does', () => {
  expect(sceneOf(first(364)).ranges).toBeNull()
  expect(sceneOf(first(363)).ranges).not.toBeNull()
})

it('an area is interrupted by days with only a close, but not by weekends', () => {
  const gap = DAYS.filter((_, i) => i !== 50)
  expect(areasOf(sceneOf(first(360), { of: gap, width: 390 }))).toHaveLength(2)
  expect(areasOf(sceneOf(first(360), { of: gap, closes: gap, width: 390 }))).toHaveLength(1)
})

it('nothing is counted until all days in view are loaded', () => {
  const loaded: Span = [FIRST, FIRST + 5]
  expect(sceneOf(first(5), { loaded }).ranges?.known).toEqual({ ranged: 6, days: 6 })
  expect(sceneOf(first(6), { loaded }).ranges?.known).toBeNull()
  const late: Span = [FIRST + 3, FIRST + 5]
  expect(sceneOf([FIRST + 2, FIRST + 4], { loaded: late }).ranges?.known).toBeNull()
})

it.each<ScaleKind>(['linear', 'log'])('the %s axis includes the highs and lows in view', (kind) => {
  const { series } = makeSeries(pointsOf(DAYS), TODAY)
  const ranges = rangeLayer(DAYS.with(10, { ...ranged(10), high: 900, low: 20 }), ALL)
  const fitted = (days: Span) =>
    fittedDomain({ axis: ASSETS.btc.axis, kind, series, ranges, marks: [], days, live: null })
  const [low, high] = fitted(first(30))
  expect(low).toBeLessThan(20)
  expect(high).toBeGreaterThan(900)
  expect(fitted([FIRST + 11, FIRST + 30])[1]).toBeLessThan(200)
  // Longer views do not draw them.
  expect(fitted(first(399))[1]).toBeLessThan(900)
})

it('the static picture has the same bars and areas, below the price line', () => {
  const options = { theme: THEMES.light, description: '', font: 'Inter' }
  const week = sceneToSvg(sceneOf(first(6)), options)
  const bar = `fill="${THEMES.light.brand}" fill-opacity="0.6"`
  expect(week.indexOf(bar)).toBeGreaterThan(0)
  expect(week.indexOf(bar)).toBeLessThan(week.indexOf(`stroke="${THEMES.light.brand}"`))
  expect(week.match(/M[^M"]*Z/g)).toHaveLength(21)
  const year = sceneToSvg(sceneOf(first(360), { width: 390 }), options)
  expect(year).toContain(`fill="${THEMES.light.brand}" fill-opacity="0.28"`)
  expect(sceneToSvg(sceneOf(first(399)), options)).not.toContain(`fill="${THEMES.light.brand}"`)
})

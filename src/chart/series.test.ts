import { expect, it } from 'vitest'
import { TODAY } from '#tests/support/charts.ts'
import { makeScale, type Span } from './scale.ts'
import { closeAt, lineRoom, makeSeries, traceLine } from './series.ts'

it('a series drops invalid points and sorts the rest', () => {
  const { series, skipped } = makeSeries(
    { days: [3, 1, 2, 4, NaN, 2, TODAY + 1], closes: [30, 10, 20, -4, 5, 21, 99] },
    TODAY,
  )
  expect([...series.days]).toEqual([1, 2, 3])
  expect([...series.closes]).toEqual([10, 21, 30])
  expect(skipped).toBe(3)
})

it('a series keeps the future when there is nothing else', () => {
  expect(makeSeries({ days: [TODAY + 5], closes: [9] }, TODAY).series.days).toHaveLength(1)
})

it.each([
  [[], []],
  [[1, 2], [5]],
])('a series accepts %j and %j', (days, closes) => {
  expect(makeSeries({ days, closes }, TODAY).series.days.length).toBeLessThan(2)
})

it('a series returns the last close on or before a day', () => {
  const { series } = makeSeries({ days: [10, 20], closes: [1, 2] }, TODAY)
  expect([9, 10, 19, 25].map((at) => closeAt(series, at)?.usd ?? null)).toEqual([null, 1, 1, 2])
})

const spiky = Array.from({ length: 5_000 }, (_, i) => (i === 2_500 ? 900 : 100 + (i % 7)))
const { series } = makeSeries({ days: spiky.map((_, i) => i), closes: spiky }, TODAY)
const trace = (dpr: number, days: Span = [0, 4_999], of = series, width = 100) => {
  const out = new Float64Array(lineRoom(width * dpr))
  const time = makeScale('linear', days, [0, width])
  const price = makeScale('linear', [0, 1_000], [1_000, 0])
  return out.subarray(0, traceLine(of, time, price, { x: 0, width }, dpr, out))
}
const heights = (line: Float64Array) => [...line].filter((_, i) => i % 2 === 1)

it('the traced line has no more points than the screen needs and keeps spikes', () => {
  const line = trace(1)
  expect(line.length).toBeLessThanOrEqual(102 * 8)
  expect(Math.min(...heights(line))).toBe(100)
})
it('the traced line visits the nearer extreme of a column first', () => {
  const { series: one } = makeSeries({ days: [0, 1, 2, 3], closes: [50, 40, 90, 60] }, TODAY)
  expect(heights(trace(1, [0, 1_000], one, 1))).toEqual([950, 960, 910, 940])
})
it('the traced line has more columns on a denser screen', () => {
  expect(trace(2).length).toBeGreaterThan(trace(1).length * 1.7)
})
it('the traced line continues beyond both edges', () => {
  const line = trace(1, [1_000.5, 1_020.5])
  expect(line[0]).toBeLessThan(0)
  expect(line.at(-2)).toBeGreaterThan(100)
})

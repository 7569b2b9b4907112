import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { target, range, atLeast, top, bottom } from '#tests/support/builders.ts'
import { closes, predicted, seriesFrom, marksOf } from '#tests/support/charts.ts'
import { makeScale } from './scale.ts'
import { distanceToThread, drawThreads, makeThreads } from './threads.ts'

const BARS = closes('2024-01-01', 100, 110, 120, 130, 140)
const SERIES = seriesFrom(BARS)
const made = day('2024-01-02')
const PLOT = { x: 0, y: 0, width: 100, height: 100 }
const DAYS = [day('2024-01-01'), day('2024-01-11')] as const

function threadsOf(...claims: Parameters<typeof predicted>[0][]) {
  const predictions = claims.map((claim, i) =>
    predicted(claim, BARS, { id: String(i), made, by: day('2024-01-10') }),
  )
  return makeThreads(marksOf(predictions), SERIES)
}

function drawn(usd: number, days: readonly [number, number] = DAYS) {
  const time = makeScale('linear', days, [0, 100])
  const price = makeScale('linear', [100, 200], [100, 0])
  return drawThreads(threadsOf(target(usd)), days, PLOT, time, price)[0]
}

it('a thread runs from the starting price to the level at the deadline', () => {
  const thread = { days: [made, day('2024-01-10')], usd: [110, 180] }
  expect(threadsOf(target(180))).toMatchObject([thread])
})
it('a thread of a range ends at its sign, and every prediction has one', () => {
  const threads = threadsOf(range(150, 250), atLeast(115), top(90), bottom(90))
  expect(threads.map(({ usd }) => usd[1])).toEqual([250, 115, 90, 90])
  const time = makeScale('linear', DAYS, [0, 100])
  const price = makeScale('log', [10, 1_000], [100, 0])
  const [first] = drawThreads(threads, DAYS, PLOT, time, price)
  expect(first?.y1).toBeCloseTo((price.toPx(150) + price.toPx(250)) / 2)
})
it('a thread needs a price on the starting day', () => {
  const early = predicted(target(5), BARS, { made: day('2012-01-01') })
  expect(makeThreads(marksOf([early]), SERIES)).toEqual([])
})
it('a thread is clipped at the edges of the plot and keeps its slope', () => {
  expect(drawn(180)).toMatchObject({ x0: 10, y0: 90, x1: 90, y1: 20 })
  const high = drawn(310)
  expect(high?.y1).toBe(0)
  expect(high?.x1).toBeCloseTo(10 + (80 * 90) / 200)
  expect(drawn(180, [day('2025-01-01'), day('2025-02-01')])).toBeUndefined()
})
it('a thread is hit along its whole length', () => {
  const line = drawn(180)!
  expect(distanceToThread(line, 50, 55)).toBeCloseTo(0)
  expect(distanceToThread(line, 10, 100)).toBeCloseTo(10)
  expect(distanceToThread(line, 100, 20)).toBeCloseTo(10)
})

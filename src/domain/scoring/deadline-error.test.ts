import { day } from '#domain/day.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { barsFrom } from '#tests/support/builders.ts'
import { expect, it } from 'vitest'
import { closeAt, deadlineError } from './deadline-error.ts'

it.each<[string, Direction, [number, number], boolean, number, number]>([
  ['a target above the price', 'up', [150, 150], false, 100, 0.5],
  ['a target that the price is beyond', 'up', [150, 150], false, 160, 0],
  ['a target below the price', 'down', [70, 70], false, 100, -0.3],
  ['a range above, by its nearer end', 'up', [150, 200], false, 100, 0.5],
  ['a range below, by its nearer end', 'down', [50, 80], false, 100, -0.2],
  ['a range that the price left upwards', 'inside', [80, 90], false, 100, -0.1],
  ['a range that the price left downwards', 'inside', [110, 120], false, 100, 0.1],
  ['a range with the price inside', 'inside', [90, 110], false, 100, 0],
  ['a minimum with the price far above', 'above', [90, 90], true, 100, 0],
  ['a minimum that was not kept', 'above', [120, 120], true, 100, 0.2],
  ['a top that was broken', 'never-above', [80, 80], false, 100, -0.2],
  ['a top, with the price below it again', 'never-above', [120, 120], false, 100, 0],
  ['a bottom that was broken', 'never-below', [130, 130], false, 100, 0.3],
  ['a bottom, with the price above it again', 'never-below', [90, 90], false, 100, 0],
  ['a target of ten times the price', 'up', [1_000, 1_000], false, 100, 9],
])('%s: how far it was off', (_, direction, [min, max], isMinimum, close, error) => {
  const found = deadlineError({ direction, level: { min, max }, isMinimum }, close)
  expect(found).toBeCloseTo(error, 12)
})

it('the close at a deadline is the last one up to it, also where it does not trade on that day', () => {
  const series = seriesOf('new-york', barsFrom('2024-05-02', [10, 12]))
  expect(closeAt(series, day('2024-05-01'))).toBeNull()
  expect(closeAt(series, day('2024-05-02'))).toBe(10)
  expect(closeAt(series, day('2024-05-05'))).toBe(12)
})

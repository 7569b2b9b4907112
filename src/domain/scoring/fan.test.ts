import { expect, it } from 'vitest'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { barsFrom, published, statement, target } from '#tests/support/builders.ts'
import { fanOf } from './call-odds.ts'

const BARS = barsFrom('2023-12-29', [100, 100, 100, 100])

/** A call of a year, made at $100 on 01/01/2024. */
function made(
  motion: { sigma: number; drift: number } | null,
  asset: AssetKey = 'btc',
): Prediction {
  const stated = statement(target(150), { asset, by: day('2024-12-31') })
  const verdict = judge(seriesOf('every-day', BARS), stated, 'touch', day('2024-01-01'))
  const one = { luck: 0.5, noLuck: null, motion, left: null }
  return published(stated, { touch: verdict, close: verdict }, { odds: { touch: one, close: one } })
}

it('the fan begins at the price when it was made and ends where luck puts it at the deadline', () => {
  const fan = fanOf(made({ sigma: 0.6, drift: 0.1 }), 'touch') ?? []
  expect(fan[0]).toEqual({ day: day('2024-01-01'), half: [100, 100], most: [100, 100] })
  expect(fan.at(-1)?.day).toBe(day('2024-12-31'))
  // e^(0.1 ± z × 0.6) after 365 days.
  expect(fan.at(-1)?.half[0]).toBeCloseTo(73.73, 1)
  expect(fan.at(-1)?.half[1]).toBeCloseTo(165.65, 1)
  expect(fan.at(-1)?.most[0]).toBeCloseTo(41.19, 1)
  expect(fan.at(-1)?.most[1]).toBeCloseTo(296.55, 1)
  const days = fan.map((one) => one.day)
  expect(days).toEqual([...new Set(days)].toSorted((a, b) => a - b))
})

it('the fan of a stock spreads on trading days only', () => {
  const fan = fanOf(made({ sigma: 0.6, drift: 0 }, 'mstr'), 'touch') ?? []
  // 252 sessions were left of 2024: one year.
  expect(fan.at(-1)?.most[1]).toBeCloseTo(100 * Math.exp(1.6449 * 0.6), 6)
})

it('a call without luck has no fan', () => {
  expect(fanOf(made(null), 'touch')).toBeNull()
})

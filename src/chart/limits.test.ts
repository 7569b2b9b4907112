import { expect, it } from 'vitest'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { addYears, day } from '#domain/day.ts'
import { target } from '#tests/support/builders.ts'
import { predicted, seriesFrom, TODAY, marksOf, closesBy } from '#tests/support/charts.ts'
import { limitsOf } from './axes.ts'

const BARS = closesBy('2014-06-01', 4_556, (i) => 500 + 20 * i)

/** Calls as `who made due`, all at an unreachable level. */
function opening(asset: AssetKey, ...calls: readonly string[]) {
  const predictions = calls.map((call, i) => {
    const [slug = '', made = '', by = ''] = call.split(' ')
    const expert = { id: i, name: slug, slug, handle: null }
    return predicted(target(1e6), BARS, { id: String(i), expert, made: day(made), by: day(by) })
  })
  const marks = marksOf(predictions)
  const series = seriesFrom(BARS)
  const question = { asset: ASSETS[asset], series, marks, live: null, today: TODAY, isPast: false }
  const [from, to] = limitsOf({ ...question, withTargets: false, scale: null }, null).opening
  return {
    has: (made: string, due: string) => from < day(made) && to > day(due),
    future: (to - TODAY) / (to - from),
    ends: to,
  }
}

const PENDING = ['a 2024-01-01 2027-06-30', 'b 2025-01-01 2031-12-31', 'c 2026-01-01 2045-12-31']
const MISSED = 'd 2021-01-01 2022-12-31'

it.each(['btc', 'mstr'] as const)(
  'open calls of %s open with all deadlines up to 2035 and half the view in the future',
  (asset) => {
    const { has, future, ends } = opening(asset, ...PENDING)
    expect(has('2025-01-01', '2035-12-30')).toBe(true)
    expect(ends).toBeLessThan(day('2037-01-01'))
    expect(future).toBeGreaterThanOrEqual(0.5)
  },
)

it('all open calls of one person are in view, half of it in the future', () => {
  const view = opening('btc', 'a 2020-07-01 2020-12-31', 'a 2026-01-01 2027-06-30')
  expect(view.has('2020-07-01', '2027-06-30')).toBe(true)
  expect(view.future).toBeGreaterThan(0.49)
  // A single call is shown whatever its deadline.
  expect(opening('btc', 'a 2024-01-01 2045-12-31').has('2024-01-01', '2045-12-31')).toBe(true)
})

it.each(['btc', 'mstr'] as const)(
  'calls of several people, some decided, leave the price of %s large',
  (asset) => {
    const { has, future } = opening(asset, ...PENDING, MISSED)
    expect(has('2021-01-01', '2022-12-31')).toBe(true)
    expect(future).toBeLessThanOrEqual(0.5)
  },
)

it.each([[MISSED], [MISSED, 'e 2021-01-01 2021-12-31']])(
  'a view of decided calls (%#) ends at least three months in the future',
  (...calls) => {
    for (const asset of ['btc', 'mstr'] as const) {
      expect(opening(asset, ...calls).ends).toBeGreaterThanOrEqual(TODAY + 91)
      expect(opening(asset, ...calls).ends).toBeLessThan(addYears(TODAY, 3))
    }
  },
)

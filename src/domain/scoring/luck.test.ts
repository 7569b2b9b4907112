import { describe, expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { addDays, day, dayFromNumber } from '#domain/day.ts'
import { tradingDaysBetween } from '#domain/judging/calendar.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { atLeast, barsFrom, bottom, range, target, top } from '#tests/support/builders.ts'
import { randomBars } from '#tests/support/random-callers.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { isSeenOnce, luckOf, type Attempt, workedLuck, testLuck } from './luck.ts'
import { priceHistory } from './price-history.ts'
import { randomOf } from './replay.ts'

const MADE = day('2024-01-01')
const HISTORY = priceHistory('btc', [], MADE)

/** The luck of a call made at $100 for a year, by default at a volatility of 55% a year without drift. */
function luck(
  claim: Claim,
  direction: Direction,
  overrides: Partial<Attempt> = {},
  { sigma = 0.55, drift = 0 } = {},
): number {
  const window = { made: MADE, from: addDays(MADE, 1), through: addDays(MADE, 365) }
  const attempt = { claim, direction, usd: 100, ...window, seenOnce: false, ...overrides }
  return luckOf(HISTORY, attempt, { sigma, drift })
}

describe('the luck of a call', () => {
  const FALL = -(0.55 ** 2) / 2
  it.each<[string, Claim, Direction, number, number?]>([
    ['a target above', target(150), 'up', 0.461],
    ['a target above a falling price', target(150), 'up', 0.37036, FALL],
    ['a target below', target(50), 'down', 0.20757],
    ['a target below a falling price', target(50), 'down', 0.28696, FALL],
    ['a minimum above', atLeast(150), 'up', 0.461],
    ['a ceiling', top(150), 'never-above', 1 - 0.461],
    ['a floor', bottom(50), 'never-below', 1 - 0.20757],
    ['a range above, to its near edge', range(150, 400), 'up', 0.461],
    ['a range below, to its near edge', range(5, 50), 'down', 0.20757],
    ['a minimum that holds already, by the last close', atLeast(150), 'above', 0.2305],
    ['a floor at the end', bottom(50), 'above', 0.89621],
    ['a target below at the end', target(50), 'below', 1 - 0.89621],
    ['a target above at the end of a rise', target(150), 'above', 0.42397, 0.3],
  ])('of %s', (_, claim, direction, chance, drift) => {
    expect(luck(claim, direction, {}, { drift })).toBeCloseTo(chance, 5)
  })

  it('of a range that must hold has both edges farther away if it is seen once a day', () => {
    const quarter = { through: addDays(MADE, 91) }
    const stays = (claim: Claim, seenOnce = false) =>
      luck(claim, 'stays', { ...quarter, seenOnce }, { sigma: 0.6 })
    expect(stays(range(80, 125))).toBeCloseTo(0.13774, 3)
    const shift = Math.exp(0.5826 * 0.6 * Math.sqrt(1 / 365))
    expect(stays(range(80, 125), true)).toBeCloseTo(stays(range(80 / shift, 125 * shift)), 12)
  })

  it('of a range distinguishes entering it from ending in it', () => {
    const of = (direction: Direction) => luck(range(120, 130), direction, {}, { sigma: 0.6 })
    expect(of('up')).toBeCloseTo(0.76, 2)
    expect(of('inside')).toBeCloseTo(0.05, 2)
  })

  it('is less if the price is seen once a day, except at the end', () => {
    expect(luck(target(150), 'up', { seenOnce: true })).toBeCloseTo(0.44266, 5)
    const inside = (seenOnce: boolean) => luck(range(90, 110), 'inside', { seenOnce })
    expect(inside(true)).toBe(inside(false))
  })

  it('is less if the window starts later, and begins with the first day that counts', () => {
    const at = (days: number): number => luck(target(150), 'up', { from: addDays(MADE, days) })
    expect(at(1)).toBeCloseTo(0.461, 5)
    expect(at(2)).toBeCloseTo(at(1), 2)
    expect(at(180)).toBeLessThan(at(30))
    // A window of a single day.
    expect(at(365)).toBeGreaterThan(0.2305)
    expect(at(365)).toBeLessThan(0.27)
  })

  it('never calls anything certain', () => {
    expect(luck(target(1e9), 'up')).toBe(0.001)
    expect(luck(bottom(1), 'never-below', {}, { sigma: 0.2 })).toBe(0.999)
    expect(luck(top(100), 'never-above')).toBe(0.001)
  })
})

const full = (count: number): string[] => Array.from({ length: count }, () => '90..110>100')
const closes = (count: number): number[] => Array.from({ length: count }, () => 100)

it.each<[string, (string | number)[], number, boolean]>([
  ['most of its window has closes only', [...full(12), ...closes(3)], 10, true],
  ['most of its window has highs and lows', [...closes(10), ...full(3), ...closes(2)], 10, false],
  ['only the bar before its window is there, with a close only', [...full(9), 100], 10, true],
  ['only the bar before is there, with highs and lows', [...closes(9), ...full(1)], 10, false],
  ['there is no bar', [], 10, false],
])('a price is seen once a day or not when %s', (_, prices, from, seen) => {
  const history = priceHistory('btc', barsFrom('2024-01-01', prices), day('2100-01-01'))
  const [first, last] = [addDays(MADE, from), addDays(MADE, 100)]
  expect(isSeenOnce(history, 'touch', first, last)).toBe(seen)
  expect(isSeenOnce(history, 'close', first, last)).toBe(true)
})

it.each([
  [150, 0, false, 0.461],
  [150, -0.15125, false, 0.37036],
  [150, 0, true, 0.44266],
  [50, 0, false, 0.20757],
  // A falling price helps a call for a lower one.
  [50, -0.15125, false, 0.28696],
])(
  'luck step by step from 100 to %d with a drift of %d (seen once a day: %s)',
  (to, drift, seenOnce, chance) => {
    const motion = { sigma: 0.55, drift }
    const year = { days: 365, daysAYear: 365, seenOnce }
    const { luck, distance, shift } = workedLuck({ from: 100, to, motion, ...year })
    expect(luck).toBeCloseTo(chance, 4)
    expect(distance).toBeCloseTo(Math.abs(Math.log(to / 100)), 12)
    expect(shift > 0).toBe(seenOnce)
  },
)

it.each([
  [BARS, 150],
  [BARS, 80],
  [BARS.map((bar) => ({ ...bar, high: bar.close, low: bar.close })), 130],
])('luck step by step equals the luck in the scores', (bars, usd) => {
  const made = at(400)
  const found = scores([call({ usd, made, by: addDays(made, 90) })], { bars: { btc: bars } })
  const [scored] = found.people[0]?.calls ?? []
  if (!scored?.luck || !scored.motion || scored.usd === null) throw new Error('no luck')
  const { motion, seenOnce, window } = scored
  const days = tradingDaysBetween(ASSETS.btc.calendar, made, window.to)
  const steps = workedLuck({ from: scored.usd, to: usd, motion, days, daysAYear: 365, seenOnce })
  expect(steps.luck).toBeCloseTo(scored.luck, 10)
})

const DAYS = 4_000

describe("luck's own test", () => {
  const bars = randomBars(randomOf('luck-test'), DAYS)
  const histories = { btc: priceHistory('btc', bars, dayFromNumber(DAYS)) }

  it.each(['touch', 'close'] as const)('is passed by a price that follows luck, by %s', (mode) => {
    const { calls, rows, horizons } = testLuck(histories, mode)
    expect(calls).toBeGreaterThan(15_000)
    expect(rows).toHaveLength(10)
    expect(horizons.map(({ holds }) => holds)).toEqual([true, true, true, true, true])
  })

  it('is failed by a price that suddenly moves much more than before', () => {
    const wild = bars.map((bar, i) => {
      const times = i % 200 < 100 ? 1 : 4
      return { ...bar, close: bar.close * (i % 2 === 0 ? times : 1), high: null, low: null }
    })
    const { horizons } = testLuck({ btc: priceHistory('btc', wild, dayFromNumber(DAYS)) }, 'touch')
    expect(horizons.some(({ holds }) => !holds)).toBe(true)
  })

  it('is failed by a price that rises regardless of its past: more comes true than luck expects', () => {
    const close = (i: number) => 100 * 1.01 ** i * (i % 2 === 0 ? 1 : 0.999)
    const rising = bars.map((bar, i) => ({ ...bar, close: close(i), high: null, low: null }))
    const history = priceHistory('btc', rising, dayFromNumber(DAYS))
    const { horizons } = testLuck({ btc: history }, 'close')
    const failed = horizons.filter(({ holds }) => !holds)
    expect(failed.some(({ expected, happened }) => happened > expected)).toBe(true)
  })

  it('has no call without history, and then passes nowhere', () => {
    const { calls, rows, horizons } = testLuck({}, 'touch')
    expect({ calls, rows }).toEqual({ calls: 0, rows: [] })
    expect(horizons.every(({ holds, expected }) => !holds && expected === 0)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { makeClaim, type Claim, type ClaimType } from '#domain/claim/claim.ts'
import { addDays, day } from '#domain/day.ts'
import { tradingDaysBetween } from '#domain/judging/calendar.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { barsFrom } from '#tests/support/builders.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { isSeenOnce, luckOf, type Attempt, workedLuck } from './luck.ts'
import { priceHistory } from './price-history.ts'

const MADE = day('2024-01-01')
const HISTORY = priceHistory('btc', [], MADE)

function luck(
  claim: Claim,
  direction: Direction,
  usd: number,
  sigma: number,
  overrides: Partial<Attempt> = {},
  drift = 0,
): number {
  const window = { made: MADE, from: addDays(MADE, 1), through: addDays(MADE, 365) }
  const attempt = { claim, direction, usd, ...window, seenOnce: false, ...overrides }
  return luckOf(HISTORY, attempt, { sigma, drift })
}

const one = (type: ClaimType, usd: number): Claim => makeClaim(type, { min: usd, max: usd })

describe('the luck of a call', () => {
  it.each<[string, Claim, Direction, number]>([
    ['a target above', one('target', 150), 'up', 0.461],
    ['a target below', one('target', 50), 'down', 0.20757],
    ['a minimum above', one('by-date', 150), 'up', 0.461],
    ['a ceiling', one('top', 150), 'never-above', 1 - 0.461],
    ['a floor', one('bottom', 50), 'never-below', 1 - 0.20757],
    ['a range above, to its near edge', makeClaim('range', { min: 150, max: 400 }), 'up', 0.461],
    ['a range below, to its near edge', makeClaim('range', { min: 5, max: 50 }), 'down', 0.20757],
    ['a minimum that holds already, by the last close', one('by-date', 150), 'above', 0.2305],
    ['a floor at the end', one('bottom', 50), 'above', 0.89621],
    ['a target below at the end', one('target', 50), 'below', 1 - 0.89621],
  ])('of %s', (_, claim, direction, chance) => {
    expect(luck(claim, direction, 100, 0.55)).toBeCloseTo(chance, 5)
  })

  it('at the end follows the drift', () => {
    expect(luck(one('target', 150), 'above', 100, 0.55, {}, 0.3)).toBeCloseTo(0.42397, 5)
  })

  it('of a range that must hold has both edges farther away if it is seen once a day', () => {
    const range = makeClaim('range', { min: 80, max: 125 })
    const quarter = { through: addDays(MADE, 91) }
    expect(luck(range, 'stays', 100, 0.6, quarter)).toBeCloseTo(0.13774, 3)
    const shift = Math.exp(0.5826 * 0.6 * Math.sqrt(1 / 365))
    const wider = makeClaim('range', { min: 80 / shift, max: 125 * shift })
    const once = luck(range, 'stays', 100, 0.6, { ...quarter, seenOnce: true })
    expect(once).toBeCloseTo(luck(wider, 'stays', 100, 0.6, quarter), 12)
  })

  it('of a range distinguishes entering it from ending in it', () => {
    const range = makeClaim('range', { min: 60_000, max: 65_000 })
    expect(luck(range, 'up', 50_000, 0.6)).toBeCloseTo(0.76, 2)
    expect(luck(range, 'inside', 50_000, 0.6)).toBeCloseTo(0.05, 2)
  })

  it('increases with the drift upwards, and decreases downwards', () => {
    const [up, down] = [one('target', 150), one('target', 50)]
    const fall = -(0.55 ** 2) / 2
    expect(luck(up, 'up', 100, 0.55, {}, fall)).toBeCloseTo(0.37036, 5)
    expect(luck(down, 'down', 100, 0.55, {}, fall)).toBeCloseTo(0.28696, 5)
  })

  it('is less if the price is seen once a day', () => {
    expect(luck(one('target', 150), 'up', 100, 0.55, { seenOnce: true })).toBeCloseTo(0.44266, 5)
    const range = makeClaim('range', { min: 90, max: 110 })
    const once = luck(range, 'inside', 100, 0.55, { seenOnce: true })
    expect(once).toBe(luck(range, 'inside', 100, 0.55))
  })

  it('is less if the window starts later, and begins with the first day that counts', () => {
    const claim = one('target', 150)
    const at = (days: number): number => luck(claim, 'up', 100, 0.55, { from: addDays(MADE, days) })
    expect(at(1)).toBeCloseTo(0.461, 5)
    expect(at(2)).toBeCloseTo(at(1), 2)
    expect(at(180)).toBeLessThan(at(30))
    // A window of a single day.
    expect(at(365)).toBeGreaterThan(0.2305)
    expect(at(365)).toBeLessThan(0.27)
  })

  it('never calls anything certain', () => {
    expect(luck(one('target', 1e9), 'up', 100, 0.55)).toBe(0.001)
    expect(luck(one('bottom', 1), 'never-below', 100, 0.2)).toBe(0.999)
    expect(luck(one('top', 100), 'never-above', 100, 0.55)).toBe(0.001)
  })
})

describe('a price is seen once a day', () => {
  const full = (count: number): string[] => Array.from({ length: count }, () => '90..110>100')
  const closes = (count: number): number[] => Array.from({ length: count }, () => 100)

  it.each<[string, (string | number)[], number, boolean]>([
    ['most of its window has closes only', [...full(10), ...full(2), ...closes(3)], 10, true],
    ['most of its window has highs and lows', [...closes(10), ...full(3), ...closes(2)], 10, false],
    ['only the bar before its window is there, with a close only', [...full(9), 100], 10, true],
    ['only the bar before is there, with highs and lows', [...closes(9), ...full(1)], 10, false],
    ['there is no bar', [], 10, false],
  ])('when %s', (_, prices, from, seen) => {
    const begin = day('2024-01-01')
    const history = priceHistory('btc', barsFrom('2024-01-01', prices), day('2100-01-01'))
    const [first, last] = [addDays(begin, from), addDays(begin, 100)]
    expect(isSeenOnce(history, 'touch', first, last)).toBe(seen)
    expect(isSeenOnce(history, 'close', first, last)).toBe(true)
  })
})

const YEAR = { days: 365, daysAYear: 365, seenOnce: false }

describe('luck, step by step', () => {
  it.each([
    [150, 0, false, 0.461],
    [150, -0.15125, false, 0.37036],
    [150, 0, true, 0.44266],
    [50, 0, false, 0.20757],
    // A falling price helps a call for a lower one.
    [50, -0.15125, false, 0.28696],
  ])('from 100 to %d with a drift of %d (seen once a day: %s)', (to, drift, seenOnce, chance) => {
    const motion = { sigma: 0.55, drift }
    const { luck, distance, shift } = workedLuck({ from: 100, to, motion, ...YEAR, seenOnce })
    expect(luck).toBeCloseTo(chance, 4)
    expect(distance).toBeCloseTo(Math.abs(Math.log(to / 100)), 12)
    expect(shift > 0).toBe(seenOnce)
  })

  it.each([
    [BARS, 150],
    [BARS, 80],
    [BARS.map((bar) => ({ ...bar, high: bar.close, low: bar.close })), 130],
  ])('equals the luck in the scores', (bars, usd) => {
    const made = at(400)
    const found = scores([call({ usd, made, by: addDays(made, 90) })], { bars: { btc: bars } })
    const [scored] = found.people[0]?.calls ?? []
    if (!scored?.luck || !scored.motion || scored.usd === null) throw new Error('no luck')
    const { motion, seenOnce, window } = scored
    const days = tradingDaysBetween(ASSETS.btc.calendar, made, window.to)
    const steps = workedLuck({ from: scored.usd, to: usd, motion, days, daysAYear: 365, seenOnce })
    expect(steps.luck).toBeCloseTo(scored.luck, 10)
  })
})

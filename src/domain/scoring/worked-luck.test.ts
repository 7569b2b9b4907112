import { addDays } from '#domain/day.ts'
import { ASSETS } from '#domain/asset.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { describe, expect, it } from 'vitest'
import { tradingDaysBetween } from '#domain/judging/calendar.ts'
import { workedLuck } from './worked-luck.ts'

const YEAR = { days: 365, daysAYear: 365, seenOnce: false }

describe('luck, step by step', () => {
  it.each([
    [150, 0, false, 0.461],
    [150, -0.15125, false, 0.37036],
    [150, 0, true, 0.44266],
    [50, 0, false, 0.20757],
    // Down, a falling price helps.
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
  ])('is the luck that the scores have', (bars, usd) => {
    const made = at(400)
    const found = scores([call({ usd, made, by: addDays(made, 90) })], { bars: { btc: bars } })
    const [scored] = found.people[0]?.calls ?? []
    if (!scored?.luck || !scored.motion || scored.usd === null) throw new Error('no luck')
    const { motion, seenOnce, window } = scored
    const steps = workedLuck({
      from: scored.usd,
      to: usd,
      motion,
      days: tradingDaysBetween(ASSETS.btc.calendar, made, window.to),
      daysAYear: 365,
      seenOnce,
    })
    expect(steps.luck).toBeCloseTo(scored.luck, 10)
  })
})

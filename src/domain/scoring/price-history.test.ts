import { describe, expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { addDays, day } from '#domain/day.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { bar, barsFrom } from '#tests/support/builders.ts'
import { closesBy } from '#tests/support/charts.ts'
import { motionAt, positionAt, priceHistory, yearsBetween } from './price-history.ts'

/** Closes whose logarithm goes up and down by turns, and grows by `growth` a day. */
function zigzag(count: number, step: number, growth = 0): number[] {
  return Array.from({ length: count }, (_, i) => 100 * Math.exp(growth * i + (i % 2) * step))
}

const LATE = day('2100-01-01')

function btcMotion(closes: readonly number[], at = closes.length - 1) {
  const history = priceHistory('btc', barsFrom('2015-01-01', closes), LATE)
  return motionAt({ btc: history }, history, at)
}

describe('volatility and drift', () => {
  it('are not known from fewer than 90 returns', () => {
    expect(btcMotion(zigzag(90, 0.02))).toBeNull()
    expect(btcMotion(zigzag(91, 0.02))).not.toBeNull()
  })

  it('count the last 365 returns with a mean of zero', () => {
    expect(btcMotion(zigzag(200, 0.02))?.sigma).toBeCloseTo(0.02 * Math.sqrt(365), 12)
    const calmed = [...zigzag(401, 0.08), ...zigzag(800, 0.02).slice(401)]
    expect(btcMotion(calmed)?.sigma).toBeCloseTo(0.02 * Math.sqrt(365), 12)
  })

  it('take half of the growth of up to four years, none before two, and at most 1', () => {
    const daily = 0.4 / 365
    expect(btcMotion(zigzag(730, 0, daily))?.drift).toBe(0)
    expect(btcMotion(zigzag(731, 0, daily))?.drift).toBeCloseTo(0.2, 9)
    expect(btcMotion(zigzag(3_001, 0, daily))?.drift).toBeCloseTo(0.2, 9)
    expect(btcMotion(zigzag(1_500, 0, 3 / 365))?.drift).toBe(1)
    expect(btcMotion(zigzag(1_500, 0, -3 / 365))?.drift).toBe(-1)
  })

  it('ignore later days, unfinished days, and the order of bars', () => {
    const closes = zigzag(600, 0.03, 0.001)
    const bars = barsFrom('2015-01-01', closes)
    const asOf = addDays(day('2015-01-01'), 400)
    const cut = priceHistory('btc', bars.toReversed(), asOf)
    expect(cut.series.finalThrough).toBe(asOf)
    expect(motionAt({}, cut, 400)).toEqual(btcMotion(closes, 400))
    const unfinished = { ...bar(addDays(asOf, -100), 500), moving: true as const }
    const moving = priceHistory('btc', [...bars.slice(0, 300), unfinished], LATE)
    expect(moving.series.finalThrough).toBe(addDays(asOf, -101))
  })

  it('are computed once for each bar of the same histories, even if unknown', () => {
    const history = priceHistory('btc', barsFrom('2015-01-01', zigzag(200, 0.02)), LATE)
    const other = priceHistory('btc', barsFrom('2015-01-01', zigzag(200, 0.05)), LATE)
    const [one, two] = [{ btc: history }, { btc: other }]
    const found = motionAt(one, history, 150)
    expect(motionAt(one, history, 150)).toBe(found)
    expect(motionAt(one, history, 160)).not.toBe(found)
    expect(motionAt(two, other, 150)?.sigma).toBeGreaterThan(2 * (found?.sigma ?? Infinity))
    expect([motionAt(one, history, 10), motionAt(one, history, 10)]).toEqual([null, null])
  })

  it('count years in days for Bitcoin and in sessions for stocks', () => {
    const [btc, mstr] = [priceHistory('btc', [], LATE), priceHistory('mstr', [], LATE)]
    expect(yearsBetween(btc, day('2023-12-31'), day('2024-12-30'))).toBe(1)
    // 2024 had 252 sessions.
    expect(yearsBetween(mstr, day('2023-12-31'), day('2024-12-31'))).toBe(1)
    expect(yearsBetween(mstr, day('2024-12-31'), day('2024-12-31'))).toBe(0)
  })
})

describe('an asset that began to track another one', () => {
  const follows = ASSETS.mstr.follows
  const begin = day('2019-01-02')

  /** MSTR moves by 1% and Bitcoin by 4% a session, until the break; then MSTR moves `strength` times as Bitcoin. */
  function histories(strength: number) {
    const days = Array.from({ length: 1_450 }, (_, i) => addDays(begin, i))
    const sessions = days.filter((at) => isTradingDay('new-york', at))
    let log = 0
    const mstr = sessions.map((at, i) => {
      const sign = i % 2 === 0 ? 1 : -1
      log += sign * (follows && at > follows.from ? 0.04 * strength : 0.01)
      return bar(at, 100 * Math.exp(log))
    })
    let btcLog = 0
    const btc = closesBy('2019-01-02', sessions.at(-1)! - begin + 1, (i) => {
      const index = sessions.indexOf(addDays(begin, i))
      btcLog += 0.001
      if (index >= 0) btcLog += index % 2 === 0 ? 0.04 : -0.04
      return 1_000 * Math.exp(btcLog)
    })
    return { mstr: priceHistory('mstr', mstr, LATE), btc: priceHistory('btc', btc, LATE) }
  }

  function motionsOn(at: string, strength = 2) {
    const both = histories(strength)
    const on = (asset: 'btc' | 'mstr') =>
      motionAt(both, both[asset], positionAt(both[asset], day(at))) ?? { sigma: NaN, drift: NaN }
    return { btc: on('btc'), mstr: on('mstr') }
  }

  it('moves by itself before that day, and again after a year of its own', () => {
    expect(motionsOn('2020-08-10').mstr.sigma).toBeCloseTo(0.01 * Math.sqrt(252), 6)
    expect(motionsOn('2021-08-12', 0.5).mstr.sigma).toBeCloseTo(0.02 * Math.sqrt(252), 6)
  })

  it('moves at least as much as the other one in between', () => {
    const { btc, mstr } = motionsOn('2020-08-12')
    expect(mstr.sigma).toBeCloseTo(btc.sigma, 6)
    const weaker = motionsOn('2021-02-10', 0.5)
    expect(weaker.mstr.sigma).toBeCloseTo(weaker.btc.sigma, 6)
  })

  it('drifts with the other one in proportion to its motion, up to 2.5 times', () => {
    // On half of the sessions twice as much, on the others a quarter: about 1.1 times.
    const { btc, mstr } = motionsOn('2021-02-10', 2)
    expect(btc.drift).toBeGreaterThan(0.1)
    expect(mstr.drift / btc.drift).toBeGreaterThan(1.05)
    expect(mstr.drift / btc.drift).toBeLessThan(1.2)
    const strong = motionsOn('2021-06-10', 8)
    expect(strong.mstr.drift).toBeCloseTo(2.5 * strong.btc.drift, 9)
  })

  it('moves by itself if the other one is unknown', () => {
    const { mstr } = histories(2)
    const at = positionAt(mstr, day('2020-08-12'))
    expect(motionAt({ mstr }, mstr, at)?.sigma).toBeLessThan(0.2)
  })
})

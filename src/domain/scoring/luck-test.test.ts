import { describe, expect, it } from 'vitest'
import { dayFromNumber } from '#domain/day.ts'
import { randomBars } from '#tests/support/random-callers.ts'
import { testLuck } from './luck.ts'
import { priceHistory } from './price-history.ts'
import { randomOf } from './replay.ts'

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
    expect(horizons.some(({ holds, expected, happened }) => !holds && happened > expected)).toBe(
      true,
    )
  })

  it('has no call without history, and then passes nowhere', () => {
    const { calls, rows, horizons } = testLuck({}, 'touch')
    expect({ calls, rows }).toEqual({ calls: 0, rows: [] })
    expect(horizons.every(({ holds, expected }) => !holds && expected === 0)).toBe(true)
  })
})

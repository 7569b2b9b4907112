import { addDays, dayFromNumber, partsOf } from '#domain/day.ts'
import { randomBars, randomCalls } from '#tests/support/random-callers.ts'
import { describe, expect, it } from 'vitest'
import { scoreCalls } from './person-score.ts'
import { priceHistory, type PriceHistories } from './price-history.ts'
import { randomOf } from './random.ts'
import { type ScoredCall } from './scored-call.ts'
import { yearScores } from './year-scores.ts'

const DAYS = 2_000
const AS_OF = dayFromNumber(DAYS - 1)
const bars = randomBars(randomOf('years'), DAYS)
const histories: PriceHistories = { btc: priceHistory('btc', bars, AS_OF) }
const said = randomCalls(randomOf('calls of years'), bars, {
  asOf: AS_OF,
  callers: 1,
  each: 400,
  since: dayFromNumber(800),
})
const calls = scoreCalls(histories, said, 'touch', AS_OF).map((call) => ({
  ...call,
  repeats: null,
}))
const decided = calls.filter((call) => call.timeIsUp && call.luck)

/** A call that is decided, neither easy nor very bold. */
function one(): ScoredCall {
  const found = decided.find(
    ({ luck, direction }) => direction === 'up' && luck && luck > 0.2 && luck < 0.4,
  )
  if (!found) throw new Error('no such call')
  return found
}

describe('scores of years', () => {
  it('count the decided calls of each year in which they were due', () => {
    const years = yearScores(histories, calls, 0, 'x')
    const numbers = years.map(({ year }) => year)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a))
    expect(numbers.length).toBeGreaterThan(2)
    for (const { asset, year, ...row } of years) {
      const due = decided.filter(({ window }) => partsOf(window.to).year === year)
      expect(asset).toBe('btc')
      expect(row).toMatchObject({
        calls: due.length,
        hits: due.filter(({ outcome }) => outcome === 'hit').length,
        replayed: null,
      })
      expect(row.expected).toBeCloseTo(
        due.reduce((total, { luck }) => total + (luck ?? 0), 0),
        9,
      )
    }
  })

  it('let calls about one price come true together: luck does as well as often as with one of them', () => {
    const call = { ...one(), outcome: 'hit' as const, observed: 1 as const }
    const five = Array.from({ length: 5 }, () => call)
    const [year] = yearScores(histories, five, 1_000, 'x')
    const chance = call.luck ?? 0
    expect(year).toMatchObject({ calls: 5, hits: 5 })
    expect(Math.abs((year?.replayed ?? 0) - chance)).toBeLessThan(0.08)
    const [missed] = yearScores(
      histories,
      five.map((hit) => ({ ...hit, outcome: 'miss' as const, observed: 0 as const })),
      1_000,
      'x',
    )
    expect(missed?.replayed).toBe(1)
  })

  it('have no chance below five calls, nor where there is too little history to draw from', () => {
    const of = (length: number) => Array.from({ length }, one)
    expect(yearScores(histories, of(4), 10, 'x')[0]?.replayed).toBeNull()
    expect(yearScores(histories, of(5), 10, 'x')[0]?.replayed).not.toBeNull()
    const short = { ...histories, mstr: priceHistory('mstr', bars.slice(0, 300), AS_OF) }
    const calledBoth = [...of(5), ...of(5).map((call) => ({ ...call, asset: 'mstr' as const }))]
    const both = yearScores(short, calledBoth, 10, 'x')
    expect(both.map(({ asset, replayed }) => [asset, replayed === null])).toEqual([
      ['btc', false],
      ['mstr', true],
    ])
  })

  it('leave out open calls, those without luck or that repeat another one, and other years', () => {
    const call = one()
    const later = { ...call.window, to: addDays(call.window.to, 366) }
    const years = yearScores(
      histories,
      [
        call,
        { ...call, timeIsUp: false },
        { ...call, luck: null },
        { ...call, repeats: 'first' },
        { ...call, window: later },
      ],
      0,
      'x',
    )
    expect(years.map((year) => year.calls)).toEqual([1, 1])
  })
})

import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { barsFrom } from '#tests/support/builders.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { yearConsensus, tallyFinding, callYears, tallyOf, type StatedCall } from './stated-calls.ts'
import { closeAt, deadlineError } from './year-card.ts'

function call(made: string, overrides: Partial<StatedCall> = {}): StatedCall {
  return {
    id: made,
    slug: 'a',
    name: 'Expert A',
    made: day(made),
    due: day('2022-12-31'),
    from: 100,
    level: 400,
    outcome: 'miss',
    isDecided: true,
    isRepeat: false,
    error: 1.42,
    ...overrides,
  }
}
const OPEN = { outcome: 'pending', isDecided: false, error: null } as const
const HIT = { outcome: 'hit', error: 0 } as const

const LOW = call('2020-01-01', { error: -0.3 })

const calls = [
  call('2021-01-01'),
  call('2021-06-01', { error: 0.2 }),
  call('2021-12-31', HIT),
  call('2022-01-01', OPEN),
  call('2021-07-01', { ...HIT, isRepeat: true }),
  // Came true early: it counts from its deadline.
  call('2022-02-01', { ...HIT, isDecided: false, error: null }),
]

it('calls are counted in the year they were made in, and compared once they end', () => {
  expect(callYears(calls)).toEqual([2021, 2022])
  expect(tallyOf(calls, 2021)).toEqual({ year: 2021, calls: 3, decided: 3, hits: 1, error: 0.2 })
  expect(tallyOf(calls, 2022)).toEqual({ year: 2022, calls: 2, decided: 0, hits: 0, error: null })
  expect(tallyOf(calls, null)).toMatchObject({ calls: 5, decided: 3, hits: 1 })
  expect(tallyOf(calls, 2019)).toMatchObject({ calls: 0, decided: 0 })
})

const ALL = { n: 2, hits: 1, expected: 0.6 }
const DECIDED = '3 Bitcoin calls made in 2021 are decided. 1 came true.'
const COMPARED = '2 of 3 decided Bitcoin calls can be compared with luck. 1 came true.'
const ONE = '1 Bitcoin call made in 2020 is decided.'
const RIGHT = 'It was on the right side of the price at its deadline.'
it.each([
  [calls, 2021, null, `${DECIDED} The middle one was 20% too high at its deadline.`],
  [calls, null, ALL, `${COMPARED} Luck expects 1.`],
  [calls, 2022, null, '2 Bitcoin calls made in 2022, all still open.'],
  [[], null, null, 'No Bitcoin call is on record.'],
  [[call('2020-01-01', HIT)], 2020, null, `${ONE} 1 came true. ${RIGHT}`],
  [[LOW], 2020, null, `${ONE} None came true. It was 30% too low at its deadline.`],
])('the finding of calls %# in %s against luck %j is: %s', (stated, year, luck, text) => {
  expect(tallyFinding('btc', tallyOf(stated, year), luck)).toBe(text)
})

it('the consensus of a year is its middle, by ratio for prices, and needs four calls', () => {
  const four = [
    call('2021-01-01', { from: 10, level: 100 }),
    call('2021-01-03', { from: 10, level: 1_000 }),
    call('2021-01-05', { from: 1_000, level: 10_000 }),
    call('2021-01-07', { from: 1_000, level: 100_000_000 }),
  ]
  const middle = yearConsensus(four)[0]!
  expect(middle).toMatchObject({ year: 2021, made: day('2021-01-04'), due: day('2022-12-31') })
  expect(middle.from).toBeCloseTo(100, 6)
  expect(middle.level).toBeCloseTo(Math.sqrt(1_000 * 10_000), 3)
  expect(yearConsensus(four.slice(1))).toEqual([])
})

it('a call was as far off at its deadline as stored', () =>
  storedCases('stated-calls', {
    'direction, level or range, and the close': (direction, levels, close, minimum?: string) => {
      const [min = NaN, max = min] = levels.split(' ').map(Number)
      const place = { direction: direction as Direction, level: { min, max } }
      const error = deadlineError({ ...place, isMinimum: minimum !== undefined }, Number(close))
      return Number(error.toFixed(12))
    },
  }))

it('the close at a deadline is the last one up to it, even if it does not trade on that day', () => {
  const series = seriesOf('new-york', barsFrom('2024-05-02', [10, 12]))
  expect(closeAt(series, day('2024-05-01'))).toBeNull()
  expect(closeAt(series, day('2024-05-02'))).toBe(10)
  expect(closeAt(series, day('2024-05-05'))).toBe(12)
})

import { day } from '#domain/day.ts'
import { describe, expect, it } from 'vitest'
import { saidConsensus, saidFinding, saidYears, tallyOf, type SaidCall } from './said-calls.ts'

function call(made: string, given: Partial<SaidCall> = {}): SaidCall {
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
    ...given,
  }
}
const OPEN = { outcome: 'pending', isDecided: false, error: null } as const
const HIT = { outcome: 'hit', error: 0 } as const

describe('calls by the year they were made in', () => {
  const calls = [
    call('2021-01-01'),
    call('2021-06-01', { error: 0.2 }),
    call('2021-12-31', HIT),
    call('2022-01-01', OPEN),
    call('2021-07-01', { ...HIT, isRepeat: true }),
    // Came true early: it counts from its deadline.
    call('2022-02-01', { ...HIT, isDecided: false, error: null }),
  ]

  it('calls are counted in the year they were made in, and compared once their time is up', () => {
    expect(saidYears(calls)).toEqual([2021, 2022])
    expect(tallyOf(calls, 2021)).toEqual({ year: 2021, calls: 3, decided: 3, hits: 1, error: 0.2 })
    expect(tallyOf(calls, 2022)).toEqual({ year: 2022, calls: 2, decided: 0, hits: 0, error: null })
    expect(tallyOf(calls, null)).toMatchObject({ calls: 5, decided: 3, hits: 1 })
    expect(tallyOf(calls, 2019)).toMatchObject({ calls: 0, decided: 0 })
  })

  it.each([
    [
      'a year',
      saidFinding('btc', tallyOf(calls, 2021), null),
      '3 Bitcoin calls made in 2021 are decided. 1 came true. The middle one was 20 % too high at its deadline.',
    ],
    [
      'all years, against luck',
      saidFinding('btc', tallyOf(calls, null), { n: 2, hits: 1, expected: 0.6 }),
      '2 Bitcoin calls are decided. 1 came true. Luck expects 1.',
    ],
    [
      'open calls only',
      saidFinding('btc', tallyOf(calls, 2022), null),
      '2 Bitcoin calls made in 2022, all still open.',
    ],
    ['no calls', saidFinding('mstr', tallyOf([], null), null), 'No Strategy call is on record.'],
    [
      'one call that was right',
      saidFinding('btc', tallyOf([call('2020-01-01', HIT)], 2020), null),
      '1 Bitcoin call made in 2020 is decided. 1 came true. It was on the right side of the price at its deadline.',
    ],
    [
      'one call that was wrong',
      saidFinding('btc', tallyOf([call('2020-01-01', { error: -0.3 })], 2020), null),
      '1 Bitcoin call made in 2020 is decided. None came true. It was 30 % too low at its deadline.',
    ],
  ])('the finding of %s', (_of, actual, expected) => {
    expect(actual).toBe(expected)
  })

  it('the consensus of a year is its middle, by ratio for prices, and needs four calls', () => {
    const four = [
      call('2021-01-01', { from: 10, level: 100 }),
      call('2021-01-03', { from: 10, level: 1_000 }),
      call('2021-01-05', { from: 1_000, level: 10_000 }),
      call('2021-01-07', { from: 1_000, level: 100_000_000 }),
    ]
    const [middle] = saidConsensus(four)
    expect(middle).toMatchObject({ year: 2021, made: day('2021-01-04'), due: day('2022-12-31') })
    expect(middle?.from).toBeCloseTo(100, 6)
    expect(middle?.level).toBeCloseTo(Math.sqrt(1_000 * 10_000), 3)
    expect(saidConsensus(four.slice(1))).toEqual([])
  })
})

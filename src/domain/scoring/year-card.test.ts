import { day } from '#domain/day.ts'
import { describe, expect, it } from 'vitest'
import { tallyByYear, yearCard, type YearCall } from './year-card.ts'

const KNOWN = { calendar: 'every-day', through: day('2025-06-30') } as const

/** A call for $100 that was due at the end of 2024 and missed: luck said 25 %, and the price was at half its level. */
function call(
  id: string,
  given: Partial<YearCall> & { due?: string; chance?: number } = {},
): YearCall {
  const { due = '2024-12-31', chance = 0.25, ...rest } = given
  return {
    id,
    slug: id,
    direction: 'up',
    isMinimum: false,
    level: { min: 100, max: 100 },
    deadline: day(due),
    outcome: 'miss',
    luck: chance,
    timeIsUp: true,
    repeats: null,
    error: 1,
    ...rest,
  }
}

const HIT = { outcome: 'hit', error: 0 } as const
const OPEN = { outcome: 'pending', timeIsUp: false, error: null } as const

describe('the card of a year', () => {
  it('a call belongs to the year of its deadline, and counts once its time is up', () => {
    const calls = [
      call('a'),
      call('b', { ...HIT, chance: 0.5 }),
      call('c', { due: '2025-01-01' }),
      call('d', { ...OPEN, due: '2025-07-01' }),
      call('early', { ...HIT, timeIsUp: false, due: '2025-12-31' }),
      call('void', { outcome: 'void', timeIsUp: false, luck: null, due: '2025-12-31' }),
      call('no-prices', { outcome: 'pending', timeIsUp: false, due: '2025-06-30' }),
      call('no-luck', { luck: null, due: '2025-02-01' }),
    ]
    expect(tallyByYear(calls, KNOWN)).toEqual([
      { year: 2025, due: 6, n: 1, hits: 0, expected: 0.25, open: 2 },
      { year: 2024, due: 2, n: 2, hits: 1, expected: 0.75, open: 0 },
    ])
    const card = yearCard(2025, calls, KNOWN)
    expect(card.tally).toEqual(tallyByYear(calls, KNOWN)[0])
    expect(card.decided.map(({ id }) => id)).toEqual(['c'])
    expect(card.open.map(({ id }) => id)).toEqual(['d', 'early'])
  })

  it('a stock whose deadline is a Sunday is not open once its last session before it has ended', () => {
    const calls = [call('sunday', { ...OPEN, due: '2025-06-29' })]
    const friday = { calendar: 'new-york', through: day('2025-06-27') } as const
    expect(tallyByYear(calls, friday)[0]?.open).toBe(0)
    expect(tallyByYear(calls, { ...friday, through: day('2025-06-26') })[0]?.open).toBe(1)
  })

  it('without prices every call of the year is open, but those that do not count', () => {
    const calls = [call('a', OPEN), call('b', { ...OPEN, outcome: 'void' })]
    expect(tallyByYear(calls, { ...KNOWN, through: null })).toEqual([
      { year: 2024, due: 2, n: 0, hits: 0, expected: 0, open: 1 },
    ])
  })

  it('the boldest hit is the one that luck expected least, the calls are in the same order', () => {
    const calls = [
      call('easy', { ...HIT, chance: 0.8 }),
      call('bold', { ...HIT, chance: 0.1 }),
      call('bolder-miss', { chance: 0.05 }),
      call('early', { ...HIT, timeIsUp: false, chance: 0.01 }),
    ]
    const card = yearCard(2024, calls, KNOWN)
    expect(card.boldest?.id).toBe('bold')
    expect(card.decided.map(({ id }) => id)).toEqual(['bolder-miss', 'bold', 'easy'])
  })

  it.each<[string, string | null, readonly YearCall[]]>([
    ['of no miss', null, [call('hit', HIT)]],
    ['is the level farthest from the price', 'far', [call('near'), call('far', { error: 2 })]],
    [
      'is found below the price as well, by the ratio',
      'low',
      [call('high', { error: 3 }), call('low', { error: -0.8 })],
    ],
    [
      'is a level above the price where it is farther',
      'high',
      [call('high', { error: 4.1 }), call('low', { error: -0.8 })],
    ],
    ['of a level of zero', 'zero', [call('high', { error: 99 }), call('zero', { error: -1 })]],
    [
      'of equal ones is the one that was due first',
      'first',
      [call('second'), call('first', { due: '2024-12-30' })],
    ],
    ['leaves out a level that the price was back at', null, [call('broken', { error: 0 })]],
    [
      'leaves out hits, which may be far from the price by the deadline',
      'miss',
      [call('hit', { ...HIT, error: 5 }), call('miss', { error: 0.1 })],
    ],
    ['leaves out calls without a known price', null, [call('unknown', { error: null })]],
  ])('the widest miss %s', (_, expected, calls) => {
    expect(yearCard(2024, calls, KNOWN).widest?.id ?? null).toBe(expected)
  })

  it('a consensus counts calls whose time is up, of this year', () => {
    const calls = [call('a'), call('b'), call('c', OPEN), call('d', { due: '2025-01-01' })]
    expect(yearCard(2024, calls, KNOWN).consensus).toBeNull()
    expect(yearCard(2024, [...calls, call('e')], KNOWN).consensus?.people).toBe(3)
  })
})

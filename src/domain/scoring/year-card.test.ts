import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { at, call as madeCall, scores } from '#tests/support/scores.ts'
import { randomOf } from './replay.ts'
import {
  yearCard,
  type YearCall,
  bestAndWorst,
  recordByYear,
  loudestConsensus,
  type SharedCall,
  cameTrue,
  consensusLevel,
  errorText,
  peopleAndCalls,
  yearFinding,
  yearRest,
} from './year-card.ts'

const KNOWN = { calendar: 'every-day', through: day('2025-06-30') } as const

/** A missed call for $100 due at the end of 2024: luck said 25%, and the price was at half its level. */
function call(
  id: string,
  overrides: Partial<YearCall> & { due?: string; chance?: number } = {},
): YearCall {
  const { due = '2024-12-31', chance = 0.25, ...rest } = overrides
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
  it('a call belongs to the year of its deadline, and counts once it has ended', () => {
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
    expect([2025, 2024].map((year) => yearCard(year, calls, KNOWN).tally)).toEqual([
      { year: 2025, due: 6, n: 1, hits: 0, expected: 0.25, open: 2 },
      { year: 2024, due: 2, n: 2, hits: 1, expected: 0.75, open: 0 },
    ])
    const card = yearCard(2025, calls, KNOWN)
    expect(card.decided.map(({ id }) => id)).toEqual(['c'])
    expect(card.open.map(({ id }) => id)).toEqual(['d', 'early'])
  })

  it('a stock with a Sunday deadline is not open after its last session has ended', () => {
    const calls = [call('sunday', { ...OPEN, due: '2025-06-29' })]
    const friday = { calendar: 'new-york', through: day('2025-06-27') } as const
    expect(yearCard(2025, calls, friday).tally.open).toBe(0)
    const thursday = { ...friday, through: day('2025-06-26') }
    expect(yearCard(2025, calls, thursday).tally.open).toBe(1)
  })

  it('without prices every call of the year is open, except those that do not count', () => {
    const calls = [call('a', OPEN), call('b', { ...OPEN, outcome: 'void' })]
    const { tally } = yearCard(2024, calls, { ...KNOWN, through: null })
    expect(tally).toEqual({ year: 2024, due: 2, n: 0, hits: 0, expected: 0, open: 1 })
  })

  it('the boldest hit is the least expected one, and calls are sorted the same way', () => {
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

  const LOW = call('low', { error: -0.8 })
  it.each<[string, string | null, readonly YearCall[]]>([
    ['does not exist without a miss', null, [call('hit', HIT)]],
    ['is the level farthest from the price', 'far', [call('near'), call('far', { error: 2 })]],
    ['may be below it, compared by ratio', 'low', [call('high', { error: 3 }), LOW]],
    ['is above it if that is farther', 'high', [call('high', { error: 4.1 }), LOW]],
    ['may be a level of zero', 'zero', [call('high', { error: 99 }), call('zero', { error: -1 })]],
    ['is the first due of equal ones', 'a', [call('b'), call('a', { due: '2024-12-30' })]],
    ['leaves out a level that the price returned to', null, [call('broken', { error: 0 })]],
    ['leaves out hits', 'miss', [call('hit', { ...HIT, error: 5 }), call('miss', { error: 0.1 })]],
    ['leaves out calls without a known price', null, [call('unknown', { error: null })]],
  ])('the widest miss %s', (_, expected, calls) => {
    expect(yearCard(2024, calls, KNOWN).widest?.id ?? null).toBe(expected)
  })

  it('a consensus counts ended calls of this year', () => {
    const calls = [call('a'), call('b'), call('c', OPEN), call('d', { due: '2025-01-01' })]
    expect(yearCard(2024, calls, KNOWN).consensus).toBeNull()
    expect(yearCard(2024, [...calls, call('e')], KNOWN).consensus?.people).toBe(3)
  })
})

/** Calls of one person on 730 days: closes of about 100, and of 150 from day 721 on. */
const CALLS =
  scores([
    madeCall({ id: 'missed', made: at(200), by: at(300) }),
    madeCall({ id: 'hit', usd: 140, made: at(500), by: at(728) }),
    madeCall({ id: 'easy-miss', usd: 115, made: at(411), by: at(700) }),
    madeCall({ id: 'open', usd: 300, made: at(600), by: at(900) }),
    madeCall({ id: 'again', usd: 140, made: at(510), by: at(728) }),
  ]).people[0]?.calls ?? []

it('calls count in the year they were made, once they end', () => {
  const years = recordByYear(CALLS)
  expect(years).toMatchObject([
    { year: 2023, calls: 3, decided: { calls: 2, hits: 1 } },
    { year: 2022, calls: 1, decided: { calls: 1, hits: 0 } },
  ])
  const luck = (id: string): number => CALLS.find((one) => one.id === id)?.luck ?? NaN
  expect(years[0]?.decided.expected).toBeCloseTo(luck('hit') + luck('easy-miss'), 12)
  expect(years[1]?.decided.expected).toBeCloseTo(luck('missed'), 12)
})

it('the best call is the hit that luck expected least, the worst the miss it expected most', () => {
  const { best, worst } = bestAndWorst(CALLS)
  expect([best?.id, worst?.id]).toEqual(['hit', 'easy-miss'])
  const open = CALLS.filter(({ timeIsUp }) => !timeIsUp)
  expect(bestAndWorst(open)).toEqual({ best: null, worst: null })
})

/** Calls as `a 100 down`, of a range as `a 100-200`; a minimum as `a 100 inside minimum`. */
function shared(text: string): SharedCall[] {
  return text.split(', ').map((one) => {
    const [slug = '', usd = '', direction = 'up', minimum] = one.split(' ')
    const [min = NaN, max = min] = usd.split('-').map(Number)
    const isMinimum = minimum !== undefined
    return { slug, direction: direction as Direction, isMinimum, level: { min, max } }
  })
}

function found(text: string): string | null {
  const loudest = loudestConsensus(shared(text))
  if (!loudest) return null
  const { direction, low, high, people, calls } = loudest
  return `${direction} ${low}–${high}: ${people} people, ${calls.length} calls`
}

it.each([
  ['a 100, b 100, a 101', null],
  // People count, then calls, then the lower level.
  ['a 100, a 100, a 101, b 102, a 103, a 200, b 200, c 200', 'up 200–200: 3 people, 3 calls'],
  ['a 100, b 100, c 100, a 200, b 200, c 200, c 200', 'up 200–200: 3 people, 4 calls'],
  ['a 200, b 200, c 200, a 100, b 100, c 100', 'up 100–100: 3 people, 3 calls'],
  // Levels up to 10% from one of them.
  ['a 100, b 110, c 91, d 121.2', 'up 91–110: 3 people, 3 calls'],
  ['a 100, b 111, c 90', null],
  ['a 100, b 100 down, c 100 never-above', null],
  ['a 50 down, b 52 down, c 51 down', 'down 50–52: 3 people, 3 calls'],
  // A minimum that was met when it was said counts, a range with the price inside does not.
  ['a 100, b 100 inside minimum, c 100', 'up 100–100: 3 people, 3 calls'],
  ['a 100, b 100 inside, c 100', null],
  // The end of a range that the price reaches first counts.
  ['a 100, b 101, c 100-200', 'up 100–101: 3 people, 3 calls'],
  ['a 200 down, b 201 down, c 100-200 down', 'down 200–201: 3 people, 3 calls'],
])('the loudest consensus of %j is %j', (input, expected) => {
  expect(found(input)).toBe(expected)
})

it('the loudest consensus needs calls', () => {
  expect(loudestConsensus([])).toBeNull()
})

it('the loudest consensus matches a brute-force search', () => {
  const random = randomOf('consensus')
  for (let round = 0; round < 200; round += 1) {
    const stated = Array.from({ length: 40 }, () => {
      const who = String.fromCharCode(97 + Math.floor(random() * 12))
      return `${who} ${Math.round(50 * Math.exp(random() * 2))}`
    })
    const input = shared(stated.join(', '))
    const around = input.map(({ level: { min: middle } }) => {
      const near = input.filter(({ level: { min } }) => min <= middle * 1.1 && min * 1.1 >= middle)
      return { people: new Set(near.map(({ slug }) => slug)).size, calls: near.length }
    })
    const [most] = around.toSorted((a, b) => b.people - a.people || b.calls - a.calls)
    const { people, calls } = loudestConsensus(input)!
    expect({ people, calls: calls.length }).toEqual(most)
  }
})

const NONE = { year: 2025, due: 0, n: 0, hits: 0, expected: 0, open: 0 }
const ONE = { n: 1, expected: 0.4 }
const FEW = { n: 41, hits: 18, expected: 15.27 }
const SOME = '18 of 41 Bitcoin calls due in 2025 came true. Luck expects 15.3.'
const SO_FAR = '0 of 7 Bitcoin calls due so far in 2025 came true. Luck expects 2.0.'
it.each([
  [FEW, false, SOME],
  [{ n: 7, expected: 2 }, true, SO_FAR],
  [{ ...ONE, hits: 1 }, false, 'The one Bitcoin call due in 2025 came true. Luck expects 0.4.'],
  [ONE, false, 'The one Bitcoin call due in 2025 did not come true. Luck expects 0.4.'],
  [{ open: 8 }, true, '8 Bitcoin calls are due in 2025. Their time is not up yet.'],
  [{ open: 1 }, true, '1 Bitcoin call is due in 2025. Its time is not up yet.'],
  [{ due: 2 }, false, 'No Bitcoin call due in 2025 can be compared with luck.'],
])('the finding of a year with %j', (input, isSoFar, text) => {
  expect(yearFinding({ asset: 'btc', tally: { ...NONE, ...input }, isSoFar })).toBe(text)
})

it.each([
  [{ due: 5, n: 5 }, ''],
  [{ due: 8, open: 8 }, ''],
  [{ due: 8, n: 5, open: 3 }, '3 calls of this year are open.'],
  [{ due: 8, n: 5, open: 1 }, '1 call of this year is open. 2 calls are not compared with luck.'],
  [{ due: 1 }, '1 call is not compared with luck.'],
])('the finding of a year with %j omits the rest', (input, text) => {
  expect(yearRest({ ...NONE, ...input })).toBe(text)
})

it.each([
  [10.427, '1,043% too high'],
  [0.5, '50% too high'],
  [0.0312, '3.1% too high'],
  [0.0001, 'less than 0.1% too high'],
  [-0.3, '30% too low'],
  [-0.998, '99% too low'],
])('a level that was off by %s is %s', (error, text) => {
  expect(errorText(error)).toBe(text)
})

it('a consensus has its level, people and outcome', () => {
  const level = consensusLevel({ direction: 'up', low: 170_000, high: 200_000 })
  expect(level).toBe('Up to $170,000 – $200,000')
  expect(consensusLevel({ direction: 'never-below', low: 80, high: 80 })).toBe('Never below $80')
  expect(peopleAndCalls({ people: 9, calls: 14 })).toBe('9 people, 14 calls')
  expect(peopleAndCalls({ people: 9, calls: 9 })).toBe('9 people')
  const outcomes = [0, 3, 14].map((hits) => cameTrue({ hits, calls: 14 }))
  expect(outcomes).toEqual(['none came true', '3 of 14 came true', 'all came true'])
})

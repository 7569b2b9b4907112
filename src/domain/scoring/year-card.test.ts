import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { at, call as madeCall, scores } from '#tests/support/scores.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
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

it('a year is put in words as stored', () =>
  storedCases('year-card', {
    'the loudest consensus': found,
    'the finding of a year': (tally, soFar?: string) => {
      const counts = { ...NONE, ...jsonPart<object>(tally) }
      return yearFinding({ asset: 'btc', tally: counts, isSoFar: soFar !== undefined })
    },
    'the rest of a year': (tally) => yearRest({ ...NONE, ...jsonPart<object>(tally) }),
    'a level that was off by': (error) => errorText(Number(error)),
    'the level of a consensus': (found) => consensusLevel(jsonPart(found)),
    'people and calls': (found) => peopleAndCalls(jsonPart(found)),
    'how many came true': (found) => cameTrue(jsonPart(found)),
  }))

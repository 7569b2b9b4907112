import { day } from '#domain/day.ts'
import { expect, it } from 'vitest'
import { movedDeadlines } from './moved-deadlines.ts'

type Call = Parameters<typeof movedDeadlines>[0][number]

/** A call for Bitcoin at $250,000 that was missed. */
function said(made: string, deadline: string, given: Partial<Call> = {}): Call {
  return {
    asset: 'btc',
    direction: 'up',
    level: { min: 250_000, max: 250_000 },
    made: day(made),
    deadline: day(deadline),
    outcome: 'miss',
    decided: day(deadline),
    ...given,
  }
}

const FIRST = said('2020-01-01', '2022-12-31')
const SECOND = said('2022-06-01', '2023-06-30')
const THIRD = said('2023-09-01', '2025-12-31', { outcome: 'pending', decided: null })

it('a level that is said again with a later deadline was moved, however often', () => {
  expect(movedDeadlines([THIRD, FIRST, SECOND])).toEqual([
    { calls: [FIRST, SECOND, THIRD], days: 1_096 },
  ])
})

it.each<[string, Call]>([
  ['another level', said('2022-06-01', '2023-06-30', { level: { min: 240_000, max: 240_000 } })],
  ['another asset', said('2022-06-01', '2023-06-30', { asset: 'mstr' })],
  ['the other side', said('2022-06-01', '2023-06-30', { direction: 'down' })],
  ['an earlier deadline', said('2022-06-01', '2022-11-30')],
  ['the same day', said('2020-01-01', '2023-06-30')],
  ['a call that does not count', said('2022-06-01', '2023-06-30', { outcome: 'void' })],
])('%s moves nothing', (_, call) => {
  expect(movedDeadlines([FIRST, call])).toEqual([])
})

it('a level that was reached before it was said again was not moved', () => {
  const hit = { ...FIRST, outcome: 'hit', decided: day('2021-03-01') } as const
  expect(movedDeadlines([hit, SECOND])).toEqual([])
  expect(movedDeadlines([{ ...hit, decided: day('2022-08-01') }, SECOND])).toHaveLength(1)
})

it('a ceiling has no deadline to move, and the farthest move comes first', () => {
  const ceiling = [FIRST, SECOND].map((call) => ({ ...call, direction: 'never-above' }) as const)
  expect(movedDeadlines(ceiling)).toEqual([])
  const near = { min: 100_000, max: 100_000 }
  const other = [
    said('2020-01-01', '2020-12-31', { level: near }),
    said('2020-06-01', '2021-01-31', { level: near }),
  ]
  expect(movedDeadlines([...other, FIRST, SECOND]).map(({ days }) => days)).toEqual([181, 31])
})

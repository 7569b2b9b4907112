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

/** The price was at no level after its deadline. */
const moved = (calls: readonly Call[]) => movedDeadlines(calls, () => false)

const FIRST = said('2020-01-01', '2022-12-31')
const SECOND = said('2022-06-01', '2023-06-30')
const THIRD = said('2023-09-01', '2025-12-31', { outcome: 'pending', decided: null })

it('a level that is said again with a later deadline was moved, however often', () => {
  expect(moved([THIRD, FIRST, SECOND])).toEqual([{ calls: [FIRST, SECOND, THIRD], days: 1_096 }])
})

it.each<[string, Call]>([
  ['another level', said('2022-06-01', '2023-06-30', { level: { min: 240_000, max: 240_000 } })],
  ['another asset', said('2022-06-01', '2023-06-30', { asset: 'mstr' })],
  ['the other side', said('2022-06-01', '2023-06-30', { direction: 'down' })],
  ['an earlier deadline', said('2022-06-01', '2022-11-30')],
  ['the same day', said('2020-01-01', '2023-06-30')],
  ['a call that does not count', said('2022-06-01', '2023-06-30', { outcome: 'void' })],
])('%s moves nothing', (_, call) => {
  expect(moved([FIRST, call])).toEqual([])
})

it('a level that was reached before it was said again was not moved', () => {
  const hit = { ...FIRST, outcome: 'hit', decided: day('2021-03-01') } as const
  expect(moved([hit, SECOND])).toEqual([])
  expect(moved([{ ...hit, decided: day('2022-08-01') }, SECOND])).toHaveLength(1)
})

it('a ceiling has no deadline to move, and the farthest move comes first', () => {
  const ceiling = [FIRST, SECOND].map((call) => ({ ...call, direction: 'never-above' }) as const)
  expect(moved(ceiling)).toEqual([])
  const near = { min: 100_000, max: 100_000 }
  const other = [
    said('2020-01-01', '2020-12-31', { level: near }),
    said('2020-06-01', '2021-01-31', { level: near }),
  ]
  expect(moved([...other, FIRST, SECOND]).map(({ days }) => days)).toEqual([181, 31])
})

it('a level that was reached after its deadline, before it was said again, was not moved', () => {
  const late = said('2023-03-01', '2023-12-31')
  expect(moved([FIRST, late])).toHaveLength(1)
  const reached: Parameters<typeof movedDeadlines>[1] = (call, through) =>
    call.deadline < day('2023-02-01') && through >= day('2023-02-01')
  expect(movedDeadlines([FIRST, late], reached)).toEqual([])
})

it('a level that is said again more than a year after its deadline is a new call', () => {
  expect(moved([FIRST, said('2023-12-31', '2024-06-30')])).toHaveLength(1)
  expect(moved([FIRST, said('2024-01-01', '2024-06-30')])).toEqual([])
})

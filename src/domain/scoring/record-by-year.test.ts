import { at, call, scores } from '#tests/support/scores.ts'
import { expect, it } from 'vitest'
import { bestAndWorst, recordByYear } from './record-by-year.ts'

/** Calls of one person on 730 days: closes of about 100, and of 150 from day 721 on. */
const CALLS =
  scores([
    call({ id: 'missed', made: at(200), by: at(300) }),
    call({ id: 'hit', usd: 140, made: at(500), by: at(728) }),
    call({ id: 'easy-miss', usd: 115, made: at(411), by: at(700) }),
    call({ id: 'open', usd: 300, made: at(600), by: at(900) }),
    call({ id: 'again', usd: 140, made: at(510), by: at(728) }),
  ]).people[0]?.calls ?? []

it('calls count in the year they were made, once their time is up', () => {
  const [newer, older, ...rest] = recordByYear(CALLS)
  expect(rest).toEqual([])
  expect(newer).toMatchObject({ year: 2023, calls: 3, decided: { calls: 2, hits: 1 } })
  expect(older).toMatchObject({ year: 2022, calls: 1, decided: { calls: 1, hits: 0 } })
  const luck = (id: string): number => CALLS.find((one) => one.id === id)?.luck ?? NaN
  expect(newer?.decided.expected).toBeCloseTo(luck('hit') + luck('easy-miss'), 12)
  expect(older?.decided.expected).toBeCloseTo(luck('missed'), 12)
})

it('the best call is the hit that luck expected least, the worst the miss it expected most', () => {
  const { best, worst } = bestAndWorst(CALLS)
  expect([best?.id, worst?.id]).toEqual(['hit', 'easy-miss'])
  expect(bestAndWorst(CALLS.filter(({ timeIsUp }) => !timeIsUp))).toEqual({
    best: null,
    worst: null,
  })
})

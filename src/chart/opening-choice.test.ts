import { expect, it } from 'vitest'
import { addDays, day } from '#domain/day.ts'
import { closes, predicted } from '#chart/testing.ts'
import { openingChoice } from './opening-choice.ts'

const BARS = closes('2024-01-01', ...Array.from({ length: 500 }, (_, i) => 100 + i / 5))
const VIEW = [day('2024-01-01'), day('2027-12-31')] as const

function call(id: string, slug: string, usd: number, by = '2024-06-01', votes = 0) {
  const expert = { id: 1, name: slug, slug, handle: null }
  const given = { id, expert, made: day('2024-02-01'), by: day(by), voteScore: votes }
  return predicted({ type: 'target', usd }, BARS, given)
}
const HIT = 110
const MISS = 260
const OPEN = '2027-01-01'
const idsOf = (given: Parameters<typeof openingChoice>[0], count: number) =>
  openingChoice(given, 'touch', VIEW, count).map(({ id }) => id)

it('the opening choice takes hits, misses and open calls in turn', () => {
  const given = [
    ...['a', 'b', 'c', 'd'].map((who) => call(`miss-${who}`, who, MISS)),
    call('hit', 'e', HIT),
    call('open', 'f', MISS, OPEN),
  ]
  expect(idsOf(given, 3).toSorted()).toEqual(['hit', 'miss-a', 'open'])
})

it('the opening choice prefers people with many calls, one call each, and repeats them only for want of others', () => {
  const given = [
    call('rare', 'ada', MISS),
    ...[1, 2, 3].map((i) => call(`often-${String(i)}`, 'bo', MISS, `2024-0${String(i + 2)}-01`)),
  ]
  expect(idsOf(given, 1)).toEqual(['often-1'])
  expect(idsOf(given, 2).toSorted()).toEqual(['often-1', 'rare'])
  expect(idsOf(given, 4)).toHaveLength(4)
})

it('the opening choice starts with what visitors support', () => {
  const given = [
    call('hit', 'ada', HIT),
    call('voted', 'bo', MISS, '2024-06-01', 21),
    call('more', 'cy', MISS, OPEN, 210),
  ]
  expect(idsOf(given, 2)).toEqual(['more', 'voted'])
})

it('the opening choice is inside the view, in time and in price', () => {
  const early = { ...call('early', 'ada', HIT), made: addDays(VIEW[0], -1) }
  const given = [
    early,
    call('late', 'bo', MISS, '2028-01-01'),
    call('far', 'cy', 10_000, OPEN),
    call('in', 'di', MISS),
    call('also-in', 'ed', MISS, OPEN),
  ]
  expect(idsOf(given, 12).toSorted()).toEqual(['also-in', 'in'])
  expect(idsOf([], 12)).toEqual([])
  const onLog = openingChoice(given, 'touch', VIEW, 12, true)
  expect(onLog.map(({ id }) => id).toSorted()).toEqual(['also-in', 'far', 'in'])
})

import { expect, it } from 'vitest'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import {
  judgedOn,
  TEN_DAYS as BARS,
  statement,
  atLeast,
  bottom,
  range,
  target,
  top,
} from '#tests/support/builders.ts'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { type Band } from './call-filter.ts'
import { resultText } from './odds-text.ts'
import {
  comparedText,
  personFinding,
  undatedText,
  findingSentence,
  selectionSentence,
  totalsSentence,
  cardLine,
  punchLine,
} from './score-text.ts'

/** With 6 of 9 calls, where luck expects 4.1. */
function person(name: string, band: Band | null, replayed: number | null = 0.9) {
  return { name, band, replayed, decided: { calls: 9, hits: 6, expected: 4.1 } }
}
const OTHERS = Array.from({ length: 42 }, (_, i) => person(`Expert ${String(i)}`, 'unclear'))
const [A, B] = [person('Expert A', 'above', 0.001), person('Expert B', 'below', 1)]

const FIVE = 'with five or more comparable calls'
const CLOSEST = 'Closest: X, 6 of 9, where luck expects 4.1'
const BETTER_B = 'Luck does better than Expert B.'
const REPLAYS = 'of 100 replays'
const unclear = (replayed: number | null) => person('X', 'unclear', replayed)
it.each<[Parameters<typeof findingSentence>[0], string]>([
  [[person('Expert A', null, null)], 'Nobody has five comparable calls yet.'],
  [
    [...OTHERS, unclear(0.2), person('Expert C', null)],
    `None of 43 people ${FIVE} can be told from luck. ${CLOSEST}; luck alone does as well in 20 ${REPLAYS}.`,
  ],
  [[unclear(null)], `None of 1 person ${FIVE} can be told from luck. ${CLOSEST}.`],
  [[A, ...OTHERS], `Of 43 people ${FIVE}, luck does not explain Expert A.`],
  [[A, ...OTHERS, B], `Of 44 people ${FIVE}, luck does not explain Expert A. ${BETTER_B}`],
  [
    [unclear(0.001), B],
    `None of 2 people ${FIVE} does better than luck. ${BETTER_B} ${CLOSEST}; luck alone does as well in fewer than 1 ${REPLAYS}.`,
  ],
])('the finding about people %# is a sentence', (people, sentence) => {
  expect(findingSentence(people)).toBe(sentence)
})

const BETWEEN = '55 came true. Luck expects 58; nine of ten replays lie between 35 and 80.'
const ONE = { asset: 'btc', timeIsUp: 1, calls: 1, hits: 0, margin: null } as const
const MORE = { asset: 'btc', timeIsUp: 190 } as const
it.each<[Partial<Parameters<typeof totalsSentence>[0]>, string]>([
  [{}, `180 calls are decided. ${BETWEEN}`],
  [ONE, '1 Bitcoin call is decided. 0 came true. Luck expects 58.'],
  [MORE, `180 of 190 decided Bitcoin calls can be compared with luck. ${BETWEEN}`],
  [{ timeIsUp: 0, calls: 0 }, 'No call has been decided yet.'],
])('totals with %j', (input, sentence) => {
  const counts = { timeIsUp: 180, calls: 180, hits: 55, expected: 58.2 }
  const totals = { asset: null, ...counts, margin: { low: 35, high: 80 }, ...input }
  expect(totalsSentence(totals)).toBe(sentence)
})

it('the finding names the first day of the record if calls are older', () => {
  const sentence = (recordedSince: string | null) =>
    selectionSentence({ recordedSince: recordedSince === null ? null : day(recordedSince) })
  expect(sentence('2026-11-28')).toBe('All calls before 28/11/2026 were collected afterwards.')
  expect(sentence(null)).toBeNull()
})

const DATED = 'dated to a month or year only'
it.each([
  [{ calls: 5, low: 1.4, high: 3.52 }, `1.4 to 3.5, as 5 of the calls are ${DATED}`],
  [{ calls: 1, low: 1.4, high: 1.6 }, `1.4 to 1.6, as one of the calls is ${DATED}`],
  [{ calls: 1, low: 1.41, high: 1.43 }, null],
  [{ calls: 0, low: 1.4, high: 1.4 }, null],
])("luck's expectation of %j is a range: %s", (undated, text) => {
  expect(undatedText(undated)).toBe(text)
})

const SOME = '11 of them can be compared with luck: 2 came true. Luck expects 2.'
it.each<[up: [number, number], compared: [number, number, number], string, string | null]>([
  [[0, 0], [0, 0, 0], 'Expert A: no call decided yet', null],
  [[17, 4], [17, 4, 6.1], 'Expert A: 4 of 17 came true. Luck expects 6.', null],
  [[8, 0], [8, 0, 0.3], 'Expert A: 0 of 8 came true. Luck expects none.', null],
  [[13, 3], [11, 2, 2.3], 'Expert A: 3 of 13 came true.', SOME],
  [[1, 0], [0, 0, 0], 'Expert A: 0 of 1 came true.', 'None of them can be compared with luck.'],
])('of %j decided calls, %j comparable, it says %j', ([n, hits], compared, finding, rest) => {
  const [calls, came, expected] = compared
  const tallies = { time_is_up: { n, hits }, decided: { calls, hits: came, expected } }
  expect([personFinding('Expert A', tallies), comparedText(tallies)]).toEqual([finding, rest])
})

const NOT_REACHED = { outcome: 'miss', reason: 'not-reached' } as const
it.each<[Partial<Verdict>, string]>([
  [{}, 'on 05/03/2024'],
  [{ reason: 'held', day: null, bar: null }, 'held'],
  [{ ...NOT_REACHED, bar: null, nearest: { day: day('2024-03-05'), usd: 34_500 } }, '50% short'],
  [{ outcome: 'miss', reason: 'broken' }, 'broken on 05/03/2024'],
  [{ outcome: 'void', reason: 'already-true' }, ''],
  [{ outcome: 'pending', reason: 'open' }, ''],
])('the outcome of %j in a few words is %j', (input, text) => {
  const prediction = predictionOfRow(predictionRow())!
  const verdicts = { ...prediction.verdicts, touch: verdict(input) }
  expect(resultText({ ...prediction, verdicts }, 'touch', day('2026-11-20'))).toBe(text)
})

const TODAY = day('2024-01-05')

/** Made on the first of these days and due on the last. */
function prediction(claim: Claim, upTo = BARS.length): Prediction {
  return judgedOn('2024-01-05', BARS.slice(0, upTo), statement(claim))
}

const LEFT = { day: day('2024-01-04'), usd: 105, change: 0.9, days: 6, chance: 0.02 }
const ODDS = { luck: 0.1, noLuck: null, motion: null, left: LEFT }

it.each<[Claim, number, string]>([
  [target(115), 10, 'Hit two days after the call'],
  [target(140), 10, '15% short'],
  [target(50), 10, '90% too high'],
  [range(99, 106), 10, 'Inside the range at the end'],
  [range(99, 102), 10, '2.9% above $102 at the end'],
  [atLeast(99), 10, 'Above the level at the end'],
  [top(120), 10, 'Held until the deadline'],
  [top(112), 10, 'Broken two days after the call'],
  [target(100), 10, 'Already true when it was said'],
  [bottom(200), 10, 'Already broken when it was said'],
  [target(200), 1, 'Has not begun yet'],
  [target(200), 4, 'Still open'],
])('the punch line of %j after %i days is %s', (claim, upTo, line) => {
  expect(punchLine(prediction(claim, upTo), 'touch', TODAY)).toBe(line)
})

it.each<[Claim, Partial<Verdict>, string]>([
  [target(115), { day: null }, 'Hit'],
  [top(112), { day: null }, 'Broken'],
  [target(140), { nearest: null }, 'Never reached'],
  [range(99, 102), { bar: null }, 'Outside at the end'],
  [target(140), { reason: 'overridden' }, 'Decided by an administrator'],
])('the punch line of %j with %j says what is known', (claim, known, line) => {
  const input = prediction(claim)
  const touch = { ...input.verdicts.touch, ...known }
  expect(punchLine({ ...input, verdicts: { touch, close: touch } }, 'touch', TODAY)).toBe(line)
})

const THERE = { change: 0 }
const OLD = { day: day('2023-12-29') }
it.each<[string, Claim, Partial<typeof LEFT> | null, string]>([
  ['an open call', target(200), {}, 'Needs +90% in 6 days · 2% chance'],
  [
    'a reached level',
    target(200),
    { ...THERE, chance: 0.5 },
    'There now, counts later · 50% chance',
  ],
  ['a claim that has to hold', top(200), { chance: 0.9 }, 'At most +90% for 6 days · 90% chance'],
  ['an open call at an old price', target(200), OLD, '+90% to go from 29/12/2023 · 2% chance'],
  ['a miss', target(140), null, '15% short · 10% chance'],
])('the card of %s says %s', (_name, claim, left, line) => {
  const odds = { ...ODDS, left: left && { ...LEFT, ...left } }
  const stated = { ...prediction(claim, left ? 4 : 10), odds: { touch: odds, close: odds } }
  expect(cardLine(stated, 'touch', TODAY).replaceAll('\u00a0', ' ')).toBe(line)
  const punch = punchLine(stated, 'touch', TODAY).replaceAll('\u00a0', ' ')
  expect(punch).toBe(left ? line : '15% short')
})

it('the card of a call that has not begun has its distance, too', () => {
  const input = { ...prediction(target(200), 1), odds: { touch: ODDS, close: ODDS } }
  expect(input.verdicts.touch.reason).toBe('not-started')
  expect(cardLine(input, 'touch', TODAY)).toBe('Needs +90% in 6 days · 2% chance')
})

import { expect, it } from 'vitest'
import { type Band } from './band.ts'
import { day } from '#domain/day.ts'
import { undatedText } from './figure-text.ts'
import { findingSentence, selectionSentence, totalsSentence } from './score-text.ts'

/** With 6 of 9 calls, where luck expects 4.1. */
function person(name: string, band: Band | null, replayed: number | null = 0.9) {
  return { name, band, replayed, decided: { calls: 9, hits: 6, expected: 4.1 } }
}
const OTHERS = Array.from({ length: 42 }, (_, i) => person(`Expert ${String(i)}`, 'unclear'))
const [A, B] = [person('Expert A', 'above', 0.001), person('Expert B', 'below', 1)]

it.each<[string, Parameters<typeof findingSentence>[0], string]>([
  [
    'nobody has enough calls',
    [person('Expert A', null, null)],
    'Nobody has five decided calls yet.',
  ],
  [
    'nobody can be told from luck',
    [...OTHERS, person('X', 'unclear', 0.2), person('Expert C', null)],
    'None of 43 people with five or more decided calls can be told from luck. Closest: X, 6 of 9, where luck expects 4.1; luck alone does as well in 20 of 100 replays.',
  ],
  [
    'histories were not replayed',
    [person('X', 'unclear', null)],
    'None of 1 person with five or more decided calls can be told from luck. Closest: X, 6 of 9, where luck expects 4.1.',
  ],
  [
    'somebody does better',
    [A, ...OTHERS],
    'Of 43 people with five or more decided calls, luck does not explain Expert A.',
  ],
  [
    'somebody does worse, too',
    [A, ...OTHERS, B],
    'Of 44 people with five or more decided calls, luck does not explain Expert A. Luck does better than Expert B.',
  ],
  [
    'somebody does worse only',
    [person('X', 'unclear', 0.001), B],
    'None of 2 people with five or more decided calls does better than luck. Luck does better than Expert B. Closest: X, 6 of 9, where luck expects 4.1; luck alone does as well in fewer than 1 of 100 replays.',
  ],
])('the finding where %s', (_, people, sentence) => {
  expect(findingSentence(people)).toBe(sentence)
})

it.each<[Partial<Parameters<typeof totalsSentence>[0]>, string]>([
  [
    {},
    '180 calls are decided. 55 came true. Luck expects 58; nine of ten replays lie between 35 and 80.',
  ],
  [
    { asset: 'btc', calls: 1, hits: 0, margin: null },
    '1 Bitcoin call is decided. 0 came true. Luck expects 58.',
  ],
  [{ calls: 0 }, 'No call is decided yet.'],
])('totals with %j', (given, sentence) => {
  const totals = {
    asset: null,
    calls: 180,
    hits: 55,
    expected: 58.2,
    margin: { low: 35, high: 80 },
  }
  expect(totalsSentence({ ...totals, ...given })).toBe(sentence)
})

it('the day of the first record is named beside the finding, where calls are older', () => {
  const said = (recordedSince: string | null) =>
    selectionSentence({ recordedSince: recordedSince === null ? null : day(recordedSince) })
  expect(said('2026-11-28')).toBe('All calls before 28/11/2026 were collected afterwards.')
  expect(said(null)).toBeNull()
})

it.each([
  [
    { calls: 5, low: 1.4, high: 3.52 },
    '1.4 to 3.5, as 5 of the calls are dated to a month or year only',
  ],
  [
    { calls: 1, low: 1.4, high: 1.6 },
    '1.4 to 1.6, as one of the calls is dated to a month or year only',
  ],
  [{ calls: 1, low: 1.41, high: 1.43 }, null],
  [{ calls: 0, low: 1.4, high: 1.4 }, null],
])('what luck expects of %j is a span: %s', (undated, text) => {
  expect(undatedText(undated)).toBe(text)
})

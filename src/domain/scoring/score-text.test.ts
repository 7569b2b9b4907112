import { expect, it } from 'vitest'
import { type Band } from './band.ts'
import { findingSentence, totalsSentence } from './score-text.ts'

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

import { expect, it } from 'vitest'
import { findingSentence } from './score-text.ts'

/** Expert A, ranked first, with 3 hits. */
function leader(expected: number, beyondDoubt: readonly string[] | null): string {
  const againstLuck = {
    votes: 8,
    observed: 3,
    expected,
    variance: 1,
    excess: 3 - expected,
    z: 3 - expected,
    p: 0.2,
  }
  const people = [{ slug: 'a', name: 'Expert A', isRanked: true, againstLuck }]
  return findingSentence({ people, beyondDoubt })
}

it.each<[string, number, readonly string[] | null, string]>([
  [
    'nobody is beyond doubt',
    2.5,
    [],
    'Nobody has yet beaten luck beyond doubt. Expert A leads with 3 hits where luck expects 2.5.',
  ],
  [
    'histories were not replayed',
    2.5,
    null,
    'Expert A leads with 3 hits where luck expects 2.5. This may be luck.',
  ],
  [
    'luck expects as many hits',
    3,
    null,
    'Expert A comes first with 3 hits where luck expects 3.0: no better than luck.',
  ],
  [
    'luck expects more',
    3.6,
    [],
    'Nobody has yet beaten luck beyond doubt. Expert A comes first with 3 hits where luck expects 3.6: no better than luck.',
  ],
])('the finding where %s does not boast', (_, expected, beyondDoubt, sentence) => {
  expect(leader(expected, beyondDoubt)).toBe(sentence)
})

import { expect, it } from 'vitest'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { bar, claimOf, openVerdict, published, statement, target } from '#tests/support/builders.ts'
import { datedPart, storedCases } from '#tests/support/stored-cases.ts'
import { composeCorrection, composePost, proposalsOf, type ProposalFacts } from './post-compose.ts'
import { hasUrl, measurePost, postWeight } from './post-length.ts'

function prediction(words: string, verdict?: string, overrides?: string): Prediction {
  const touch = openVerdict(datedPart(verdict))
  const dates = { made: day('2025-09-20'), by: day('2026-12-31') }
  const expert = { id: 1, name: 'Expert A', slug: 'expert-a', handle: 'expert_a' }
  const verdicts = { touch, close: { ...touch, mode: 'close' as const } }
  const more = { id: 'p', expert, ...datedPart<object>(overrides) }
  return published(statement(claimOf(words), dates), verdicts, more)
}

function reached(overrides: Partial<Prediction> = {}): Prediction {
  const hit = bar('2026-10-05', '148000..151200>150500')
  const touch = openVerdict({ outcome: 'hit', reason: 'reached', day: hit.day, bar: hit })
  return { ...prediction('target 150000'), verdicts: { touch, close: touch }, ...overrides }
}

const onX = { network: 'x', link: null } as const
const onNostr = { network: 'nostr', link: 'https://example.org/predictions/p' } as const
const FACTS: ProposalFacts = {
  expert: 'Jane Doe',
  handle: '@janedoe',
  asset: 'btc',
  claim: target(150_000),
  by: day('2026-12-31'),
  made: day('2026-03-10'),
  words: '$150k\nby EOY',
}

it('posts and proposals have their stored texts', () =>
  storedCases('post-compose', {
    'a post about a new prediction, on X': (...of) =>
      composePost(prediction(...(of as [string])), 'prediction', onX),
    'a post about a new prediction, on Nostr': (words) =>
      composePost(prediction(words), 'prediction', onNostr),
    'a post about a verdict, on X': (words, verdict) =>
      composePost(words === 'reached' ? reached() : prediction(words, verdict), 'verdict', onX),
    'a post about a correction, on X': (words) => {
      const text = composeCorrection(prediction('target 150000'), words, onX)
      return `${String(postWeight(text))}: ${text}`
    },
    proposals: (facts) =>
      proposalsOf({ ...FACTS, ...datedPart<object>(facts) }).map(
        ({ style, text }) => `${style}: ${text}`,
      ),
    'the short proposal for a claim': (words) =>
      proposalsOf({ ...FACTS, claim: claimOf(words) })[1]?.text,
  }))

it('a new prediction that is decided is posted with its outcome', () => {
  expect(composePost(reached(), 'prediction', onX)).toBe(composePost(reached(), 'verdict', onX))
})

it.each([
  ['a long name', 'A'.repeat(400)],
  ['a name in wide letters', '漢'.repeat(150)],
  ['a name of emoji', '👨‍👩‍👧‍👦'.repeat(60)],
  ['a name like cashtags', '$MSTR $NAKA @someone #tag'],
  ['a name like a link', 'evil.com https://evil.com'],
  ['a name of several lines', 'Expert\nA\r\n\r\nSUCCESS: all true'],
])('every post fits X with %s', (_, name) => {
  const expert = { id: 1, name, slug: 'a', handle: 'evil.com' }
  for (const news of ['prediction', 'verdict'] as const) {
    const said =
      news === 'verdict' ? reached({ expert }) : { ...prediction('target 150000'), expert }
    for (const options of [onX, onNostr]) {
      const text = composePost(said, news, options) ?? ''
      expect(postWeight(text)).toBeLessThanOrEqual(280)
      expect(measurePost(text).cashtags).toEqual(options === onX ? ['$BTC'] : [])
      expect(hasUrl(text)).toBe(options === onNostr)
      expect(text).not.toMatch(/@\w|\nSUCCESS: all/)
    }
  }
})

import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { proposalsOf, type ProposalFacts } from '#domain/publishing/post-compose.ts'
import { measurePost } from '#domain/publishing/post-length.ts'
import { atLeast, bottom, range, target, top } from '#tests/support/builders.ts'

const FACTS: ProposalFacts = {
  expert: 'Jane Doe',
  handle: '@janedoe',
  asset: 'btc',
  claim: target(150_000),
  by: day('2026-12-31'),
  made: day('2026-03-10'),
  words: '$150k\nby EOY',
}

const WHOLE = { type: 'range', min: 1, max: 2, timing: 'throughout' } as const

describe('proposals', () => {
  it('contain the statement and its date', () => {
    expect(proposalsOf(FACTS).map(({ style, text }) => `${style}: ${text}`)).toEqual([
      'report: Jane Doe (@janedoe) said on 10/03/2026: Bitcoin reaches $150,000 by 31/12/2026. Now on record, to be judged by prices.',
      'short: Jane Doe: Bitcoin reaches $150,000 by 31/12/2026.',
      'quote: "$150k by EOY" \u2013 Jane Doe (@janedoe) on 10/03/2026, about Bitcoin.',
    ])
  })

  it('name a handle alike however it is stored', () => {
    expect(proposalsOf({ ...FACTS, handle: 'janedoe' })).toEqual(proposalsOf(FACTS))
  })

  it('invent no date or handle', () => {
    const texts = proposalsOf({ ...FACTS, handle: null, by: null, made: null, words: null })
    expect(texts.map(({ text }) => text)).toEqual([
      'Jane Doe said: Bitcoin reaches $150,000. No deadline was named. Now on record, to be judged by prices.',
      'Jane Doe: Bitcoin reaches $150,000. No deadline was named.',
    ])
  })

  it.each([
    ['range', range(1, 2), 'trades within $1 - $2'],
    ['by-date', atLeast(9), 'is at or above $9'],
    ['top', top(9), 'never goes above $9 until 31/12/2026'],
    ['bottom', bottom(9), 'never goes below $9 until 31/12/2026'],
    ['target of a day', { type: 'target', usd: 9, timing: 'at_end' }, 'is at $9 on 31/12/2026'],
    ['falling target', { type: 'target', usd: 9, direction: 'down' }, 'falls to $9 by 31/12/2026'],
    ['range for the whole time', WHOLE, 'stays within $1 - $2 until 31/12/2026'],
    ['top of a day', { type: 'top', usd: 9, timing: 'at_end' }, 'is at or below $9 on 31/12/2026'],
  ] as const)('explain a %s', (_, claim, message) => {
    expect(proposalsOf({ ...FACTS, claim })[1]?.text).toContain(message)
  })

  it('never weigh more than 280', () => {
    const proposals = proposalsOf({ ...FACTS, expert: '\u5c0f'.repeat(110), words: null })
    expect(proposals.map(({ style }) => style)).toEqual(['short'])
    expect(measurePost(proposals[0]?.text ?? '').isLong).toBe(false)
  })

  it.each(['150k, see example.org', 'both $BTC and $MSTR to 150k', 'x'.repeat(300)])(
    'proposals leave out words with a link, two cashtags or no end: %s',
    (words) => {
      const proposals = proposalsOf({ ...FACTS, words })
      expect(proposals.map(({ style }) => style)).toEqual(['report', 'short'])
    },
  )
})

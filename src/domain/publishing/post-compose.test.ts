import { describe, expect, it } from 'vitest'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import {
  bar,
  openVerdict,
  published,
  statement,
  atLeast,
  bottom,
  range,
  target,
  top,
} from '#tests/support/builders.ts'
import { composeCorrection, composePost, proposalsOf, type ProposalFacts } from './post-compose.ts'
import { hasUrl, measurePost, postWeight } from './post-length.ts'

const TODAY = day('2026-11-20')

function prediction(
  claim: Claim,
  verdict: Partial<Verdict> = {},
  overrides: Partial<Prediction> = {},
): Prediction {
  const touch = openVerdict(verdict)
  const stated = statement(claim, { made: day('2025-09-20'), by: day('2026-12-31') })
  const expert = { id: 1, name: 'Expert A', slug: 'expert-a', handle: 'expert_a' }
  const verdicts = { touch, close: { ...touch, mode: 'close' as const } }
  return published(stated, verdicts, { id: 'p', expert, ...overrides })
}

const TARGET: Claim = target(150_000)
const SAID = 'said on 20/09/2025 that $BTC reaches $150,000 by 31/12/2026.'
const BAR = bar('2026-10-05', '148000..151200>150500')
const REACHED = { outcome: 'hit', reason: 'reached', day: BAR.day, bar: BAR } as const

const onX = { network: 'x', link: null } as const
const onNostr = { network: 'nostr', link: 'https://example.org/predictions/p' } as const

it('a post about a new prediction has person, date, level and deadline', () => {
  const judged = 'It will be judged by prices, in public.'
  const post = `On record: Expert A (@expert_a) ${SAID}\n\n${judged}`
  expect(composePost(prediction(TARGET), 'prediction', onX)).toBe(post)
  expect(composePost(prediction(TARGET), 'prediction', onNostr)).toBe(
    `On record: Expert A (@expert_a on X) ${SAID.replace('$', '')}\n\n${judged}\n\n${onNostr.link}`,
  )
})

const NEVER = { direction: 'never-above' } as const
const FROM = day('2026-02-01')
const SPLIT = { splitFactor: 10, claim: target(15_000) }
const named = (name: string) => ({ id: 1, name, slug: 'expert-a', handle: null })
it.each([
  [target(50_000), { direction: 'down' }, {}, 'falls to $50,000 by'],
  [range(1, 2), {}, {}, 'gets into $1 - $2 by'],
  [atLeast(5), {}, {}, 'reaches at least $5 by'],
  [top(5), NEVER, {}, 'never goes above $5 until 31/12/2026.'],
  [bottom(5), { direction: 'never-below' }, {}, 'never falls below $5 until 31/12/2026.'],
  [range(1, 2), { direction: 'inside' }, {}, 'is in $1 - $2 at the end of 31/12/2026.'],
  [atLeast(5), { direction: 'above' }, { byPrecision: 'year' }, 'or above at the end of 2026.'],
  [TARGET, {}, { from: FROM }, '$150,000 between 01/02/2026 and 31/12/2026.'],
  [top(5), NEVER, { from: FROM, byPrecision: 'month' }, 'from 01/02/2026 until the end of Dec'],
  [top(5), NEVER, { deadlineAssumed: true }, '(no date named; judged until 31/12/2026).'],
  [TARGET, {}, { expert: named('\u202e@') }, 'record: expert-a said'],
  [TARGET, {}, { expert: named('\u202eAb\u2066') }, 'record: Ab said'],
  [TARGET, {}, { byPrecision: 'month' }, 'by the end of Dec 2026.'],
  [TARGET, {}, { deadlineAssumed: true }, '(no date named; judged by 31/12/2026).'],
  [TARGET, {}, { madePrecision: 'month' }, 'said in Sep 2025 that'],
  [TARGET, {}, { made: TODAY }, 'said on 20/11/2026 that'],
  [TARGET, {}, SPLIT, '(said $150,000 = $15,000 after the split)'],
] as const)(
  'a post about a new prediction writes %j as it was said',
  (claim, verdict, overrides, part) => {
    expect(composePost(prediction(claim, verdict, overrides), 'prediction', onX)).toContain(part)
  },
)

it('a new prediction that is decided is posted with its outcome, and a void one not at all', () => {
  const decided = prediction(TARGET, REACHED)
  expect(composePost(decided, 'prediction', onX)).toBe(composePost(decided, 'verdict', onX))
  const none = prediction(TARGET, { outcome: 'void', reason: 'already-true' })
  expect(composePost(none, 'prediction', onX)).toBeNull()
})

it('a post about a verdict contains only the evidence', () => {
  const hit = 'Hit on 5 Oct 2026. Bitcoin traded as high as $151,200 that day.'
  const post = composePost(prediction(TARGET, REACHED), 'verdict', onX)
  expect(post).toBe(`SUCCESS: Expert A (@expert_a) ${SAID}\n\n${hit}`)
  const missed = { outcome: 'miss', reason: 'not-reached', day: day('2026-12-31') } as const
  expect(composePost(prediction(TARGET, missed), 'verdict', onX)).toMatch(
    /^MISS: .*\n\nThere was no price at \$150,000 before the deadline\.$/,
  )
  const decided = { outcome: 'hit', reason: 'overridden', day: TODAY } as const
  const text = composePost(prediction(TARGET, decided), 'verdict', onX)
  expect(text).toContain('Hit, decided by an administrator')
})

it('a post about a verdict is not written while the prediction is open', () => {
  expect(composePost(prediction(TARGET), 'verdict', onX)).toBeNull()
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
    const said = prediction(TARGET, news === 'verdict' ? REACHED : {}, { expert })
    for (const options of [onX, onNostr]) {
      const text = composePost(said, news, options) ?? ''
      expect(postWeight(text)).toBeLessThanOrEqual(280)
      expect(measurePost(text).cashtags).toEqual(options === onX ? ['$BTC'] : [])
      expect(hasUrl(text)).toBe(options === onNostr)
      expect(text).not.toMatch(/@\w|\nSUCCESS: all/)
    }
  }
})

describe('a post about a correction', () => {
  const LEVEL = 'Corrected: the level from Target $1,500,000 to Target $150,000. Reason: A typo.'

  it('contains the current record and the sentence from its history', () => {
    const post = `Correction: Expert A (@expert_a) ${SAID}\n\n${LEVEL}`
    expect(composeCorrection(prediction(TARGET), LEVEL, onX)).toBe(post)
  })

  it('shortens a long reason, at a word, and keeps the rest', () => {
    const words = `Withdrawn from lists. Reason: ${'very long '.repeat(60)}`
    const text = composeCorrection(prediction(TARGET), words, onX)
    expect(text).toMatch(
      /^Correction: Expert A said .*\n\nWithdrawn from lists\. Reason: very .*(?:very|long)…$/s,
    )
    expect(postWeight(text)).toBeGreaterThan(250)
    expect(postWeight(text)).toBeLessThanOrEqual(280)
  })

  it('links and mentions in the reason of a correction stay inactive', () => {
    const words = 'Corrected: the sources. Reason: See https://sec.gov/x, $MSTR and @somebody #tag.'
    const text = composeCorrection(prediction(TARGET), words, onX)
    const { cashtags, links } = measurePost(text)
    expect([cashtags, links]).toEqual([['$BTC'], []])
    expect(text).not.toMatch(/@somebody|#tag/)
  })
})

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

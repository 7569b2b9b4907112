// The counter of Bluesky’s own clients.
import { RichText } from '@atproto/api'
import { describe, expect, it } from 'vitest'
import recorded from '#tests/data/x-lengths.json' with { type: 'json' }
import { storedCases } from '#tests/support/stored-cases.ts'
import {
  COMPOSER_LIMIT,
  graphemes,
  hasUrl,
  measurePost,
  PANEL_LIMIT,
  postCost,
  postFault,
  postWeight,
  textFault,
} from './post-length.ts'

/** Weights by X's own counter, twitter-text 3.1.0; recorded on 2026-11-22. Two texts of 428
 * are left out: addresses that run into another without a blank after a bracket or an emoji are counted otherwise there. */
describe('the weight of a post', () => {
  it('is what X counts', () => {
    for (const { text, weight, links, cashtags } of recorded) {
      expect(measurePost(text)).toMatchObject({ weight, links, cashtags })
      expect(postWeight(text)).toBe(weight)
    }
  })

  it('is one up to the ends of the light ranges, and two beyond', () => {
    const light = '\u10FF\u2002\u200D\u2010\u201F\u2032\u2037'.split('')
    const heavy = '\u1100\u200E\u2020\u2031\u2038'.split('')
    expect(light.map(postWeight)).toEqual(light.map(() => 1))
    expect(heavy.map(postWeight)).toEqual(heavy.map(() => 2))
  })

  it('is found quickly for texts made to be slow', () => {
    const made = ['a.'.repeat(5_000), '('.repeat(10_000), `https://a.com/${'('.repeat(9_000)}`]
    for (const text of made) expect(postWeight(text)).toBeGreaterThan(0)
  })
})

it.each([
  ['letters', 'Bitcoin', 7],
  ['a family', '👨‍👩‍👧‍👦', 1],
  ['a skin', '👍🏽', 1],
  ['two flags', '🇨🇭🇩🇪', 2],
  ['the flag of a part of a country', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 1],
  ['a keycap', '1️⃣', 1],
  ['combining marks', 'Z̧͑̓a', 2],
  ['composed and decomposed', 'éé', 2],
  ['Devanagari', 'क्षि', 1],
  ['Thai', 'กำ', 1],
  ['decomposed Hangul', '한', 1],
  ['CJK', '比特币', 3],
  ['right to left', 'שלום', 4],
  ['line breaks', 'a\r\nb\n', 4],
  ['nothing', '', 0],
])('the length of a text on Bluesky counts visible characters: %s', (_, text, n) => {
  expect([graphemes(text), new RichText({ text }).graphemeLength]).toEqual([n, n])
})

const LIMITS: Readonly<Record<string, number>> = { panel: PANEL_LIMIT, composer: COMPOSER_LIMIT }

it('weights, costs and faults of posts are as stored', () =>
  storedCases('post-length', {
    'the weight of a post': postWeight,
    'the fault of a text for Bluesky': (text) => textFault('bluesky', text, COMPOSER_LIMIT),
    'the fault of a post within a limit': (text, limit) =>
      postFault(text, LIMITS[limit] ?? Number(limit)),
    'the cost of a post with pictures': (text, pictures) => postCost(text, Number(pictures)),
    'whether a post has a link': hasUrl,
  }))

// The counter of Bluesky’s own clients.
import { RichText } from '@atproto/api'
import { describe, expect, it } from 'vitest'
import recorded from '#tests/data/x-lengths.json' with { type: 'json' }
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

  it.each([
    ['newer emoji than its tables', '🐦‍🔥', 2],
    ['a family of shapes', '🧑‍🧑‍🧒', 2],
    ['a keycap without its variation selector', '1⃣', 2],
  ])('counts %s as one emoji', (_, text, weight) => {
    expect(postWeight(text)).toBe(weight)
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

it.each([
  ['300 characters', 'a'.repeat(300), 'null'],
  ['301', 'a'.repeat(301), '301 of 300 characters'],
  ['100 families, 2,500 bytes', '👨‍👩‍👧‍👦'.repeat(100), 'null'],
  ['more than 3,000 bytes', '👨‍👩‍👧‍👦'.repeat(121), '3025 of 3000 bytes'],
  ['only invisible characters', ' \u200B', 'Please enter the text'],
])('a text is too long for Bluesky: %s', (_, text, fault) => {
  expect(String(textFault('bluesky', text, COMPOSER_LIMIT))).toContain(fault)
})

describe('texts that cannot be posted', () => {
  it.each([
    ['nothing', '', PANEL_LIMIT, 'Please enter tweet text'],
    ['spaces alone', ' \n\u200B\u2060', PANEL_LIMIT, 'Please enter tweet text'],
    ['one above the limit', 'a'.repeat(4_001), PANEL_LIMIT, '4001 of 4000'],
    ['one above the composer’s limit', 'a'.repeat(10_001), COMPOSER_LIMIT, '10001 of 10000'],
    ['an emoji too many', `${'a'.repeat(279)}😀`, 280, '281 of 280'],
    ['two cashtags', '$BTC or $MSTR', PANEL_LIMIT, '2 ($BTC, $MSTR)'],
    ['a character that X refuses', 'a\uFFFEb', PANEL_LIMIT, 'refuses'],
  ])('a text is refused: %s', (_, text, limit, fault) => {
    expect(postFault(text, limit)).toContain(fault)
  })

  it('accepts texts up to the limit', () => {
    expect(postFault('a'.repeat(4_000), PANEL_LIMIT)).toBeNull()
    expect(postFault('$BTC at $250k', 280)).toBeNull()
  })

  it('a post costs more with a link', () => {
    expect(postCost('No link here')).toBe(0.015)
    expect(postCost('See naka.foo')).toBe(0.2)
    expect(postCost('With two pictures described', 2)).toBe(0.025)
    expect(hasUrl('at $2.5k')).toBe(false)
  })
})

import recorded from '#tests/data/x-lengths.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import {
  COMPOSER_LIMIT,
  hasUrl,
  measurePost,
  PANEL_LIMIT,
  postCost,
  postFault,
  postWeight,
} from './post-length.ts'

/** What X's own counter, twitter-text 3.1.0, says of each text; recorded on 2026-11-22. Two texts of 428
 * are left out: addresses that run into another without a blank after a bracket or an emoji are counted otherwise there. */
const COUNTED = recorded.map((one) => [one.text, one] as const)

describe('the weight of a post', () => {
  it.each(COUNTED)(
    'the weight of a post is what X counts: %j',
    (text, { weight, links, cashtags }) => {
      expect(measurePost(text)).toMatchObject({ weight, links, cashtags })
      expect(postWeight(text)).toBe(weight)
    },
  )

  it.each([
    ['newer emoji than its tables', '🐦‍🔥', 2],
    ['a family of shapes', '🧑‍🧑‍🧒', 2],
    ['a keycap without its variation selector', '1⃣', 2],
  ])('the weight of a post counts %s as one emoji', (_, text, weight) => {
    expect(postWeight(text)).toBe(weight)
  })

  it('the weight of a post is found quickly for texts made to be slow', () => {
    const made = ['a.'.repeat(5_000), '('.repeat(10_000), `https://a.com/${'('.repeat(9_000)}`]
    for (const text of made) expect(postWeight(text)).toBeGreaterThan(0)
  })
})

describe('what keeps a text from being posted', () => {
  it.each([
    ['nothing', '', PANEL_LIMIT, 'Please enter tweet text'],
    ['spaces alone', ' \n\u200B\u2060', PANEL_LIMIT, 'Please enter tweet text'],
    ['one above the limit', 'a'.repeat(4_001), PANEL_LIMIT, '4001 of 4000'],
    ['one above the composer’s limit', 'a'.repeat(10_001), COMPOSER_LIMIT, '10001 of 10000'],
    ['an emoji too many', `${'a'.repeat(279)}😀`, 280, '281 of 280'],
    ['two cashtags', '$BTC or $MSTR', PANEL_LIMIT, '2 ($BTC, $MSTR)'],
    ['a character that X refuses', 'a\uFFFEb', PANEL_LIMIT, 'refuses'],
  ])('a text is kept from being posted: %s', (_, text, limit, fault) => {
    expect(postFault(text, limit)).toContain(fault)
  })

  it('nothing keeps a text up to the limit from being posted', () => {
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

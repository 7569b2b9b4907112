import fc from 'fast-check'
import twitterText from 'twitter-text'
import { describe, expect, it } from 'vitest'
import {
  DESK_LIMIT,
  hasUrl,
  measurePost,
  PANEL_LIMIT,
  postCost,
  postFault,
  postWeight,
} from './post-length.ts'

const judged = (text: string): number => twitterText.parseTweet(text).weightedLength
const judgedLinks = (text: string): string[] => twitterText.extractUrls(text.normalize('NFC'))

describe('the weight of a post', () => {
  it.each([
    'BTC to $250k by the end of 2027',
    '今日は $BTC',
    '₿ and • weigh two, – and “ one',
    'Crème brûlée, composed and de\u0301composed',
    'https://example.org/a/very/long/path?with=a&query=1#and-more is 23',
    'naka.foo and example.com, e.g. this one; Node.js is none',
    'See (https://en.wikipedia.org/wiki/Bitcoin_(disambiguation)) now.',
    'https://example.org.',
    'mail@example.org is no link, @user.com neither, $btc.x nor #a.com',
    'HTTP://EXAMPLE.ORG/ and xhttp://example.org',
    '日本語example.com日本語',
    'http://日本語.jp/path',
    'example.com/path?x=1 example.com?x=1 example.com:80/a',
    'http://localhost:3001/ http://127.0.0.1/',
    'a..b.com ..c.com -d.com _e.com f_g.com',
    'foo.com-bar foo.com+bar foo.com@bar foo.com_bar',
    'line one\nline two\twith a tab',
    '😀 👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️ 1️⃣ #️⃣ ©️ ☺',
    '🏳️‍🌈🏴‍☠️🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'https://t.co/abc123 https://x.com/someone/status/1?s=20',
    'a'.repeat(281),
    '漢'.repeat(141),
    '',
  ])('is what X counts: %s', (text) => {
    expect(postWeight(text)).toBe(judged(text))
    expect(measurePost(text).links).toEqual(judgedLinks(text))
  })

  it.each([
    ['newer emoji than its tables', '🐦‍🔥', 2],
    ['a family of shapes', '🧑‍🧑‍🧒', 2],
    ['a keycap without its variation selector', '1⃣', 2],
  ])('counts %s as one emoji', (_, text, weight) => {
    expect(postWeight(text)).toBe(weight)
  })

  it('agrees with X on texts put together at random', () => {
    const word = fc.constantFrom(
      'BTC',
      '$BTC',
      '$250k',
      'naka.foo',
      'https://a.org/b_(c)',
      'http://x.com',
      'e.g.',
      '漢字',
      '😀',
      '👍🏽',
      '₿',
      '“quoted”',
      'é',
      'e\u0301',
      'example.co.uk/path/',
      '(example.com)',
      '—',
      '.',
      '#tag',
      '@user',
    )
    const gap = fc.constantFrom(' ', '\n', ', ', ' - ', '. ')
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 12 }), (parts) => {
        const text = parts.flat().join('')
        expect([text, postWeight(text)]).toEqual([text, judged(text)])
      }),
      { numRuns: 2_000 },
    )
  })

  it('is found quickly for texts made to be slow', () => {
    const made = ['a.'.repeat(5_000), '('.repeat(10_000), `https://a.com/${'('.repeat(9_000)}`]
    for (const text of made) expect(postWeight(text)).toBeGreaterThan(0)
  })
})

describe('cashtags', () => {
  it.each([
    '$BTC',
    '$BTC and $MSTR',
    '$btc.x, $brk_a!',
    '$250k $1M',
    'a$BTC',
    'US$BTC $TOOLONGTAG',
    '($BTC)',
    '$BTC\n$MSTR',
  ])('are what X takes for them: %s', (text) => {
    const tags = twitterText.extractCashtags(text).map((tag) => `$${tag}`)
    expect(measurePost(text).cashtags).toEqual(tags)
  })
})

describe('what keeps a text from being posted', () => {
  it.each([
    ['nothing', '', PANEL_LIMIT, 'Please enter tweet text'],
    ['spaces alone', ' \n\u200B\u2060', PANEL_LIMIT, 'Please enter tweet text'],
    ['one above the limit', 'a'.repeat(4_001), PANEL_LIMIT, '4001 of 4000'],
    ['one above the desk’s limit', 'a'.repeat(10_001), DESK_LIMIT, '10001 of 10000'],
    ['an emoji too many', `${'a'.repeat(279)}😀`, 280, '281 of 280'],
    ['two cashtags', '$BTC or $MSTR', PANEL_LIMIT, '2 ($BTC, $MSTR)'],
    ['a character that X refuses', 'a\uFFFEb', PANEL_LIMIT, 'refuses'],
  ])('%s', (_, text, limit, fault) => {
    expect(postFault(text, limit)).toContain(fault)
  })

  it('is nothing for a text up to the limit', () => {
    expect(postFault('a'.repeat(4_000), PANEL_LIMIT)).toBeNull()
    expect(postFault('$BTC at $250k', 280)).toBeNull()
  })

  it('costs more with a link', () => {
    expect(postCost('No link here')).toBe(0.015)
    expect(postCost('See naka.foo')).toBe(0.2)
    expect(postCost('With two pictures described', 2)).toBe(0.025)
    expect(hasUrl('at $2.5k')).toBe(false)
  })
})

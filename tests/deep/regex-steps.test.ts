import { countedExec, hostileTexts, patternsOf, stepsOf } from '#tests/support/regex-steps.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readContact, readEmail } from '#domain/money/contact.ts'
import { instructionsIn } from '#domain/posts/instructions.ts'
import { bareHandle, foldName, isolatedName, slugOf } from '#domain/people/name.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { measurePost } from '#domain/publishing/post-length.ts'
import { addressesIn, readPostUrl } from '#domain/posts/post-url.ts'
import {
  type Case,
  DATE_CASES,
  IDIOM_CASES,
  LANGUAGE_CASES,
  NO_POSTS,
  PLAIN_POSTS,
  PRICE_CASES,
} from '#tests/data/case.ts'
import { foreignLanguage } from '#domain/posts/language.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { readPostDate } from '#domain/posts/reading-fields.ts'
import { readNumber, readPrice } from '#domain/price-text.ts'
import { cleanText } from '#domain/clean-text.ts'
import { searchWords } from '#domain/review.ts'
import { readSourceAddress } from '#domain/web-address.ts'

const NO_DETECTOR = { detect: () => ({ language: '', isReliable: () => false }) }

/** The readers of texts from strangers, with samples that use all of their patterns. */
const READERS: Readonly<
  Record<string, { samples: readonly string[]; read: (text: string) => void }>
> = {
  'a post': {
    samples: [...PRICE_CASES, ...DATE_CASES, ...IDIOM_CASES, ...LANGUAGE_CASES]
      .map(([text]: Case) => text)
      .concat(
        PLAIN_POSTS.map(([text]) => text),
        NO_POSTS,
      ),
    read: (text) => {
      const said = `BTC to $100k by 2027 ${text} $200k`
      readPost(said, { posted: readPostDate('2026-03-10'), bitcoinUsd: 100_000 })
      instructionsIn(said)
      void foreignLanguage(said, () => Promise.resolve(NO_DETECTOR))
    },
  },
  'the length of a post': {
    samples: ['See https://example.org/a?b=c and x.com, @jane #btc 👍🏽', ' \n '],
    read: (text) => void measurePost(text),
  },
  'a price': {
    samples: ['$80,000 - 120k', '1.250m usd', '.5', '-1', '1,00,000', 'x'],
    read: (text) => {
      readPrice(text)
      readNumber(text)
    },
  },
  'a contact': {
    samples: [
      'jane@example.org',
      '⚡ jane@example.org',
      'lightning:lnurl1dp68',
      'lnurlp://example.org/x',
      'https://example.org/?a=b&lightning=lnurl1dp68',
    ],
    read: (text) => {
      readContact(text)
      readContact(text, true)
      readEmail(text)
    },
  },
  'a name or an address': {
    samples: [
      '@Jane',
      'https://x.com/jane/status/1790000000000000000?s=20',
      'José  Ñandú',
      'a, b/c',
    ],
    read: (text) => {
      bareHandle(text)
      slugOf(text)
      foldName(text)
      isolatedName(text)
      readPostUrl(text)
      readSourceAddress(text)
      addressesIn(text, 100)
      holdsSecretKey(text)
      searchWords(text)
      cleanText(text)
    },
  },
}

/** Whether twice the text takes about twice the steps, and an end is reached at all. */
function isLinear(steps: (length: number) => number, length: number): boolean {
  const twice = steps(2 * length)
  return Number.isFinite(twice) && twice <= 2.6 * steps(length)
}

describe.each(Object.entries(READERS))('%s', (_, { samples, read }) => {
  it('a module reads with patterns that take time linear in the text', () => {
    const patterns = patternsOf(() => samples.forEach(read))
    expect(patterns.size).toBeGreaterThan(2)
    const slow: string[] = []
    for (const [name, pattern] of patterns) {
      for (const text of hostileTexts(pattern)) {
        const long = (length: number): string => text(Math.ceil(length / text(1).length))
        const alone = (length: number): number => {
          pattern.lastIndex = 0
          return countedExec(pattern, long(length)).steps
        }
        if (isLinear(alone, 200)) continue
        // Many look at a short piece of the text only: then it is the piece that counts, and the number of pieces.
        const within = (length: number): number =>
          stepsOf(name, () => {
            read(long(length))
            read(`1${long(length)}1`)
          })
        if (!isLinear(within, 2_000) || within(200) > 100_000) {
          slow.push(`${JSON.stringify(text(3))} for ${name.slice(0, 200)}`)
        }
      }
    }
    expect(slow).toEqual([])
  })
})

describe('the count', () => {
  it('the count finds what the engine finds', () => {
    const { samples, read } = READERS['a post'] ?? { samples: [], read: () => {} }
    const patterns = [...patternsOf(() => samples.forEach(read)).values()]
    fc.assert(
      fc.property(fc.constantFrom(...patterns), fc.constantFrom(...samples), (pattern, text) => {
        pattern.lastIndex = 0
        const { found } = countedExec(pattern, text)
        const own = pattern.exec(text)
        expect(found).toEqual(own && [own.index, own.index + own[0].length])
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([/(?:a+)+$/, /\s+$/, /a*b|.*c/])('the count sees that %s takes more', (pattern) => {
    const steps = (length: number): number =>
      Math.max(...hostileTexts(pattern).map((text) => countedExec(pattern, text(length)).steps))
    expect(isLinear(steps, 200)).toBe(false)
  })
})

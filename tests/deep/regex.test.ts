import { Script, createContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNumber, readPrice } from '#domain/claim/written.ts'
import { cleanText } from '#domain/clean-text.ts'
import { readContact, readEmail } from '#domain/money/contact.ts'
import { bareHandle, foldName, isolatedName, slugOf } from '#domain/people/name.ts'
import { instructionsIn } from '#domain/posts/instructions.ts'
import { foreignLanguage } from '#domain/posts/language.ts'
import { addressesIn, readPostUrl } from '#domain/posts/post-url.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { readPostDate } from '#domain/posts/reading-fields.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { measurePost } from '#domain/publishing/post-length.ts'
import { searchWords } from '#domain/review.ts'
import { readSourceAddress } from '#domain/web-address.ts'
import {
  DATE_CASES,
  IDIOM_CASES,
  LANGUAGE_CASES,
  NO_POSTS,
  PLAIN_POSTS,
  PRICE_CASES,
} from '#tests/data/case.ts'

const NO_DETECTOR = { detect: () => ({ language: '', isReliable: () => false }) }

/** The parsers of untrusted texts, with samples that use all of their patterns. */
const READERS: Readonly<
  Record<string, { samples: readonly string[]; read: (text: string) => void }>
> = {
  'a post': {
    samples: [
      ...[...PRICE_CASES, ...DATE_CASES, ...IDIOM_CASES, ...LANGUAGE_CASES, ...PLAIN_POSTS].map(
        ([text]) => text,
      ),
      ...NO_POSTS,
    ],
    read: (text) => {
      const post = `BTC to $100k by 2027 ${text} $200k`
      readPost(post, { posted: readPostDate('2026-03-10'), bitcoinUsd: 100_000 })
      instructionsIn(post)
      void foreignLanguage(post, () => Promise.resolve(NO_DETECTOR))
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

/** Inputs for loops: characters of each kind, and beginnings of several patterns. */
const SIGNS = Array.from(' a1.$,-?"\'kX%~:/@(&_=#\n…🚀é€')
const PIECES = [...SIGNS, ...SIGNS.flatMap((a) => SIGNS.map((b) => a + b)), '1,000', '$1', 'a. ']
const LENGTH = 10_000
/** A linear pattern takes less than a thousandth of this, even on a busy machine. */
const WITHIN_MS = 300

/** The patterns used by `work`, each with a text that it matched. All methods of strings and patterns call `exec`. */
function patternsOf(work: () => void): (readonly [RegExp, string])[] {
  const used = new Map<string, readonly [RegExp, string]>()
  const patterns: { exec: (this: RegExp, text: string) => RegExpExecArray | null } =
    RegExp.prototype
  const own = patterns.exec
  patterns.exec = function (text) {
    // To split a text, the engine makes a sticky copy.
    const flags = this.flags.replace('y', '')
    const key = `${flags} ${this.source}`
    const found = own.call(this, text)
    used.set(key, [new RegExp(this.source, flags), used.get(key)?.[1] || (found?.[0] ?? '')])
    return found
  }
  try {
    work()
  } finally {
    patterns.exec = own
  }
  return [...used.values()]
}

/**
 * Some texts that a pattern matches, if they can be generated; fast-check does not support word boundaries and
 * lookaround.
 */
function matchedBy({ source, flags }: RegExp): string[] {
  try {
    const plain = source.replaceAll(/\\b|\(\?<?[=!](?:[^()[\]\\]|\\.|\[(?:[^\]\\]|\\.)*\])*\)/g, '')
    const pattern = new RegExp(plain, flags.replaceAll(/[gi]/g, ''))
    return fc.sample(fc.stringMatching(pattern), { numRuns: 3, seed: 1 })
  } catch {
    return []
  }
}

const repeated = (piece: string, before = ''): string =>
  `${before}${piece.repeat(Math.ceil(LENGTH / piece.length))}\u0001`
const HOSTILE = PIECES.map((piece) => repeated(piece))

/** Loops are reached from the beginning, and after the beginning of a match. */
function textsFor(pattern: RegExp, found: string): string[] {
  const begun = [found, ...matchedBy(pattern)].flatMap((matched) => [matched, matched.slice(0, -1)])
  const behind = begun.flatMap((before) =>
    SIGNS.flatMap((sign) => [repeated(sign, before), repeated(before + sign)]),
  )
  return [...HOSTILE, ...behind]
}

const script = new Script('for (const text of texts) { last = text; pattern.exec(text) }')

/** The first text on which a pattern takes too long; null if none. */
function slowText(pattern: RegExp, texts: readonly string[]): string | null {
  const world = createContext({ pattern, texts, last: '' })
  try {
    script.runInContext(world, { timeout: WITHIN_MS + texts.length })
    return null
  } catch {
    return String(world['last'])
  }
}

describe.each(Object.entries(READERS))('%s', (_, { samples, read }) => {
  it('is read in time linear in the text', () => {
    const patterns = patternsOf(() => samples.forEach(read))
    expect(patterns.length).toBeGreaterThan(2)
    const slow = patterns.flatMap(([pattern, found]) => {
      const text = slowText(pattern, textsFor(pattern, found))
      if (text === null) return []
      // Many only look at a short part of the text.
      const began = process.cpuUsage()
      read(text)
      const { user } = process.cpuUsage(began)
      return user / 1_000 > WITHIN_MS
        ? [`${pattern.source.slice(0, 200)} on ${text.slice(0, 9)}`]
        : []
    })
    expect(slow).toEqual([])
  })
})

it.each([/(?:a+)+$/, /\s+$/, /a*b|.*c/])('%s takes longer with longer input', (pattern) => {
  expect(slowText(pattern, textsFor(pattern, 'a'))).not.toBeNull()
})

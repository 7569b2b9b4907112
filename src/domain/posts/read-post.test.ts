import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import {
  postedOf,
  readingLine,
  DATE_CASES,
  HELD_OUT_CASES,
  IDIOM_CASES,
  LANGUAGE_CASES,
  PRICE_CASES,
  fullLine,
  NO_POSTS,
  PLAIN_POSTS,
} from '#tests/data/case.ts'
import { rounds } from '#tests/support/deep.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { words } from '#tests/support/words.ts'
import { instructionsIn } from './instructions.ts'
import { levelsIn } from './levels.ts'
import { type Quote, endsIn, MOST_TEXT, plainPost, sentencesOf } from './plain.ts'
import { type PostPrediction } from './post-reading.ts'
import { readPost } from './read-post.ts'
import { fieldsOfReading, readPostDate } from './reading-fields.ts'

const POSTED = readPostDate('2026-03-10')
const read = (text: string) => readPost(text, { posted: POSTED })

function predicted(text: string): PostPrediction {
  const reading = read(text)
  if (!reading.found) throw new Error(`no prediction: ${reading.why}`)
  return reading.prediction
}

/** Such as `btc target $150,000 2026-03-10..2026-06-30, asset-assumed`. */
function lineOf({ asset, claim, from, by, cautions }: PostPrediction): string {
  const [start, end] = [from, by].map((at: Day | null) => (at === null ? '' : isoDay(at)))
  return [`${asset} ${claim.type} ${showClaim(claim)} ${start}..${end}`, ...cautions].join(', ')
}

function quotesOf({ quotes }: PostPrediction): readonly Quote[] {
  const { asset, type, low, high, deadline, timing, direction } = quotes
  return [asset, type, low, high, deadline, timing, direction].filter((one) => one !== null)
}

describe.each([
  ['prices', PRICE_CASES],
  ['dates', DATE_CASES],
  ['language', LANGUAGE_CASES],
  ['idioms', IDIOM_CASES],
])('%s', (_, cases) => {
  it.for(cases)('the post %j is read as %s', (one) => {
    const [text, line] = one
    expect(readingLine(readPost(text, { posted: postedOf(one) }))).toBe(line)
  })
})

describe('the words behind each field', () => {
  it('are quoted with their places', () => {
    const { quotes } = predicted('My call: #BTC at least $150k–$160k before the end of Q3, ok')
    expect(quotes).toEqual({
      asset: { start: 9, end: 13, words: '#BTC' },
      type: { start: 14, end: 22, words: 'at least' },
      low: { start: 23, end: 28, words: '$150k' },
      high: { start: 29, end: 34, words: '$160k' },
      deadline: { start: 35, end: 55, words: 'before the end of Q3' },
      timing: null,
      direction: null,
    })
  })

  it('count in UTF-16 units behind emoji', () => {
    const text = '🚀🚀 Bitcoin 🎯 $180k by Oct 🧵'
    for (const { start, end, words } of quotesOf(predicted(text))) {
      expect(text.slice(start, end)).toBe(words)
    }
  })

  it('are those of the post when X has escaped characters for HTML', () => {
    expect(predicted('BTC &gt;90k by EOY').quotes.type.words).toBe('&gt;')
  })

  it('are missing for an asset that is not named', () => {
    const { quotes, cautions } = predicted('$180,000 in 2026')
    expect(quotes.asset).toBeNull()
    expect(cautions).toContain('asset-assumed')
  })
})

it('what a post predicts is read as stored, the main prediction first', () =>
  storedCases('read-post', {
    'a post of 10 March 2026': (text) => {
      const reading = read(text)
      if (!reading.found) return reading.why
      return [reading.prediction, ...reading.others].map(lineOf).join('; ')
    },
    'a post, with the price of bitcoin': (text, usd) => {
      const reading = readPost(text, { posted: POSTED, bitcoinUsd: Number(usd) })
      return reading.found ? lineOf(reading.prediction) : reading.why
    },
    'text hidden from people, after “Bitcoin will hit $150k by the end of 2027”': (hidden) => {
      const text = `Bitcoin will hit $150k by the end of 2027 ${hidden}`
      expect(instructionsIn(text)).not.toBeNull()
      return lineOf(predicted(text))
    },
  }))

/** Parts that the rules look for, in any order, and anything else between. */
const PIECES = [...PRICE_CASES, ...DATE_CASES, ...LANGUAGE_CASES].flatMap(([text]) =>
  text.split(' '),
)
const soup = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), {
    maxLength: 60,
  })
  .map((words) => words.join(' '))

it('any text is read without an error, with every quote from the text', () => {
  fc.assert(
    fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (text) => {
      const reading = read(text)
      for (const prediction of reading.found ? [reading.prediction, ...reading.others] : []) {
        for (const { start, end, words } of quotesOf(prediction)) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(text.slice(start, end)).toBe(words)
        }
        expect(prediction.by === null).toBe(prediction.quotes.deadline === null)
      }
    }),
    { numRuns: rounds(400, 2_000) },
  )
})

it.each([
  ...words(`
    1 $ 1, $1- 2026- " (( ? A http:// q1 ' &gt; 🚀 1/1/ _ . 1.
  `),
  '\n',
  ...' |1 |100k |a |a million |by |in the next |not |May |2026 |BTC |if |or '.split('|'),
  ...'either |between |@a |Ab |BTC 100k by EOY, |will not |the end of |stop at '.split('|'),
  ...'market cap of |bottom is at |hit |top |odds of |my friend bets |the 31st '.split('|'),
  ...'100k to 50k |the day we '.split('|'),
])('a text of the maximum length is read to its end: %j', (piece) => {
  // Time that grows with the square of the length, or faster, runs into the time limit of a test.
  const text = piece.repeat(Math.ceil(MOST_TEXT / piece.length)).slice(0, MOST_TEXT - 40)
  read(text)
  read(`BTC ${text.slice(0, -40)} $100k by EOY`)
  const { levels } = levelsIn(plainPost(`${text} .\n$100k by EOY`).plain, [])
  expect(levels.at(-1)?.min).toBe(100_000)
})

it('posts in whole sentences are read well enough to be the default without a key', () => {
  let [has, exact, invented, wrongAsset] = [0, 0, 0, 0]
  for (const one of HELD_OUT_CASES) {
    const [text, expected] = one
    const [asset, , , by] = expected.split(' ')
    const reading = readPost(text, { posted: postedOf(one) })
    const fields = fieldsOfReading(reading)
    if (fields.has_prediction === (expected !== 'none')) has += 1
    if (readingLine(reading) === expected) exact += 1
    if (fields.target_time !== null && (by === undefined || by === '-')) invented += 1
    if (fields.has_prediction && fields.asset_type !== asset) wrongAsset += 1
  }
  const share = (count: number): number => count / HELD_OUT_CASES.length
  expect(share(has)).toBeGreaterThanOrEqual(0.95)
  expect(share(exact)).toBeGreaterThanOrEqual(0.85)
  expect({ invented, wrongAsset }).toEqual({ invented: 0, wrongAsset: 0 })
})

/** Sentence end as a pattern; quadratic in the length of a run of dots. */
const END = /\n+|[.!?\u2026\u3002]+["')\]]*(?=\s|$)|[!?]+(?=\p{L})/gu
const SHOUT = fc.string({
  unit: fc.constantFrom(...Array.from('..!?\u2026\u3002"\')] \n\na1\u00E9\u{1D400}')),
  maxLength: 40,
})

it('the sentences of a post end where the pattern says', () => {
  fc.assert(
    fc.property(SHOUT, (text) => {
      const ends = [...text.matchAll(END)].map(({ index, 0: mark }) => {
        return { start: index, end: index + mark.length }
      })
      expect(endsIn(text)).toMatchObject(ends)
      const questions = sentencesOf(text).map((one) => one.asks)
      expect(questions).toEqual(sentencesOf(text).map((one) => /\?[!?"')\]]*$/.test(one.text)))
    }),
    { numRuns: rounds(400, 2_000) },
  )
})

it.each(['.', '!', '?', '?)', '."', '\u2026!', '\n', '?!a', '. ', '"'])(
  'the sentences of a post are found in time linear in the text: %j',
  (piece) => {
    const readsOf = (length: number): number => {
      let count = 0
      // Every read of a character is counted; a clock would prove nothing on a busy machine.
      endsIn(piece.repeat(length).slice(0, length), () => (count += 1))
      return count
    }
    expect(readsOf(20_000)).toBeLessThanOrEqual(2.1 * readsOf(10_000))
    expect(readsOf(20_000)).toBeLessThanOrEqual(20_000 * 6)
  },
)

it('only the first prices of an endless list are examined', () => {
  const reading = read('BTC $100k by EOY, '.repeat(1_000))
  expect(reading.found && reading.others.length).toBe(499)
})

const readFully = (text: string) => fullLine(readPost(text, { posted: POSTED, bitcoinUsd: 80_000 }))

it('reads plain posts as labelled, and finds no prediction in the others', () => {
  const labelled = PLAIN_POSTS.map(([text, line, instead = line]) => [text, instead])
  const expected = [...labelled, ...NO_POSTS.map((text) => [text, 'none'])]
  expect(expected.map(([text = '']) => [text, readFully(text)])).toEqual(expected)
})

it('most labels are exact, and no reading invents levels, deadlines or assets', () => {
  const exact = PLAIN_POSTS.filter(([, , instead]) => instead === undefined)
  expect(exact.length / PLAIN_POSTS.length).toBeGreaterThanOrEqual(0.95)
  const invented = PLAIN_POSTS.filter(([, expected, read = expected]) => {
    const [asset, , levels, by] = read.split(' ')
    const [ownAsset, , ownLevels, ownBy] = expected.split(' ')
    const isMore = asset !== ownAsset || levels !== ownLevels || (by !== '-' && by !== ownBy)
    return asset !== 'none' && isMore
  })
  expect(invented).toEqual([])
})

import { expect, it } from 'vitest'
import { readPost } from '#domain/posts/read-post.ts'
import { quotedWords } from './extraction-reply.ts'
import { textReading } from './merge-readings.ts'

function quoted(text: string): string | null {
  return quotedWords(text, textReading(readPost(text, { posted: null })).spans)
}

it.each([
  [
    'gm. Bitcoin will hit $250k by 31 December 2027, I say.',
    /^Bitcoin .*\$250k by 31 December 2027$/,
  ],
  ['My $BTC call: between $80k and $120k by 31 March 2027!', /\$80k and \$120k by 31 March 2027$/],
])('a quotation of %j is one passage', (text, message) => {
  expect(quoted(text)).toMatch(message)
})

it('a quotation omits distant words, and is null without any', () => {
  const apart = `Bitcoin. ${'All is well. '.repeat(14)}It will hit $250k by 31 December 2027.`
  const [start, end] = [apart.indexOf('$250k'), apart.length]
  const spans = {
    asset_type: { start: 0, end: 7, text: 'Bitcoin' },
    price_target: { start, end: start + 5, text: '$250k' },
    target_time: { start: start + 6, end: end - 1, text: 'by 31 December 2027' },
  }
  expect(quotedWords(apart, spans)).toBe('$250k by 31 December 2027')
  expect(quotedWords(apart, { ...spans, price_min: { start: 0, end: 1, text: 'B' } })).toBeNull()
  expect(quotedWords(apart, {})).toBeNull()
})

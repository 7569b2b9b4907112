import { expect, it } from 'vitest'
import { cleanLine, cleanText, onlyTexts } from './clean-text.ts'

it.each([
  ['  a\r\nb\tc\rd ', 'a\nb c\nd', 'a b c d'],
  ['x\u0000\u0008\u001F\u007F\u0085\u009Fy\u202Ez', 'xyz', 'xyz'],
  ['\uD83Da\uDE00 \uD83D\uDE00\uFFFE\uFDD0\u{1FFFF}', 'a \u{1F600}', 'a \u{1F600}'],
  [null, '', ''],
])('the text %j is stored as %j, on one line as %j', (input, cleaned, line) => {
  expect([cleanText(input), cleanLine(input)]).toEqual([cleaned, line])
})

it('JSON is cleaned in every string, and returned as is without invalid characters', () => {
  const input = { a: [{ b: 'x\tx\n' }, 1, null, true], c: undefined }
  expect(onlyTexts(input)).toBe(input)
  expect(onlyTexts({ 'a\u0008': [{ b: 'x\u007F' }, 1, 'y'] })).toEqual({ a: [{ b: 'x' }, 1, 'y'] })
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(JSON.stringify(onlyTexts(deep))).toMatch(/^\[+null\]+$/)
})

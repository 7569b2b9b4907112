import { type Span } from './span.ts'

/** Quotes, dashes and spaces that people and models write in more than one way. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u02BC\u2032\u00B4`]/, "'"],
  [/[\u201C\u201D\u201E\u00AB\u00BB\u2033]/, '"'],
  [/[\u2010-\u2015\u2212]/, '-'],
  [/\s|[\u200B\u2060\uFEFF]/, ' '],
]
const ENDS = /^[\s"'.,;:…[\](){}]+|[\s"'.,;:…[\](){}]+$/g
const WORD = /[\p{L}\p{N}]/u
const DIGIT = /\p{N}/u
/** Letters of languages that put no blanks between words, or endings and prefixes on names. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Arabic}\p{Script=Cyrillic}\u30FC]/u

/**
 * Finds words in a text, whatever the case of letters and the length of spaces. Parts of words do not count: "5k" is not
 * in "125k". Where words are not separated by blanks, any place will do, but never within a number.
 *
 * @returns null when they are not there in one piece
 */
export function findWords(text: string, words: string): Span | null {
  const wanted = folded(words).plain.replaceAll(ENDS, '')
  if (wanted === '') return null
  const { plain, places } = folded(text)
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (joins(plain, at - 1, at) || joins(plain, end - 1, end)) continue
    const start = places[at] ?? 0
    const last = places[end - 1] ?? start
    return { start, end: last + unitsAt(text, last) }
  }
  return null
}

/** Whether two neighbouring characters belong to one word. */
function joins(plain: string, left: number, right: number): boolean {
  const [before, after] = [plain.charAt(left), plain.charAt(right)]
  if (!WORD.test(before) || !WORD.test(after)) return false
  if (DIGIT.test(before) && DIGIT.test(after)) return true
  return !UNSPACED.test(before) && !UNSPACED.test(after)
}

/** The text for comparing, and the place of each of its units in the original. */
function folded(text: string): { plain: string; places: readonly number[] } {
  let plain = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const same = SAME.find(([those]) => those.test(character))?.[1] ?? character.toLowerCase()
    if (same !== ' ' || !plain.endsWith(' ')) {
      plain += same
      for (let unit = 0; unit < same.length; unit += 1) places.push(at)
    }
    at += character.length
  }
  return { plain, places }
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

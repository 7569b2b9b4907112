import { foldText, rewritten, type Mapped } from '#domain/fold-text.ts'
import { type Span } from './span.ts'

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
  const { plain, starts, ends } = folded(text)
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (joins(plain, at - 1, at) || joins(plain, end - 1, end)) continue
    return { start: starts[at] ?? 0, end: ends[end - 1] ?? text.length }
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

/** The text for comparing. */
function folded(text: string): Mapped {
  const found = rewritten(foldText(text), /\s+/g, () => ' ')
  const plain = Array.from(found.plain, (one) => {
    const small = one.toLowerCase()
    return small.length === one.length ? small : one
  }).join('')
  return { ...found, plain }
}

import { type Span } from './span.ts'

/** Longer than any post on X can be; what lies behind is not read. */
export const MOST_TEXT = 25_000

/** Characters that mean the same as a plain one. All are one UTF-16 unit, so that places in the text stay. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u02BC\u2032\u00B4`]/g, "'"],
  [/[\u201C\u201D\u201E\u00AB\u00BB\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00A0\u2000-\u200B\u202F\u205F\u2060\u3000\t\f\v]|\u200C|\u200D|\uFE0F/g, ' '],
  [/[\u2028\u2029\r]/g, '\n'],
  [/[\u2248\u223C\u301C\uFF5E]/g, '~'],
]

/** What X writes for characters of HTML. */
const ESCAPED: readonly (readonly [RegExp, string])[] = [
  [/&gt;/g, '>>>>'],
  [/&lt;/g, '<<<<'],
  [/&amp;/g, '&    '],
]

/** Addresses and names of accounts: their letters and digits say nothing about prices. */
const UNREAD = /\bhttps?:\/\/[^\s]+|\b(?:www\.|t\.co\/|pic\.twitter\.com\/)[^\s]+|@\w{1,40}/gi

/**
 * The text as the rules read it: quotes, dashes and blanks of one kind, addresses and account names blotted out with
 * `_`. Each character keeps its place, so a span in it is the same span in the post.
 */
export function plainText(text: string): string {
  let plain = text.slice(0, MOST_TEXT)
  for (const [those, one] of [...SAME, ...ESCAPED]) plain = plain.replace(those, one)
  plain = plain.replace(/[\uFF01-\uFF5D]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  )
  return plain.replace(UNREAD, (found) => '_'.repeat(found.length))
}

export type Sentence = Span & {
  readonly text: string
  /** Its last mark is a question mark. */
  readonly asks: boolean
}

/** Words whose full stop ends no sentence. */
const SHORTENED =
  /(?:\b(?:vs|est|approx|ca|eg|e\.g|i\.e|etc|mr|dr|st|no|yr|yrs|mo|mos|inc|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|e\.o\.y|e\.o|e)|\b[a-z])$/i
/** "2. Bitcoin hits 150k": a number at the start of a line. */
const LIST_NUMBER = /(?:^|\n)\s{0,4}\d{1,2}$/
const END = /\n+|[.!?\u2026\u3002]+["')\]]*(?=\s|$)|[!?]+(?=\p{L})/gu

/** The sentences in order; a line break ends one, too. Blank ones are left out. */
export function sentencesOf(plain: string): readonly Sentence[] {
  const found: Sentence[] = []
  let from = 0
  const add = (end: number): void => {
    const piece = plain.slice(from, end)
    const start = from + (piece.length - piece.trimStart().length)
    const text = piece.trim()
    if (text !== '') {
      found.push({ start, end: start + text.length, text, asks: /\?[!?"')\]]*$/.test(text) })
    }
    from = end
  }
  for (const mark of plain.matchAll(END)) {
    const end = mark.index + mark[0].length
    const before = plain.slice(Math.max(from, mark.index - 8), mark.index)
    if (mark[0] === '.' && (SHORTENED.test(before) || LIST_NUMBER.test(before))) continue
    add(end)
  }
  add(plain.length)
  return found
}

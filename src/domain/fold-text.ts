/** A text with the original range of each of its UTF-16 units. */
export type Mapped = {
  readonly plain: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

const SAME = new Map(
  [
    ["'", '\u2018\u2019\u02BC\u2032\u00B4`'],
    ['"', '\u201C\u201D\u201E\u00AB\u00BB\u2033'],
    ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212'],
    ['\n', '\u2028\u2029\r\n'],
    [' ', '\u2800'],
    [',', '\u060C\u066C\u201A'],
    ['.', '\u066B\u2024'],
    ['~', '\u2248\u223C\u301C\uFF5E'],
  ].flatMap(([plain = '', those = '']) => Array.from(those, (one) => [one, plain] as const)),
).set('\r\n', '\n')
const ESCAPED = new Map([
  ['&gt;', '>'],
  ['&lt;', '<'],
  ['&amp;', '&'],
])
const PIECE = /&(?:gt|lt|amp);|\r\n|[^][\p{M}\p{DI}]*/gu
const INVISIBLE = /\p{DI}|(?!\s)\p{Cc}/gu
/** Letters, digits and signs in another width, weight or enclosure. */
const STYLED =
  /[\u00B2\u00B3\u00B9\u1D2C-\u1D6A\u1D9C-\u1DBB\u2070-\u209C\u2102-\u2115\u2116\u2119-\u211D\u2124-\u2138\u2460-\u24EA\uFB00-\uFB06\uFE50-\uFE6B\uFF01-\uFF5D\u{1D400}-\u{1D7FF}\u{1F100}-\u{1F10A}\u{1F130}-\u{1F149}]/u
const SMALL_CAPITALS = Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ\0ʏᴢ')
/** Enclosed digits that Unicode does not decompose: the first of each series and its value. */
const FRAMED = [
  [0x2776, 1, 10],
  [0x2780, 1, 10],
  [0x278a, 1, 10],
  [0x24eb, 11, 10],
  [0x24f5, 1, 10],
  [0x24ff, 0, 1],
  [0x1f51f, 10, 1],
] as const
/** Combining marks that strike out a character. */
const STRUCK = /[\u0334-\u0338\u20D2\u20D3\u20D8-\u20DA\u20E0\u20E5-\u20E8\u20EA\u20EB]/
const UNIT_BEHIND = /^(?:[.,]?\d| ?(?:[kmb]|mm|mio|bn|thousand|million|billion)(?!\p{L}))/iu
/**
 * Characters that make adjacent digits ambiguous, as in `1½`. Letters, spaces, arrows, currencies and ASCII signs
 * between numbers are fine.
 */
const UNKNOWN = String.raw`[\p{No}\p{Nl}\p{Co}\p{Cs}\uFFFD]`
const UNKNOWN_BETWEEN = String.raw`(?:${UNKNOWN}|[*^\\]|(?![\x00-\x7F\p{Sc}→➡➜⟶…•×≤≥\u3000-\u303F])[\p{P}\p{S}]){1,4}`
const BROKEN_BEFORE = new RegExp(String.raw`(?:${UNKNOWN}|\d${UNKNOWN_BETWEEN})$`, 'u')
const BROKEN_AFTER = new RegExp(String.raw`^(?:${UNKNOWN}|${UNKNOWN_BETWEEN}\d)`, 'u')

/**
 * Normalizes a text to plain characters: one kind of quotes, dashes, spaces and digits, styled letters as plain ones,
 * invisible characters removed. Enclosed list numbers (`2️⃣`) become bullets. Digits that mix styles, are struck out or
 * touch unreadable characters become `_`. Linear time.
 */
export function foldText(text: string): Mapped {
  const starts: number[] = []
  const ends: number[] = []
  let plain = ''
  let styles = ''
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const { as, style = ' ' } = foldPiece(piece)
    plain += as
    styles += style.repeat(as.length)
    for (let i = 0; i < as.length; i += 1) {
      starts.push(index)
      ends.push(index + piece.length)
    }
  }
  return rewritten({ plain, starts, ends }, /\d+/g, ({ 0: digits, index }) => {
    const end = index + digits.length
    const style = styles.slice(index, end)
    const [before, after] = [
      plain.slice(Math.max(0, index - 10), index),
      plain.slice(end, end + 12),
    ]
    // `$1️⃣ 5️⃣` may be one number or several.
    const isSpaced =
      style.startsWith(FRAME) &&
      (styles.startsWith(` ${FRAME}`, end) || styles.startsWith(`${FRAME} `, index - 2))
    const isBroken = isSpaced || BROKEN_BEFORE.test(before) || BROKEN_AFTER.test(after)
    if (isBroken || style.includes(STRUCK_OUT) || /(.)(?!\1)./.test(style)) {
      return '_'.repeat(digits.length)
    }
    if (style.startsWith(' ')) return null
    // A superscript digit after a word is a footnote.
    if (style.startsWith(RAISED)) return /[\p{L})"'.!?]$/u.test(before) ? ' ' : null
    const isAmount = /[$\d.,] ?$/.test(before) || UNIT_BEHIND.test(after)
    return isAmount || digits.length > 2 ? null : '\u2022'
  })
}

const FRAME = 'k'
const RAISED = 's'
const STRUCK_OUT = 'x'

function foldPiece(piece: string): { readonly as: string; readonly style?: string } {
  if (piece.length === 1 && piece >= ' ' && piece < '\x7F' && piece !== '`') return { as: piece }
  const same = SAME.get(piece) ?? ESCAPED.get(piece)
  if (same !== undefined) return { as: same }
  const [first = '', ...marks] = piece.replace(INVISIBLE, '')
  if (first === '') return { as: '' }
  const digit = digitOf(first)
  if (digit !== null) {
    const isFramed = !/\p{Nd}/u.test(first) || marks.includes('\u20E3')
    const style = marks.some((one) => STRUCK.test(one)) ? STRUCK_OUT : isFramed ? FRAME : ' '
    return { as: digit, style }
  }
  if (/\s/.test(first)) return { as: ' ' }
  const plain = SAME.get(first) ?? letterOf(first)
  if (/^\d$/.test(plain)) return { as: plain, style: RAISED }
  if (marks.length === 0) return { as: plain }
  const whole = (plain + marks.join('')).normalize('NFC')
  return { as: /^[\x20-\x7E]./u.test(whole) ? plain : whole }
}

function digitOf(one: string): string | null {
  const code = one.codePointAt(0) ?? 0
  const framed = FRAMED.find(([first, , count]) => code >= first && code < first + count)
  if (framed) return String(code - framed[0] + framed[1])
  const plain = STYLED.test(one) ? one.normalize('NFKC') : one
  if (/[\u2460-\u24EA\u{1F100}-\u{1F10A}]/u.test(one)) return /\d+/.exec(plain)?.[0] ?? null
  if (!/\p{Nd}/u.test(one)) return null
  if (/^\d$/.test(plain)) return plain
  // The digits of a script are contiguous.
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value % 10)
}

function letterOf(one: string): string {
  const code = one.codePointAt(0) ?? 0
  const framed = code - (code >= 0x1f170 ? 0x1f170 : 0x1f150)
  if (code >= 0x1f150 && framed < 26) return String.fromCharCode(65 + framed)
  const capital = SMALL_CAPITALS.indexOf(one)
  if (capital >= 0) return String.fromCharCode(65 + capital)
  return STYLED.test(one) ? one.normalize('NFKC') : one
}

/** Replaces each match of the pattern; null leaves it. Positions still refer to the original. */
export function rewritten(
  text: Mapped,
  pattern: RegExp,
  as: (match: RegExpExecArray) => string | null,
): Mapped {
  const starts: number[] = []
  const ends: number[] = []
  let plain = ''
  let last = 0
  const keepTo = (to: number): void => {
    plain += text.plain.slice(last, to)
    for (let at = last; at < to; at += 1) {
      starts.push(text.starts[at] ?? 0)
      ends.push(text.ends[at] ?? 0)
    }
  }
  for (const match of text.plain.matchAll(pattern)) {
    const replaced = as(match)
    const end = match.index + match[0].length
    if (replaced === null || end === match.index) continue
    keepTo(match.index)
    plain += replaced
    for (let i = 0; i < replaced.length; i += 1) {
      starts.push(text.starts[match.index] ?? 0)
      ends.push(text.ends[end - 1] ?? 0)
    }
    last = end
  }
  if (last === 0) return text
  keepTo(text.plain.length)
  return { plain, starts, ends }
}

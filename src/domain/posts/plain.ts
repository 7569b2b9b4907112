import { foldText, rewritten, type Mapped } from '#domain/fold-text.ts'

/** A range of a text in UTF-16 units; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number }

/** A span of a post with its exact words. */
export type Quote = Span & { readonly words: string }

export function quote(text: string, { start, end }: Span): Quote {
  return { start, end, words: text.slice(start, end) }
}

/** The smallest span that contains both. */
export function spanning(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

/** The index of the first span that ends after `at`; spans are in order and do not overlap. */
export function firstEndingAfter(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Spans in text order; of overlapping ones, the first, then the longest. */
export function apart<T extends Span>(spans: readonly T[]): readonly T[] {
  const chosen: T[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = chosen.at(-1)
    if (!last || span.start >= last.end) chosen.push(span)
  }
  return chosen
}

/** Longer than any post on X; the rest is not read. */
export const MOST_TEXT = 25_000

/** Addresses and account names: their letters and digits say nothing about prices. */
const UNREAD = /\bhttps?:\/\/[^\s]+|\b(?:www\.|t\.co\/|pic\.twitter\.com\/)[^\s]+|@\w{1,40}/gi

/** The text as the rules read it: plain characters, with addresses and account names replaced with `_`. */
export function plainPost(text: string): Mapped {
  const folded = foldText(text.slice(0, MOST_TEXT))
  return rewritten(folded, UNREAD, ([found]) => '_'.repeat(found.length))
}

export type Sentence = Span & {
  readonly text: string
  /** Ends with a question mark. */
  readonly asks: boolean
}

/** Abbreviations, whose full stop does not end a sentence. */
const SHORTENED =
  /(?:\b(?:vs|est|approx|ca|eg|e\.g|i\.e|etc|mr|dr|st|no|yr|yrs|mo|mos|inc|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|e\.o\.y|e\.o|e)|\b[a-z])$/i
const MARKS = '.!?\u2026\u3002'
const CLOSERS = `"')]`

/** Sentences in order, without blank ones; a line break also ends one. */
export function sentencesOf(plain: string): readonly Sentence[] {
  const found: Sentence[] = []
  let from = 0
  const add = (end: number): void => {
    const piece = plain.slice(from, end)
    const start = from + (piece.length - piece.trimStart().length)
    const text = piece.trim()
    if (text !== '') {
      found.push({ start, end: start + text.length, text, asks: isQuestion(text) })
    }
    from = end
  }
  for (const { start, end } of endsIn(plain)) {
    const before = plain.slice(Math.max(from, start - 8), start)
    const isOneStop = end === start + 1 && plain.charAt(start) === '.'
    if (isOneStop && SHORTENED.test(before)) continue
    add(end)
  }
  add(plain.length)
  return found
}

/**
 * Possible ends of sentences: line breaks, punctuation (with following quotes and brackets) before a space, and `!` or
 * `?` right before a letter. Reads the text once: a regular expression took seconds for a long run of dots.
 *
 * @param onRead is called for each character read
 */
export function endsIn(plain: string, onRead: () => void = () => {}): readonly Span[] {
  const found: Span[] = []
  const signAt = (at: number): string => {
    onRead()
    return plain.charAt(at)
  }
  /** The first position from `at` on with a character other than those. */
  const behind = (at: number, those: string): number => {
    let end = at
    while (end < plain.length && those.includes(signAt(end))) end += 1
    return end
  }
  let at = 0
  while (at < plain.length) {
    const start = at
    const sign = signAt(at)
    if (sign === '\n') {
      at = behind(at, '\n')
      found.push({ start, end: at })
    } else if (MARKS.includes(sign)) {
      at = behind(at, MARKS)
      const closed = behind(at, CLOSERS)
      if (closed === plain.length || /\s/.test(signAt(closed))) {
        at = closed
        found.push({ start, end: closed })
      } else if (/\p{L}/u.test(String.fromCodePoint(plain.codePointAt(at) ?? 0))) {
        let loud = at
        while (loud > start && '!?'.includes(signAt(loud - 1))) loud -= 1
        if (loud < at) found.push({ start: loud, end: at })
      }
    } else at += 1
  }
  return found
}

/** Whether a text ends with a question mark, ignoring `!`, quotes and brackets after it. */
function isQuestion(text: string): boolean {
  let tail = text.length
  while (tail > 0 && `!?${CLOSERS}`.includes(text.charAt(tail - 1))) tail -= 1
  return text.includes('?', tail)
}

/**
 * What posts in a language are read by: patterns of words, alternatives separated by `|`. An empty one is never found.
 * Only what names an asset, a level or a day is read, and words that say that it is still ahead; `traps` are all words
 * that could turn the meaning (denials, conditions, the past, what others say): a sentence with one of them stays unread.
 */
export type Language = {
  /** Words that only this language has, or hardly another; for scripts of their own none are needed. */
  readonly hints: string
  /** Words are not separated by blanks, or carry endings and particles. */
  readonly isJoined?: boolean
  readonly btc: string
  readonly other: string
  readonly dollar: string
  /** Other currencies. */
  readonly money: string
  readonly thousand: string
  readonly million: string
  /** Other units and what they are worth. */
  readonly units?: Readonly<Record<string, number>>
  /** Whole numbers in one word. */
  readonly compounds?: Readonly<Record<string, number>>
  /** Numbers in words, below a thousand. */
  readonly numbers: Readonly<Record<string, number>>
  /** January to December. */
  readonly months: readonly string[]
  /** Whole phrases about dates, with what they mean in English; `#` stands for the first number in them. */
  readonly phrases: readonly (readonly [pattern: string, english: string])[]
  readonly by: string
  readonly before: string
  /** "in", "at", "to": read over where they mean nothing else. */
  readonly at: string
  readonly end: string
  readonly middle: string
  readonly start: string
  /** Small words that are left out, such as "of". */
  readonly small: string
  readonly days: string
  readonly weeks: string
  readonly monthsOf: string
  readonly years: string
  readonly will: string
  readonly could: string
  readonly least: string
  readonly above: string
  readonly below: string
  readonly between: string
  readonly and: string
  readonly traps: string
}

/** For a language that says by phrases, endings and particles what others say by small words. */
export const NONE = {
  hints: '',
  by: '',
  before: '',
  at: '',
  end: '',
  middle: '',
  start: '',
  small: '',
  days: '',
  weeks: '',
  monthsOf: '',
  years: '',
  between: '',
  and: '',
  months: [],
} as const

/** "By the end of" this year, the next one, or one with a number. */
export function endsOf(end: string, year: string, next: string, blank = ' '): Language['phrases'] {
  return [
    [`(?:${end})${blank}(?:${next})`, 'by end of next year'],
    [`(?:${end})${blank}(?:${year})(?! 20)`, 'by EOY'],
    [`(?:${end})${blank}(?:${year} )?(20\\d\\d)`, 'by end of #'],
  ]
}

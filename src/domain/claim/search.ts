import { readPartialDay, dayOf, endOfPrecision, isoDay, partsOf, type Day } from '#domain/day.ts'
import { foldName } from '#domain/people/name.ts'
import { type Timing } from './claim.ts'
import { readPrice } from './written.ts'

/** A day, month or year in a search. */
export type Span = { readonly first: Day; readonly last: Day }

export type Search = {
  readonly words: readonly string[]
  /** Prices, USD. */
  readonly levels: readonly number[]
  /** Bare numbers, matched as the first digits of a level that is still being typed. */
  readonly digits: readonly string[]
  readonly spans: readonly Span[]
  readonly timings: readonly Timing[]
}

/** Longer searches are truncated. */
const LONGEST = 200

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const YEAR = String.raw`(?:19|20|21)\d{2}`
const UNIT = String.raw`(?:k|thousand|mm|mio|million|m|bn|billion|b)\b`
/** The form's timing options, as people type them. */
const TIMING_WORDS: Readonly<Record<string, Timing>> = {
  'at any time': 'by',
  'on that day': 'at_end',
  'at the end': 'at_end',
  'the whole time': 'throughout',
}
/** Words ignored next to others; on their own they are searched like any word. */
const FILLERS = new Set(
  'a an anyone at by for in of on people predicted said say says somebody someone that the to who will would'.split(
    ' ',
  ),
)
const SPOKEN: Readonly<Record<string, number>> = {
  quarter: 0.25,
  half: 0.5,
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  ten: 10,
}
const AMOUNT = String.raw`\d(?:[\d.,]*\d)?`

/** Dates first, then prices, then years, then other numbers: `$2026` is a price and `2026` a year. */
const PARTS = new RegExp(
  [
    String.raw`\b(?<timing>${Object.keys(TIMING_WORDS).join('|')})\b`,
    String.raw`(?<iso>\b${YEAR}-\d{1,2}(?:-\d{1,2})?\b)`,
    String.raw`(?<date>\b\d{1,2}/\d{1,2}/${YEAR}\b)`,
    String.raw`\b(?<month>${MONTHS.join('|')})[a-z]*\.?\s+(?<ofYear>${YEAR})\b`,
    String.raw`\b(?:a )?(?<times>${Object.keys(SPOKEN).join('|')})(?: of)?(?: a)?(?<hundred> hundred)? (?<scale>thousand|million|billion)\b`,
    String.raw`(?<price>(?:\bus)?\$\s*${AMOUNT}(?:\s*${UNIT})?|\b${AMOUNT}\s*${UNIT}|\b\d{1,3}(?:[.,]\d{3})+\b|\b\d{1,3}(?:[ \u00a0\u202f]\d{3})+\b)`,
    String.raw`\b(?<year>${YEAR})\b`,
    String.raw`\b(?<digits>\d+)\b`,
  ].join('|'),
  'gi',
)

/** Parses `planb 2021`, `150k`, `$150,000`, `dec 2025`, `31/12/2026`; everything else is a word. */
export function readSearch(text: string): Search {
  const levels: number[] = []
  const digits: string[] = []
  const spans: Span[] = []
  const timings: Timing[] = []
  const rest = text.slice(0, LONGEST).replaceAll(PARTS, (whole, ...found) => {
    const parts = found.at(-1) as Readonly<Record<string, string | undefined>>
    const span = spanOf(parts)
    const usd = priceOf(parts)
    const timing = TIMING_WORDS[parts['timing']?.toLowerCase() ?? '']
    if (timing) timings.push(timing)
    else if (span) spans.push(span)
    else if (usd !== null) levels.push(usd)
    else if (parts['digits'] !== undefined) digits.push(parts['digits'])
    else return whole
    return ' '
  })
  const all = foldName(rest).split(' ').filter(Boolean)
  const words = all.filter((word) => !FILLERS.has(word))
  const isOnlyFillers = [words, levels, digits, spans, timings].every(({ length }) => length === 0)
  return { words: isOnlyFillers ? all : words, levels, digits, spans, timings }
}

function priceOf({ price, times, hundred, scale }: Readonly<Record<string, string | undefined>>) {
  if (price !== undefined) return readPrice(price)?.min ?? null
  const many = SPOKEN[times?.toLowerCase() ?? '']
  const worth = scale === undefined ? null : readPrice(`1 ${scale}`)
  return many === undefined || !worth ? null : many * (hundred === undefined ? 1 : 100) * worth.min
}

function spanOf({ iso, date, month, ofYear, year }: Readonly<Record<string, string | undefined>>) {
  if (month !== undefined) {
    const first = dayOf(Number(ofYear), MONTHS.indexOf(month.toLowerCase()) + 1, 1)
    return { first, last: endOfPrecision(first, 'month') }
  }
  if (date !== undefined) {
    const [day = '', inMonth = '', inYear = ''] = date.split('/')
    return readPartialDay(`${inYear}-${inMonth.padStart(2, '0')}-${day.padStart(2, '0')}`)
  }
  return readPartialDay(iso ?? year ?? '')
}

export function isEmptySearch(search: Search): boolean {
  return Object.values(search).every((part) => part.length === 0)
}

export function yearOf({ first, last }: Span): number | null {
  const { year } = partsOf(first)
  return isoDay(first).endsWith('-01-01') && isoDay(last) === `${String(year)}-12-31` ? year : null
}

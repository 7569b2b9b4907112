import { dayOf, endOfPrecision, isoDay, partsOf, type Day } from '#domain/day.ts'
import { readPartialDay } from '#domain/given-day.ts'
import { foldName } from '#domain/people/name.ts'
import { readPrice } from '#domain/price-text.ts'

/** Days that were named: one, a month or a year. */
export type Span = { readonly first: Day; readonly last: Day }

/** What a person searches for: everything in it has to fit. */
export type Wanted = {
  /** Folded, of names and of what was said. */
  readonly words: readonly string[]
  /** Prices, USD. */
  readonly levels: readonly number[]
  /** A bare number that may still be typed: the first digits of a level. */
  readonly digits: readonly string[]
  /** When a call was made or is due. */
  readonly spans: readonly Span[]
}

/** More is not read. */
const LONGEST = 100

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const YEAR = String.raw`(?:19|20|21)\d{2}`
const UNIT = String.raw`(?:k|thousand|mm|mio|million|m|bn|billion|b)\b`
const AMOUNT = String.raw`\d(?:[\d.,]*\d)?`

/** Dates first, then prices, then years, then other numbers: `$2026` is a price and `2026` a year. */
const PARTS = new RegExp(
  [
    String.raw`(?<iso>\b${YEAR}-\d{1,2}(?:-\d{1,2})?\b)`,
    String.raw`(?<date>\b\d{1,2}/\d{1,2}/${YEAR}\b)`,
    String.raw`\b(?<month>${MONTHS.join('|')})[a-z]*\.?\s+(?<ofYear>${YEAR})\b`,
    String.raw`(?<price>(?:\bus)?\$\s*${AMOUNT}(?:\s*${UNIT})?|\b${AMOUNT}\s*${UNIT}|\b\d{1,3}(?:[.,]\d{3})+\b)`,
    String.raw`\b(?<year>${YEAR})\b`,
    String.raw`\b(?<digits>\d+)\b`,
  ].join('|'),
  'gi',
)

/** Reads `planb 2021`, `150k`, `$150,000`, `dec 2025`, `31/12/2026`; what is no number and no date is a word. */
export function readSearch(text: string): Wanted {
  const levels: number[] = []
  const digits: string[] = []
  const spans: Span[] = []
  const rest = text.slice(0, LONGEST).replaceAll(PARTS, (whole, ...found) => {
    const parts = found.at(-1) as Readonly<Record<string, string | undefined>>
    const span = spanOf(parts)
    const price = parts['price'] === undefined ? null : readPrice(parts['price'])
    if (span) spans.push(span)
    else if (price) levels.push(price.min)
    else if (parts['digits'] !== undefined) digits.push(parts['digits'])
    else return whole
    return ' '
  })
  return { words: foldName(rest).split(' ').filter(Boolean), levels, digits, spans }
}

function spanOf({
  iso,
  date,
  month,
  ofYear,
  year,
}: Readonly<Record<string, string | undefined>>): Span | null {
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

export function isEmptySearch({ words, levels, digits, spans }: Wanted): boolean {
  return words.length + levels.length + digits.length + spans.length === 0
}

/** The year that a span is, if it is a whole one. */
export function yearOf({ first, last }: Span): number | null {
  const { year } = partsOf(first)
  return isoDay(first).endsWith('-01-01') && isoDay(last) === `${String(year)}-12-31` ? year : null
}

import { outcomeWord } from '#domain/judging/verdict-text.ts'
import { dayOf, endOfPrecision, isoDay, partsOf, type Day } from '#domain/day.ts'
import { readPartialDay } from '#domain/given-day.ts'
import { foldName } from '#domain/people/name.ts'
import { readPrice } from '#domain/price-text.ts'
import { ASSETS } from '#domain/asset.ts'
import { levelsOf } from './claim.ts'
import { type Prediction } from './prediction.ts'
import { typeLabel } from './text.ts'

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

/** Whether each word of a search begins a word of what was said, by whom and about what, and each number and date fits. */
export function fitsSearch(wanted: Wanted, prediction: Prediction): boolean {
  return (
    wanted.spans.every((span) => isIn(span, prediction.by) || isIn(span, prediction.made)) &&
    wanted.levels.every((usd) => namesLevel(prediction, usd) !== 'no') &&
    wanted.digits.every((start) => hasDigits(prediction, start)) &&
    (wanted.words.length === 0 || hasWords(textOf(prediction), wanted.words))
  )
}

export function isIn({ first, last }: Span, day: Day): boolean {
  return day >= first && day <= last
}

/** The year that a span is, if it is a whole one. */
export function yearOf({ first, last }: Span): number | null {
  const { year } = partsOf(first)
  return isoDay(first).endsWith('-01-01') && isoDay(last) === `${String(year)}-12-31` ? year : null
}

/** Whether a prediction names a level, in the numbers of its day or of today, or only a range around it. */
export function namesLevel({ said, claim }: Prediction, usd: number): 'exactly' | 'around' | 'no' {
  const all = [levelsOf(said), levelsOf(claim)]
  if (all.some(({ min, max }) => usd === min || usd === max)) return 'exactly'
  return all.some(({ min, max }) => usd > min && usd < max) ? 'around' : 'no'
}

function hasDigits({ said, claim }: Prediction, start: string): boolean {
  return [levelsOf(said), levelsOf(claim)].some(
    ({ min, max }) => String(min).startsWith(start) || String(max).startsWith(start),
  )
}

/** Every word begins a word of a folded text; those of scripts that write no spaces are anywhere in it. */
function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(/^[\p{sc=Latn}\d]/u.test(word) ? ` ${word}` : word))
}

/** Whether these words are a person's: their name or handle, also where it is written in one word. */
export function namesPerson(
  { name, handle }: Prediction['expert'],
  words: readonly string[],
): boolean {
  if (words.length === 0) return false
  const text = foldName(`${name} ${handle ?? ''}`)
  return hasWords(` ${text}`, words) || ` ${squeezed(text)}`.includes(` ${words.join('')}`)
}

function squeezed(text: string): string {
  return text.replaceAll(' ', '')
}

/** What can be found in a prediction; made once, for every letter typed asks all of them. */
const texts = new WeakMap<Prediction, string>()

function textOf(prediction: Prediction): string {
  const known = texts.get(prediction)
  if (known !== undefined) return known
  const { expert, said, summary, verdicts } = prediction
  const { symbol, name } = ASSETS[prediction.asset]
  const { outcome } = verdicts.touch
  const parts = [
    foldedOnce(expert.name),
    squeezed(foldedOnce(expert.name)),
    foldedOnce(expert.handle ?? ''),
    foldedOnce(`${symbol} ${name} ${typeLabel(said.type)} ${outcome} ${outcomeWord(outcome)}`),
    foldName(summary),
  ]
  const text = ` ${parts.join(' ')}`
  texts.set(prediction, text)
  return text
}

/** Names and the like, which many predictions share. */
const folded = new Map<string, string>()
const MOST_FOLDED = 20_000

function foldedOnce(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  if (folded.size >= MOST_FOLDED) folded.clear()
  const made = foldName(text)
  folded.set(text, made)
  return made
}

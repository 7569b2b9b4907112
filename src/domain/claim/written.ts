import { foldText } from '#domain/fold-text.ts'
import { type Claim } from './claim.ts'
import { isFault, readClaim, type ClaimFault, type ClaimFields } from './fields.ts'
import { claimText, datedClaim } from './text.ts'

/** A price as written: one number, or a range, low end first. USD. */
export type WrittenPrice = { readonly min: number; readonly max: number }

const UNITS: readonly (readonly [words: string, worth: number])[] = [
  ["thousands?|thous|tsd|grand|k'?s?", 1e3],
  ['millions?|mill?|mio|mln|mm|mn|m', 1e6],
  ['billions?|bil|mrd|bn|b', 1e9],
  ['trillions?|trn|tn|t', 1e12],
]
/** A pattern for the words of `unitWorth`, without anchors. */
export const UNIT_WORDS = `(?:${UNITS.map(([words]) => words).join('|')})`

/** `k` is 1,000; null for an unknown unit. */
export function unitWorth(word: string): number | null {
  return UNITS.find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(word))?.[1] ?? null
}

/** Longer than any price; searching for the unit takes quadratic time. */
const LONGEST = 200
const BETWEEN = /\s*(?:-|\bto\b|\band\b)\s*/i

const UNIT = new RegExp(
  String.raw`^(.*\d)\s*((?!(?:mil|t)(?![a-z]))${UNIT_WORDS}(?:(?<=mio|mrd|tsd|mln|mn)\.)?)?\s*(?:\$|usd|dollars?)?$`,
  'is',
)

/**
 * Reads a number as people write it, in any digits. `$`, spaces and thousands separators are ignored; a dot or comma
 * before one or two final digits is the decimal point. `100.000`, `100,000` and `100k` are all one hundred thousand;
 * before a unit, a single dot is the decimal point: `1.250m`.
 *
 * @returns a finite number, or null
 * @see decisions.md §4
 */
export function readNumber(text: string): number | null {
  const [, written = '', unit] = unitBehind(text) ?? []
  const plain = written.replace(/^(?:us)?\$/i, '').replaceAll(/[\s']/g, '')
  const sign = plain.startsWith('-') ? -1 : 1
  const digits = plain.replace(/^[-+]/, '')
  if (!/^(?:\d(?:[\d.,]*\d)?|[.,]\d+)$/.test(digits)) return null
  const isDecimal =
    unit !== undefined && /^\d*[.,]\d+$/.test(digits) && !/^\d{1,3},\d{3}$/.test(digits)
  const plainDigits = isDecimal ? digits.replace(',', '.') : withoutSeparators(digits)
  const value = Number(plainDigits)
  if (plainDigits === '' || !Number.isFinite(value)) return null
  return sign * (unit === undefined ? value : times(value, multipleOf(unit)))
}

/** Whether separators are placed as in Western or Indian grouping. */
function isGrouped(whole: string): boolean {
  return /^\d+$|^\d{1,3}(?:[.,]\d{3})+$|^\d{1,2}(?:[.,]\d{2})*[.,]\d{3}$/.test(whole)
}

/** Keeps one dot as the decimal point; empty if the separators are invalid. */
function withoutSeparators(digits: string): string {
  // Below one, as for token prices, every digit after the point counts: 0.065 is not sixty-five.
  if (/^0?[.,]\d+$/.test(digits)) return digits.replace(',', '.')
  const separators: readonly string[] = digits.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return digits
  const at = digits.lastIndexOf(last)
  const decimals = digits.length - at - 1
  const once = separators.indexOf(last) === separators.length - 1
  const mixed = separators.some((separator) => separator !== last)
  const isPoint = once && (decimals !== 3 || (mixed && last === '.'))
  if (!isGrouped(isPoint ? digits.slice(0, at) : digits)) return ''
  const whole = (isPoint ? digits.slice(0, at) : digits).replaceAll(/[.,]/g, '')
  return isPoint ? `${whole}.${digits.slice(at + 1)}` : whole
}

/**
 * Reads a price such as `$150,000`, `150k` or `80,000 - 120,000`.
 *
 * @returns USD above zero with `min <= max`, equal for one number; null if the text contains no price
 * @see public-site.md §5, "Chart data rules"
 */
export function readPrice(text: string): WrittenPrice | null {
  if (text.length > LONGEST) return null
  const parts = foldText(text).plain.trim().split(BETWEEN)
  const [first, second] = [parts[0] ?? '', parts[1]]
  if (parts.length > 2) return null
  if (second === undefined) {
    const usd = readAmount(first, 1)
    return usd === null ? null : { min: usd, max: usd }
  }
  // In "80 - 120k" the unit applies to both ends.
  const max = readAmount(second, 1)
  const isShared = max !== null && unitBehind(first)?.[2] === undefined
  const shared = isShared ? multipleOf(unitBehind(second)?.[2] ?? '') : 1
  const min = readAmount(first, shared)
  if (min === null || max === null) return null
  return min <= max ? { min, max } : null
}

function readAmount(text: string, multiple: number): number | null {
  const value = readNumber(text)
  if (value === null || !(value > 0)) return null
  const usd = times(value, multiple)
  return Number.isFinite(usd) ? usd : null
}

function times(value: number, multiple: number): number {
  return Number((value * multiple).toPrecision(12))
}

function multipleOf(unit: string): number {
  return unitWorth(unit.replace('.', '')) ?? 1
}

function unitBehind(text: string): RegExpExecArray | null {
  return text.length <= LONGEST ? UNIT.exec(foldText(text).plain.trim()) : null
}

/** Reads a claim whose levels may be given as text only. */
export function readWrittenClaim(fields: ClaimFields): Claim | ClaimFault {
  return readClaim(fields, readPrice(fields.price_prediction ?? ''))
}

export function fieldsText(fields: ClaimFields, date?: string): string {
  const claim = readWrittenClaim(fields)
  if (!isFault(claim)) return date === undefined ? claimText(claim) : datedClaim(claim, date)
  const written = fields.price_prediction ?? ''
  return date === undefined ? written : `${written} by ${date}`
}

import { type Language } from './language.ts'

/** Digits with signs between thousands, or a decimal part. */
export const NUMBER = String.raw`\d{1,3}(?:[.,' ]\d{3}){1,4}(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d{1,15}(?:[.,]\d{1,3}(?!\d))?`

/** A number with its units as it is written in English; null where it is none of ours. */
export function amountShown(found: string, language: Language): string | null {
  const value = amountOf(found, language)
  return value === null ? null : showAmount(value)
}

/** What a number with its units is worth; null where the units are no number of ours. */
function amountOf(
  found: string,
  { thousand, million, units = {}, compounds = {}, numbers }: Language,
): number | null {
  const worth = new Map(
    Object.entries({ ...numbers, ...units, ...compounds, k: 1e3, m: 1e6, mio: 1e6, mln: 1e6 }),
  )
  const [thousands, millions] = [thousand, million].map((one) => new RegExp(`^(?:${one})$`, 'iu'))
  const names = [...worth.keys(), thousand, million].toSorted((a, b) => b.length - a.length)
  const parts = found.matchAll(
    new RegExp(`(?<digits>${NUMBER})|(?<name>(?:${names.join('|')}))|(?<rest>\\p{L}+)`, 'giu'),
  )
  let [total, current, last] = [0, 0, Infinity]
  for (const { groups: { digits, name } = {} } of parts) {
    if (digits !== undefined) {
      if (current > 0) return null
      current = decimal(digits)
      continue
    }
    if (name === undefined) return null
    const lower = name.toLowerCase()
    const value =
      worth.get(lower) ?? (millions?.test(name) ? 1e6 : thousands?.test(name) ? 1e3 : null)
    if (value === null) return null
    // "Two three thousand" are two or three, "one half" is a half.
    if (value < 10 && current % 10 !== 0 && !(value < 1 && current === 1)) return null
    if (value < 1) current = value
    else if (value < 1_000)
      current =
        current === 0 ? value : value > current && value >= 10 ? current * value : current + value
    else if (total > 0 && total < value)
      [total, current, last] = [(total + current) * value, 0, value]
    else {
      const part = Math.max(current, current === 0 ? 1 : 0) * value
      // What follows a unit is less than it: "150 thousand 200 thousand" are two numbers.
      if (part >= last) return null
      ;[total, current, last] = [total + part, 0, value]
    }
  }
  // "12万5000" is 125,000; what "12万5" is, only its author knows.
  if (current > 0 && (current < last / 10 || current >= last)) return null
  return total > 0 ? total + current : null
}

/** Before a unit one dot or comma with up to two digits, or one that cannot be thousands, is the decimal point. */
function decimal(digits: string): number {
  return /^\d+[.,]\d{1,2}$/.test(digits)
    ? Number(digits.replace(',', '.'))
    : Number(digits.replace(/[.,' ]/g, ''))
}

function showAmount(value: number): string {
  const thousands = Number((value / 1_000).toPrecision(12))
  return Number.isInteger(thousands)
    ? `${String(thousands)}k`
    : String(Number(value.toPrecision(12)))
}

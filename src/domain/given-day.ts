import {
  dayOf,
  endOfPrecision,
  isGivenYear,
  readGivenDay,
  type DatePrecision,
  type Day,
} from './day.ts'

/**
 * Reads a day as people type it here, the day first: `3/4/2027`, `03.04.2027`, `03042027`; also `2027-04-03`.
 *
 * @returns null when the text is not a real date, or outside 1900 to 2299
 */
export function readTypedDay(text: string): Day | null {
  const found =
    /^(\d{1,2})([/.\- ])(\d{1,2})\2(\d{4})$/.exec(text.trim()) ??
    /^(\d\d)()(\d\d)(\d{4})$/.exec(text.trim())
  if (!found) return readGivenDay(text.trim())
  const [, date = '', , month = '', year = ''] = found
  return readGivenDay(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
}

/**
 * Reads a date that may be known only to its month or year: `2024-08-08`, `2024-08` or `2024`.
 *
 * @returns the first and the last day it may mean; null when the text is not a real date
 */
export function readPartialDay(
  text: string,
): { readonly first: Day; readonly last: Day; readonly precision: DatePrecision } | null {
  const part = /^(\d{4})(?:-(\d{1,2}))?$/.exec(text)
  if (!part) {
    const exact = readGivenDay(text)
    return exact === null ? null : { first: exact, last: exact, precision: 'day' }
  }
  const [year, month] = [Number(part[1]), part[2] === undefined ? null : Number(part[2])]
  if (!isGivenYear(year) || (month !== null && (month < 1 || month > 12))) return null
  const first = dayOf(year, month ?? 1, 1)
  const precision = month === null ? 'year' : 'month'
  return { first, last: endOfPrecision(first, precision), precision }
}

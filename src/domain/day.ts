declare const calendarDay: unique symbol

/** A calendar day in UTC, counted in whole days since 1970-01-01. Days compare and subtract as numbers. */
export type Day = number & { readonly [calendarDay]: true }

/** Precision of a date; the rest of it is a placeholder. */
export const DATE_PRECISIONS = ['day', 'month', 'year'] as const
export type DatePrecision = (typeof DATE_PRECISIONS)[number]

export const DAY_MS = 86_400_000
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/

/** The day `days` after 1970-01-01; fractions are rounded down. */
export function dayFromNumber(days: number): Day {
  return Math.floor(days) as Day
}

/** The UTC day of a time in milliseconds since 1970. */
export function dayOfTime(ms: number): Day {
  return dayFromNumber(ms / DAY_MS)
}

/** Midnight UTC of a day, in milliseconds since 1970. */
export function timeOfDay(day: Day): number {
  return day * DAY_MS
}

export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  return dayFromNumber(Date.UTC(year, month - 1, dayOfMonth) / DAY_MS)
}

/** Reads `2024-08-08`, optionally followed by a time. @returns null if it is not a real date, and for null */
export function readDay(text: string | null): Day | null {
  if (text === null) return null
  const found = ISO.exec(
    text.length > 10 && /[T ]/.test(text.charAt(10)) ? text.slice(0, 10) : text,
  )
  if (!found) return null
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])]
  // JavaScript takes years below 100 as 19xx.
  const isReal = year >= 100 && month >= 1 && month <= 12 && date >= 1
  return isReal && (date <= 28 || date <= daysInMonth(year, month))
    ? dayOf(year, month, date)
    : null
}

/** A literal day such as `day('2024-08-08')`. @throws for invalid dates, which are bugs */
export function day(text: string): Day {
  const read = readDay(text)
  if (read === null) throw new Error(`not a day: ${text}`)
  return read
}

/** `2024-08-08`; null for null */
export function isoDay(day: Day): string
export function isoDay(day: Day | null): string | null
export function isoDay(day: Day | null): string | null {
  if (day === null) return null
  return new Date(timeOfDay(day)).toISOString().slice(0, 10)
}

export function addDays(day: Day, days: number): Day {
  return (day + days) as Day
}

export function addYears(day: Day, years: number): Day {
  const { year, month, date } = partsOf(day)
  return dayOf(year + years, month, Math.min(date, daysInMonth(year + years, month)))
}

export function partsOf(day: Day): { year: number; month: number; date: number; weekday: number } {
  const moment = new Date(timeOfDay(day))
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    date: moment.getUTCDate(),
    weekday: moment.getUTCDay(),
  }
}

export function daysInMonth(year: number, month: number): number {
  return partsOf(dayOf(year, month + 1, 0)).date
}

/** The last possible day of a date known only to its month or year. */
export function endOfPrecision(day: Day, precision: DatePrecision): Day {
  if (precision === 'day') return day
  const { year, month } = partsOf(day)
  switch (precision) {
    case 'month':
      return dayOf(year, month + 1, 0)
    case 'year':
      return dayOf(year, 12, 31)
  }
}

export function startOfPrecision(day: Day, precision: DatePrecision): Day {
  const { year, month } = partsOf(day)
  if (precision === 'day') return day
  return dayOf(year, precision === 'month' ? month : 1, 1)
}

/**
 * Display precision of a deadline. A month or year can only mean its last day; "within twelve months" ends mid-month,
 * so the exact day, by which it is judged, is shown.
 */
export function deadlinePrecision(by: Day, known: DatePrecision): DatePrecision {
  return endOfPrecision(by, known) === by ? known : 'day'
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Aug` for 8 */
export function monthName(month: number): string {
  return MONTHS[month - 1] ?? ''
}

/**
 * Formats a date at its known precision: `08/08/2024`, `Aug 2024` or `2024`.
 *
 * @see public-site.md §9, "Formatting"
 */
export function showDay(day: Day, precision: DatePrecision = 'day'): string {
  const { year, month, date } = partsOf(day)
  switch (precision) {
    case 'day':
      return `${String(date).padStart(2, '0')}/${String(month).padStart(2, '0')}/${String(year)}`
    case 'month':
      return `${monthName(month)} ${String(year)}`
    case 'year':
      return String(year)
  }
}

/** A rounded time span: `12 days`, `13 months`, `4 years`. */
export function showSpan(days: number): string {
  const whole = Math.abs(Math.round(days))
  if (whole < 60) return plural(whole, 'day')
  return whole < 730
    ? showMonths(Math.round(whole / 30.44))
    : plural(Math.round(whole / 365.25), 'year')
}

/**
 * The time between two days in calendar years and months, or in days below a month: `2 years and 3 months`. Month ends
 * are whole months apart.
 */
export function showTimeBetween(from: Day, to: Day): string {
  const [a, b] = [partsOf(from), partsOf(to)]
  const isMonthEnd = b.date === daysInMonth(b.year, b.month)
  const begun = b.date < a.date && !isMonthEnd ? 1 : 0
  const months = (b.year - a.year) * 12 + b.month - a.month - begun
  if (months < 1) return plural(to - from, 'day')
  return [[Math.floor(months / 12), 'year'] as const, [months % 12, 'month'] as const]
    .filter(([n]) => n > 0)
    .map(([n, unit]) => plural(n, unit))
    .join(' and ')
}

/** `3 months`; years from 24 months on. */
export function showMonths(months: number): string {
  return months < 24 ? plural(months, 'month') : plural(Math.round(months / 12), 'year')
}

/** `12 Oct 2017` */
export function showDayInWords(day: Day): string {
  const { year, month, date } = partsOf(day)
  return `${String(date)} ${monthName(month)} ${String(year)}`
}

/** `1 day`, `3 months` */
export function plural(n: number, unit: string): string {
  return `${String(n)} ${unit}${n === 1 ? '' : 's'}`
}

/** Years accepted as input; adding days keeps them at four digits. */
const GIVEN_YEARS = { first: 1900, last: 2299 }

/**
 * Reads a day from user or API input, as {@link readDay} does.
 *
 * @returns null if it is not a real date, or outside 1900 to 2299; stored dates may be outside that range
 */
export function readDayInput(text: string): Day | null {
  const day = readDay(text)
  return day !== null && isYearInput(partsOf(day).year) ? day : null
}

function isYearInput(year: number): boolean {
  return year >= GIVEN_YEARS.first && year <= GIVEN_YEARS.last
}

/**
 * Reads a typed date, day first: `3/4/2027`, `03.04.2027`, `03042027`; also `2027-04-03`.
 *
 * @returns null if it is not a real date, or outside 1900 to 2299
 */
export function readTypedDay(text: string): Day | null {
  const found =
    /^(\d{1,2})([/.\- ])(\d{1,2})\2(\d{4})$/.exec(text.trim()) ??
    /^(\d\d)()(\d\d)(\d{4})$/.exec(text.trim())
  if (!found) return readDayInput(text.trim())
  const [, date = '', , month = '', year = ''] = found
  return readDayInput(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
}

/**
 * Reads a date of any precision: `2024-08-08`, `2024-08` or `2024`.
 *
 * @returns its first and last possible day; null if it is not a real date
 */
export function readPartialDay(
  text: string,
): { readonly first: Day; readonly last: Day; readonly precision: DatePrecision } | null {
  const part = /^(\d{4})(?:-(\d{1,2}))?$/.exec(text)
  if (!part) {
    const exact = readDayInput(text)
    return exact === null ? null : { first: exact, last: exact, precision: 'day' }
  }
  const [year, month] = [Number(part[1]), part[2] === undefined ? null : Number(part[2])]
  if (!isYearInput(year) || (month !== null && (month < 1 || month > 12))) return null
  const first = dayOf(year, month ?? 1, 1)
  const precision = month === null ? 'year' : 'month'
  return { first, last: endOfPrecision(first, precision), precision }
}

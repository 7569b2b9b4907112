/** What words of dates mean; the forms they stand in are in `date-forms.ts`. */

export const MONTH_WORDS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** 1 to 12, or null. */
export function monthOf(word: string): number | null {
  const at = MONTHS.indexOf(word.slice(0, 3).toLowerCase())
  return at < 0 ? null : at + 1
}

export const WEEKDAY_WORDS =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)'
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** 0 (Sunday) to 6, or null. */
export function weekdayOf(word: string): number | null {
  const at = WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase())
  return at < 0 ? null : at
}

const ONES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const MORE: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, 'a couple of': 2, 'a couple': 2, 'couple of': 2, couple: 2, half: 0.5 },
  ...{ 'half a': 0.5, 'a half': 0.5, eleven: 11, twelve: 12, fifteen: 15, eighteen: 18 },
  ...{ twenty: 20, 'twenty-one': 21, 'twenty-four': 24, thirty: 30, 'thirty-six': 36 },
  ...{ forty: 40, fifty: 50, sixty: 60, ninety: 90, hundred: 100, 'a hundred': 100 },
}
export const COUNT_WORDS = String.raw`(?:\d{1,3}(?:\.5)?|${[...ONES, ...Object.keys(MORE)]
  .toSorted((a, b) => b.length - a.length)
  .join('|')
  .replaceAll('-', '[ -]')})`

/** A number in digits or words, or null. */
export function countOf(text: string): number | null {
  const plain = text.toLowerCase()
  if (/^\d+(?:\.\d+)?$/.test(plain)) return Number(plain)
  const one = ONES.indexOf(plain)
  return one >= 0 ? one + 1 : (MORE[plain] ?? MORE[plain.replace(' ', '-')] ?? null)
}

export type SpanUnit = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade'

export const UNIT_WORDS =
  '(?:hours?|hrs?|days?|weeks?|wks?|months?|mos?|mths?|mth|quarters?|years?|yrs?|decades?)'

export function unitOf(word: string): SpanUnit | null {
  const plain = word.toLowerCase()
  if (/^h/.test(plain)) return 'hour'
  if (/^de/.test(plain)) return 'decade'
  if (/^d/.test(plain)) return 'day'
  if (/^w/.test(plain)) return 'week'
  if (/^m/.test(plain)) return 'month'
  if (/^q/.test(plain)) return 'quarter'
  return /^y/.test(plain) ? 'year' : null
}

/** A year as four digits, or two behind an apostrophe or a period's name. Prices are not years: no `$` in front. */
export const YEAR = String.raw`(?<![$€£₿\d.,]|\d[\/-])(?:20\d\d|21[0-3]\d|2140)(?![\d%]|[.,]\d|[km]\b|\+|x\b)`
export const SHORT_YEAR = String.raw`(?:20\d\d|21[0-3]\d|2140|'?\d\d)(?![\d%km]|[.,]\d)`

export function yearOf(text: string): number | null {
  const digits = text.replace("'", '')
  if (!/^\d+$/.test(digits)) return null
  const year = digits.length === 2 ? 2000 + Number(digits) : Number(digits)
  return year >= 2009 && year <= 2140 ? year : null
}

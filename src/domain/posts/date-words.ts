import { NUMBER_WORDS, wordNumber } from './number-words.ts'

/** What words in dates mean; the forms that use them are in `date-forms.ts`. */

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

export const COUNT_WORDS = String.raw`(?:\d{1,3}(?:\.5)?|(?:a )?couple(?: of)?|(?:a )?half(?: an?)?|(?:a )?hundred|${NUMBER_WORDS})`

/** A number in digits or words, or null. */
export function countOf(text: string): number | null {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (/couple/i.test(text)) return 2
  if (/half/i.test(text)) return 0.5
  return /hundred/i.test(text) ? 100 : wordNumber(text)
}

export type SpanUnit =
  | 'hour'
  | 'day'
  | 'week'
  | 'fortnight'
  | 'month'
  | 'quarter'
  | 'year'
  | 'decade'

export const UNIT_WORDS =
  '(?:hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|mos?|mths?|mth|quarters?|years?|yrs?|decades?)'

export function unitOf(word: string): SpanUnit | null {
  const plain = word.toLowerCase()
  if (plain.startsWith('h')) return 'hour'
  if (plain.startsWith('de')) return 'decade'
  if (plain.startsWith('d')) return 'day'
  if (plain.startsWith('w')) return 'week'
  if (plain.startsWith('f')) return 'fortnight'
  if (plain.startsWith('m')) return 'month'
  if (plain.startsWith('q')) return 'quarter'
  return plain.startsWith('y') ? 'year' : null
}

/** A year as four digits, or two after an apostrophe or a period's name. Prices are not years: no `$` before it. */
export const YEAR = String.raw`(?<![$€£₿\d.,]|\d[\/-])(?:20\d\d|21[0-3]\d|2140)(?![\d%]|[.,]\d|[km]\b|\+|x\b)`
export const SHORT_YEAR = String.raw`(?:20\d\d|21[0-3]\d|2140|'?\d\d)(?![\d%km]|[.,]\d)`

export function yearOf(text: string): number | null {
  const digits = text.replace("'", '')
  if (!/^\d+$/.test(digits)) return null
  const year = digits.length === 2 ? 2000 + Number(digits) : Number(digits)
  return year >= 2009 && year <= 2140 ? year : null
}

/** "Ends", "closing out", "wraps up": before a time, its last day. */
export const ENDING = String.raw`(?:clos(?:e|es|ing)|end(?:s|ing)?|finish(?:es|ing)?|settl(?:e|es|ing)|wrap(?:s|ping)?)(?:\s+(?:out|off|up))?`

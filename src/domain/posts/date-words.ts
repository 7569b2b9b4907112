import { partsOf, addDays, dayOf, daysInMonth, type DatePrecision, type Day } from '#domain/day.ts'
import { easterSunday, lastWeekday, nthWeekday, thanksgiving } from '#domain/judging/calendar.ts'

/** A calendar period, inclusive, and the precision of its end. */
export type Period = { readonly from: Day; readonly to: Day; readonly precision: DatePrecision }

/** When a post was made; the first day of the month or year if less precise. */
export type PostDate = { readonly day: Day; readonly precision: DatePrecision }

export function yearPeriod(year: number): Period {
  return { from: dayOf(year, 1, 1), to: dayOf(year, 12, 31), precision: 'year' }
}

export function monthPeriod(year: number, month: number): Period {
  return { from: dayOf(year, month, 1), to: dayOf(year, month + 1, 0), precision: 'month' }
}

/** Months `first` to `last` of a year; months beyond 12 belong to the next year. */
export function monthsPeriod(year: number, first: number, last: number): Period {
  return { from: dayOf(year, first, 1), to: dayOf(year, last + 1, 0), precision: 'month' }
}

export function dayPeriod(day: Day): Period {
  return { from: day, to: day, precision: 'day' }
}

/** Monday to Sunday of a day's week, or `ahead` weeks later. */
export function weekPeriod(day: Day, ahead: number): Period {
  const monday = addDays(day, -((partsOf(day).weekday + 6) % 7) + 7 * ahead)
  return { from: monday, to: addDays(monday, 6), precision: 'day' }
}

/** The date, or null if it does not exist, such as 31 June. */
export function realDay(year: number, month: number, date: number): Day | null {
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null
  return dayOf(year, month, date)
}

/** The same date some months later; the 31st becomes the last day of a shorter month. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day)
  const target = partsOf(dayOf(year, month + months, 1))
  return dayOf(target.year, target.month, Math.min(date, daysInMonth(target.year, target.month)))
}

/** The next such weekday after a day; 0 is Sunday. */
export function nextWeekday(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - partsOf(day).weekday + 6) % 7) + 1)
}

export type Part = 'start' | 'early' | 'middle' | 'late' | 'end' | 'first-half' | 'second-half'

/**
 * A part of a period, up to its last day: early 2027 ends with March, mid-2027 with June, mid-September on the 15th.
 * The late part ends with the period.
 */
export function partOf(period: Period, part: Part): Period {
  const days = period.to - period.from + 1
  if (days < 7) return period
  const { year, month } = partsOf(period.from)
  const whole = days > 360
  switch (part) {
    case 'start':
      return whole
        ? monthPeriod(year, month)
        : { ...period, to: addDays(period.from, 6), precision: 'day' }
    case 'early':
      return whole
        ? monthsPeriod(year, month, month + 2)
        : days > 80
          ? monthPeriod(year, month)
          : { ...period, to: addDays(period.from, 9), precision: 'day' }
    case 'middle':
      return whole ? monthsPeriod(year, month + 3, month + 5) : half(period, 0)
    case 'first-half':
      return whole ? monthsPeriod(year, month, month + 5) : half(period, 0)
    case 'second-half':
      return whole ? monthsPeriod(year, month + 6, month + 11) : half(period, 1)
    case 'late':
      return { ...period, from: addDays(period.from, Math.floor((days * 2) / 3)) }
    case 'end':
      return { ...period, from: period.to }
  }
}

function half(period: Period, which: 0 | 1): Period {
  const middle = addDays(period.from, days(period) > 80 ? Math.floor(days(period) / 2) - 1 : 14)
  return which === 0
    ? { from: period.from, to: middle, precision: 'day' }
    : { ...period, from: addDays(middle, 1) }
}

function days(period: Period): number {
  return period.to - period.from + 1
}

const TO_NINETEEN = [
  'zero one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** A pattern for the words of `wordNumber`, without anchors. */
export const NUMBER_WORDS = `(?:(?:${TENS.join('|')})(?:[ -](?:${TO_NINETEEN.slice(1, 10).join('|')}))?|${TO_NINETEEN.slice(1).toReversed().join('|')}|an?)`

/** "five", "twenty-five", "a": 1 to 99. */
export function wordNumber(words: string): number | null {
  const [first = '', second] = words.trim().toLowerCase().split(/[ -]+/)
  if (first === 'a' || first === 'an') return second === undefined ? 1 : null
  const tens = TENS.indexOf(first)
  const ones = second === undefined ? 0 : TO_NINETEEN.indexOf(second)
  if (tens >= 0) return ones >= 0 && ones < 10 ? (tens + 2) * 10 + ones : null
  const small = TO_NINETEEN.indexOf(first)
  return small > 0 && second === undefined ? small : null
}

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

const UNITS = ['hour', 'day', 'week', 'fortnight', 'month', 'quarter', 'year', 'decade'] as const
export type SpanUnit = (typeof UNITS)[number]

export const UNIT_WORDS =
  '(?:hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|mos?|mths?|mth|quarters?|years?|yrs?|decades?)'

/** By its first letter, as in `mo`; only a decade needs two. */
export function unitOf(word: string): SpanUnit | null {
  const plain = word.toLowerCase()
  if (plain.startsWith('de')) return 'decade'
  return UNITS.find((unit) => unit.charAt(0) === plain.charAt(0)) ?? null
}

/** A year in four digits, or in two after an apostrophe or a period's name. Prices are excluded: no `$` before it. */
export const YEAR = String.raw`(?<![$€£₿\d.,]|\d[\/-])(?:20\d\d|21[0-3]\d|2140)(?![\d%]|[.,]\d|[km]\b|\+|x\b)`
export const SHORT_YEAR = String.raw`(?:20\d\d|21[0-3]\d|2140|'?\d\d)(?![\d%km]|[.,]\d)`

export function yearOf(text: string): number | null {
  const digits = text.replace("'", '')
  if (!/^\d+$/.test(digits)) return null
  const year = digits.length === 2 ? 2000 + Number(digits) : Number(digits)
  return year >= 2009 && year <= 2140 ? year : null
}

/** "Ends", "closing out", "wraps up": the following period means its last day. */
export const ENDING = String.raw`(?:clos(?:e|es|ing)|end(?:s|ing)?|finish(?:es|ing)?|settl(?:e|es|ing)|wrap(?:s|ping)?)(?:\s+(?:out|off|up))?`

/**
 * One form of a date. `read` returns null if the words turn out not to be a date, or need the unknown date of the post.
 */
export type DateForm = {
  readonly pattern: RegExp
  /** Only a date after "by", "in", "next" or the like: "March", "may", "12/31". */
  readonly needsLead?: boolean
  /** Already means the end of something: "before EOY" is by its last day, not the day before. */
  readonly isEnd?: boolean
  readonly read: (match: RegExpExecArray, posted: PostDate | null) => Period | null
}

export function form(
  source: string,
  read: DateForm['read'],
  more: { needsLead?: boolean; isEnd?: boolean } = {},
): DateForm {
  return { pattern: new RegExp(source, 'gi'), read, ...more }
}

export const group = (match: RegExpExecArray, name: string) => match.groups?.[name] ?? null

export const WHICH_YEAR = String.raw`(?:(?:the\s+)?(?<which>this|next|coming|the)\s+year)`

/** The optional year after the name of a day or quarter. */
export const AFTER_YEAR = String.raw`(?:,?\s+(?:of\s+)?(?<year>${YEAR})|\s?(?<year2>'\d\d)\b|\s+of\s+${WHICH_YEAR})?`

/** Marks a form that already means the end of something. */
export const THE_END = { isEnd: true }

/** The year in a form, else that of the post; null if neither is known. */
function yearNamed(match: RegExpExecArray, posted: PostDate | null): number | null {
  const named = group(match, 'year') ?? group(match, 'year2')
  if (named !== null) return yearOf(named)
  if (!posted) return null
  const { year } = partsOf(posted.day)
  return /^(?:next|coming)$/i.test(group(match, 'which') ?? '') ? year + 1 : year
}

/** Without a year, a period is the next one that had not ended when the post was made. */
export function comingPeriod(
  match: RegExpExecArray,
  posted: PostDate | null,
  at: (year: number) => Period | null,
): Period | null {
  const year = yearNamed(match, posted)
  const period = year === null ? null : at(year)
  if (year === null || period === null || posted === null) return period
  const isNamed =
    group(match, 'year') !== null ||
    group(match, 'year2') !== null ||
    group(match, 'which') !== null
  return isNamed || period.to >= posted.day ? period : at(year + 1)
}

export function readYear(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const year = yearNamed(match, posted)
  return year === null ? null : yearPeriod(year)
}

/** A named day; null in years without it. */
type Holiday = { readonly words: string; readonly on: (year: number) => Day | null }

function on(words: string, month: number, date: number): Holiday {
  return { words, on: (year) => dayOf(year, month, date) }
}

const HOLIDAYS: readonly Holiday[] = [
  on(String.raw`(?:christmas|x-?mas)(?: day)?`, 12, 25),
  on(String.raw`(?:christmas|x-?mas) eve`, 12, 24),
  on('boxing day', 12, 26),
  on(String.raw`new year'?s? eve|nye`, 12, 31),
  on(String.raw`new year'?s? day`, 1, 1),
  on('halloween', 10, 31),
  on(String.raw`valentine'?s(?: day)?`, 2, 14),
  on('pi day', 3, 14),
  on(String.raw`st\.? (?:patrick|paddy)'?s(?: day)?`, 3, 17),
  on('tax day', 4, 15),
  on('cinco de mayo', 5, 5),
  on(String.raw`(?:bitcoin )?pizza day`, 5, 22),
  on('independence day', 7, 4),
  on(String.raw`veteran'?s'? day`, 11, 11),
  { words: 'thanksgiving(?: day)?', on: thanksgiving },
  { words: 'black friday', on: (year) => addDays(thanksgiving(year), 1) },
  { words: 'cyber monday', on: (year) => addDays(thanksgiving(year), 4) },
  { words: 'good friday', on: (year) => addDays(easterSunday(year), -2) },
  { words: 'easter(?: sunday)?', on: easterSunday },
  { words: 'easter monday', on: (year) => addDays(easterSunday(year), 1) },
  {
    words: String.raw`(?:mlk|martin luther king)(?: jr\.?)? day`,
    on: (y) => nthWeekday(y, 1, 1, 3),
  },
  { words: String.raw`president'?s'? day`, on: (year) => nthWeekday(year, 2, 1, 3) },
  { words: String.raw`mother'?s'? day`, on: (year) => nthWeekday(year, 5, 0, 2) },
  { words: 'memorial day', on: (year) => lastWeekday(year, 5, 1) },
  { words: String.raw`father'?s'? day`, on: (year) => nthWeekday(year, 6, 0, 3) },
  { words: 'labou?r day', on: (year) => nthWeekday(year, 9, 1, 1) },
  { words: 'columbus day', on: (year) => nthWeekday(year, 10, 1, 2) },
  {
    words: 'election (?:day|night)',
    // The Tuesday after the first Monday of November, in even years.
    on: (year) => (year % 2 === 0 ? addDays(nthWeekday(year, 11, 1, 1), 1) : null),
  },
  {
    words: String.raw`(?:the )?(?:presidential )?inauguration(?: day)?`,
    // After a presidential election.
    on: (year) => (year % 4 === 1 ? dayOf(year, 1, 20) : null),
  },
]

/** Named days, and the days around New Year. */
export const HOLIDAY_FORMS: readonly DateForm[] = [
  ...HOLIDAYS.map(({ words, on }) =>
    form(String.raw`\b(?:(?:next|this)\s+)?(?:${words})\b${AFTER_YEAR}`, (match, posted) =>
      comingHoliday(match, posted, on),
    ),
  ),
  form(
    String.raw`\b(?:(?:the|this|these)\s+)?(?:holidays|holiday season|festive season)\b`,
    (match, posted) =>
      comingPeriod(match, posted, (year) => ({
        from: dayOf(year, 12, 25),
        to: dayOf(year, 12, 31),
        precision: 'day',
      })),
    { needsLead: true },
  ),
  form(
    String.raw`(?<!chinese |lunar |fiscal )\bnew year'?s?\b(?!\s+(?:eve|day|resolution|rally))`,
    readYear,
    { needsLead: true, isEnd: true },
  ),
  form(
    String.raw`\b(?:ring(?:ing)?|usher(?:ing)?)\s+in\s+(?:(?:the\s+)?new year|(?<year>${YEAR}))`,
    (match, posted) => {
      const next = group(match, 'year')
      const year = next === null ? yearNamed(match, posted) : (yearOf(next) ?? 0) - 1
      return year === null ? null : dayPeriod(dayOf(year, 12, 31))
    },
    THE_END,
  ),
]

/** Some holidays recur only every few years. */
function comingHoliday(match: RegExpExecArray, posted: PostDate | null, on: Holiday['on']) {
  const next = posted === null ? 0 : partsOf(posted.day).year
  const isNamed = yearNamed(match, null) !== null || group(match, 'which') !== null
  const years = isNamed ? [yearNamed(match, posted) ?? next] : [0, 1, 2, 3, 4].map((n) => next + n)
  if (!isNamed && posted === null) return null
  const days = years.flatMap((year) => on(year) ?? [])
  const coming = isNamed ? days[0] : days.find((day) => posted !== null && day >= posted.day)
  return coming === undefined ? null : dayPeriod(coming)
}

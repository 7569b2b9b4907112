import { addDays, dayOf, partsOf, type Day } from '#domain/day.ts'
import {
  addMonths,
  dayPeriod,
  monthPeriod,
  monthsPeriod,
  nextWeekday,
  partOf,
  realDay,
  weekPeriod,
  yearPeriod,
  type Period,
  type PostDate,
  ENDING,
  MONTH_WORDS,
  monthOf,
  SHORT_YEAR,
  WEEKDAY_WORDS,
  weekdayOf,
  YEAR,
  yearOf,
  AFTER_YEAR,
  comingPeriod,
  form,
  group,
  readYear,
  THE_END,
  WHICH_YEAR,
  type DateForm,
  HOLIDAY_FORMS,
} from './date-words.ts'

/** "second half", "last quarter". */
function ordinal(word: string | null): number {
  const at = ['first', 'second', 'third', 'fourth'].indexOf(word?.toLowerCase() ?? '')
  if (at >= 0) return at + 1
  const digit = Number(word?.charAt(0))
  if (digit >= 1 && digit <= 4) return digit
  return /^(?:latter|back)$/i.test(word ?? '') ? 2 : 4
}

const SEASONS: Readonly<Record<string, readonly [number, number]>> = {
  spring: [3, 5],
  summer: [6, 8],
  autumn: [9, 11],
  fall: [9, 11],
  winter: [12, 14],
}

const monthIn = (match: RegExpExecArray) => monthOf(group(match, 'month') ?? '')
const yearIn = (match: RegExpExecArray, name = 'year') => yearOf(group(match, name) ?? '')

/** A date of a year, as named or as coming next; null if it does not exist. */
function comingDate(
  match: RegExpExecArray,
  posted: PostDate | null,
  [month, date]: readonly [month: number, date: number],
): Period | null {
  return comingPeriod(match, posted, (year) => {
    const found = realDay(year, month, date)
    return found === null ? null : dayPeriod(found)
  })
}

/** Reads the `n`th part of a year, of so many months each. */
const nthOf =
  (months: number): DateForm['read'] =>
  (match, posted) => {
    const last = months * ordinal(group(match, 'n'))
    return comingPeriod(match, posted, (year) => monthsPeriod(year, last - months + 1, last))
  }
const quarter = nthOf(3)
const halfYear = nthOf(6)

function monthOfYear(match: RegExpExecArray): Period | null {
  const [month, year] = [monthIn(match), yearIn(match)]
  return month === null || year === null ? null : monthPeriod(year, month)
}

function currentQuarter(posted: PostDate, ahead: number): Period | null {
  const first = Math.floor((partsOf(posted.day).month - 1) / 3) * 3 + 1 + 3 * ahead
  return posted.precision === 'year'
    ? null
    : monthsPeriod(partsOf(posted.day).year, first, first + 2)
}

function dateOf(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const month = monthIn(match)
  return month === null ? null : comingDate(match, posted, [month, Number(group(match, 'day'))])
}

/** `12/31/2026` and `31/12/2026`. If ambiguous, month first, as usual on X; with dots, day first. */
function numeric(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const [a, b] = [Number(group(match, 'a')), Number(group(match, 'b'))]
  const dayFirst = group(match, 'sep') === '.' || a > 12
  return comingDate(match, posted, dayFirst ? [b, a] : [a, b])
}

/** "this quarter", "next month", "the coming week": the current calendar period or the next. */
function calendarOne(match: RegExpExecArray, posted: PostDate | null): Period | null {
  if (!posted) return null
  const ahead = /^(?:next|coming)$/i.test(group(match, 'which') ?? '') ? 1 : 0
  const { year, month } = partsOf(posted.day)
  const exact = posted.precision === 'day'
  switch ((group(match, 'unit') ?? group(match, 'unit2') ?? '').toLowerCase()) {
    case 'year':
    case 'yr':
      return yearPeriod(year + ahead)
    case 'quarter':
      return currentQuarter(posted, ahead)
    case 'month':
      return posted.precision === 'year' ? null : monthsPeriod(year, month + ahead, month + ahead)
    case 'week':
      return exact ? weekPeriod(posted.day, ahead) : null
    case 'weekend': {
      const week = weekPeriod(posted.day, ahead)
      return exact ? { ...week, from: addDays(week.to, -1) } : null
    }
    default:
      return null
  }
}

/** "By the 31st", "by Friday the 13th": the next day with that number and weekday. */
function dayOfMonth(match: RegExpExecArray, posted: PostDate | null): Period | null {
  if (posted?.precision !== 'day') return null
  const { year, month } = partsOf(posted.day)
  const weekday = weekdayOf(group(match, 'weekday') ?? '')
  const days = Array.from({ length: 15 }).flatMap((_, ahead) => {
    const of = partsOf(dayOf(year, month + ahead, 1))
    return realDay(of.year, of.month, Number(group(match, 'day'))) ?? []
  })
  const isNamed = (day: Day): boolean => weekday === null || partsOf(day).weekday === weekday
  const coming = days.find((day) => day >= posted.day && isNamed(day))
  return coming === undefined ? null : dayPeriod(coming)
}

/** "The last Friday of March". */
function weekdayOfMonth(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const month = monthIn(match)
  const weekday = weekdayOf(group(match, 'weekday') ?? '')
  const nth = group(match, 'n')
  if (month === null) return null
  return comingPeriod(match, posted, (year) => {
    const { from, to } = monthPeriod(year, month)
    const days = Array.from({ length: to - from + 1 }, (_, i) => addDays(from, i))
    const named = days.filter((day) => partsOf(day).weekday === weekday)
    const found = /^(?:last|final)$/i.test(nth ?? '') ? named.at(-1) : named[ordinal(nth) - 1]
    return found === undefined ? null : dayPeriod(found)
  })
}

function decade(posted: PostDate | null): Period | null {
  if (!posted) return null
  const first = Math.floor(partsOf(posted.day).year / 10) * 10
  return { from: dayOf(first, 1, 1), to: dayOf(first + 9, 12, 31), precision: 'year' }
}

/** All forms of calendar dates, most precise first. */
export const DATE_FORMS: readonly DateForm[] = [
  form(String.raw`\b(?<year>20\d\d)[-\/.](?<b>\d{1,2})[-\/.](?<a>\d{1,2})\b(?!\d)`, (match) => {
    const year = yearIn(match)
    const found =
      year === null ? null : realDay(year, Number(group(match, 'b')), Number(group(match, 'a')))
    return found === null ? null : dayPeriod(found)
  }),
  form(
    String.raw`(?<![\d.\/$-])(?<a>\d{1,2})(?<sep>[\/.-])(?<b>\d{1,2})\k<sep>(?<year>20\d\d|2\d)(?![\d%km])`,
    numeric,
  ),
  form(String.raw`(?<![\d.\/$])(?<a>\d{1,2})(?<sep>\/)(?<b>\d{1,2})(?![\d\/%km])`, numeric, {
    needsLead: true,
  }),
  // "In March 27" is a month; a day takes "on" or "by".
  form(
    String.raw`(?<=\bin )(?<month>${MONTH_WORDS})\.?\s+(?<short>\d\d)\b(?![.,:]?\d|\s?[km%$]|\s\d{3}\b|,?\s+20\d\d)`,
    (match, posted) => {
      const year = 2000 + Number(group(match, 'short'))
      const month = monthIn(match)
      const isNear = posted !== null && Math.abs(year - partsOf(posted.day).year) < 10
      return month !== null && isNear ? monthPeriod(year, month) : null
    },
  ),
  form(
    String.raw`\b(?<month>${MONTH_WORDS})\.?\s+(?:the\s+)?(?<day>\d{1,2})(?:st|nd|rd|th)?\b(?![.,:]?\d|\s?[km%$]|\s\d{3}\b)(?:(?:,\s*|\s+)(?<year>${YEAR}))?`,
    dateOf,
  ),
  form(
    String.raw`(?<![\d.,$\/-])(?<day>\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+(?<month>${MONTH_WORDS})\b\.?(?:(?:,\s*|[\s-]+)(?<year>20\d\d|21[0-3]\d)\b)?`,
    (match, posted) =>
      isVerb(match) && group(match, 'year') === null ? null : dateOf(match, posted),
  ),
  form(
    String.raw`\b(?<month>${MONTH_WORDS})\.?(?:,?\s*(?:of\s+)?|\s?[\/-]\s?)(?<year>20\d\d|21[0-3]\d|(?<=[-'])\d\d|'\d\d)(?![\d%km]|[.,]\d)`,
    monthOfYear,
  ),
  form(
    String.raw`\b(?<n>first|second|third|fourth|last|final|1st|2nd|3rd|4th)\s+(?<weekday>${WEEKDAY_WORDS})\s+(?:of|in)\s+(?<month>${MONTH_WORDS})\b(?:,?\s+(?<year>${YEAR}))?`,
    weekdayOfMonth,
  ),
  form(String.raw`\b(?<year>20\d\d)\s+(?<month>${MONTH_WORDS})\b`, (match) =>
    isVerb(match) ? null : monthOfYear(match),
  ),
  form(
    String.raw`\b(?:(?<which>next|this|coming)\s+)?(?<month>${MONTH_WORDS})\b(?:\s+(?:of\s+)?${WHICH_YEAR.replace('which', 'of')})?`,
    readMonth,
  ),
  // "126k. Uptober." is often a cheer, not a deadline.
  form(
    String.raw`\b(?:uptober|moonvember)\b(?=\s(?:price\s)?(?:prediction|target|forecast|call)\b)|(?<=\b(?:in|by|this|for|end of)\s)(?:uptober|moonvember)\b`,
    (match, posted) =>
      comingPeriod(match, posted, (year) => monthPeriod(year, /^up/i.test(match[0]) ? 10 : 11)),
  ),
  form(
    String.raw`\bq(?<n>[1-4])(?:\s*(?:of\s+)?(?:[\/-]\s*)?(?<year>${SHORT_YEAR})|\s+(?:of\s+)?${WHICH_YEAR})?(?![\w$])`,
    quarter,
  ),
  form(String.raw`\b(?<n>[1-4])q\s*(?<year>${SHORT_YEAR})\b`, quarter),
  form(String.raw`\b(?<year>20\d\d)[\s-]*q(?<n>[1-4])\b`, quarter),
  form(
    String.raw`\b(?<n>first|second|third|fourth|last|final|1st|2nd|3rd|4th)\s+quarter\b${AFTER_YEAR}`,
    quarter,
  ),
  form(
    String.raw`\bh(?<n>[12])(?:\s*(?:of\s+)?(?<year>${SHORT_YEAR})|\s+(?:of\s+)?${WHICH_YEAR})?(?![\w$])`,
    halfYear,
  ),
  form(String.raw`\b(?<n>[12])h\s*(?<year>20\d\d|'?2\d)\b`, halfYear),
  form(
    String.raw`\b(?<n>first|second|1st|2nd|latter|back)\s+half\s+of\s+(?:(?<year>${YEAR})|${WHICH_YEAR})`,
    halfYear,
  ),
  form(
    String.raw`\b(?:(?<which>next|this|coming)\s+)?(?<season>spring|summer|autumn|fall|winter)\b(?:\s+(?:of\s+)?(?<year>${YEAR})|\s?'(?<short>\d\d)\b)?`,
    readSeason,
  ),
  form(
    String.raw`\b(?:(?<year2>20\d\d)\s+)?e\.?o\.?y\.?(?:\s*(?:of\s+)?(?<year>20\d\d|21[0-3]\d|'?[23]\d)(?![\d%km]|[.,]\d)|\s+(?:of\s+)?${WHICH_YEAR})?(?![\w$])`,
    readYear,
    THE_END,
  ),
  form(
    String.raw`\b(?:(?<year2>20\d\d)\s+)?(?:year'?s?[- ]?end|(?:the\s+)?(?:end|close|finish)[\s-]+of[\s-]+(?:the\s+|this\s+)?(?:calendar\s+)?(?:year|yr)|ye(?=\s?'?2\d))(?:\s*(?:of\s+)?(?<year>20\d\d|'?2\d)(?![\d%km]|[.,]\d))?(?![\w$])`,
    readYear,
    THE_END,
  ),
  form(
    String.raw`\b(?:before\s+)?(?:the|this)\s+year(?:'s|\s+is)?\s+(?:ends|closes|is\s+(?:out|over|up|done)|out|over|done)\b(?!\s*[~$\d])`,
    readYear,
    THE_END,
  ),
  form(
    String.raw`(?<=\bbefore )(?:the|this)\s+(?<unit>month|quarter|week)(?:'s|\s+is)?\s+(?:ends|closes|is\s+(?:out|over|up|done)|out|over|done)\b`,
    calendarOne,
    THE_END,
  ),
  form(
    String.raw`\b(?:e\.?o\.?m|(?:the\s+)?(?:end|close)[\s-]+of[\s-]+(?:the\s+|this\s+)?month|month'?s?[- ]end)\b`,
    (_, posted) => {
      if (!posted || posted.precision === 'year') return null
      const { year, month } = partsOf(posted.day)
      return monthPeriod(year, month)
    },
    THE_END,
  ),
  form(
    String.raw`\b(?:e\.?o\.?q|(?:the\s+)?(?:end|close)\s+of\s+(?:the\s+)?quarter|quarter[- ]end)\b`,
    (_, posted) => posted && currentQuarter(posted, 0),
    THE_END,
  ),
  form(
    String.raw`\b(?:e\.?o\.?w|(?:the\s+)?end\s+of\s+(?:the\s+)?week)\b`,
    (_, posted) => (posted?.precision === 'day' ? weekPeriod(posted.day, 0) : null),
    THE_END,
  ),
  form(
    String.raw`\b(?:(?:the\s+)?(?:end|close|turn)\s+of\s+(?:(?:the|this)\s+)?decade|(?:the|this)\s+decade\s+(?:is\s+(?:out|over|up|done)|ends|closes)|this\s+decade|decade'?s?[- ]end)\b`,
    (_, posted) => decade(posted),
    THE_END,
  ),
  form(
    String.raw`\b(?:the\s+)?(?<which>this|next|coming|rest\s+of\s+(?:the|this)|remainder\s+of\s+(?:the|this))\s+(?:calendar\s+)?(?<unit>year|yr|quarter|month|week|weekend)\b(?!\s+(?:or\s+(?:two|so|three)|and\s+a\s+half))`,
    calendarOne,
  ),
  form(
    String.raw`\b(?:${ENDING}\s+(?:the|this)\s+(?<unit>year|month|quarter|week)|all\s+(?:of\s+)?(?:the\s+|this\s+)?(?<unit2>year|month))\b`,
    calendarOne,
    THE_END,
  ),
  form(String.raw`\bthe\s+(?<unit>weekend)\b`, calendarOne, { needsLead: true }),
  form(
    String.raw`\b(?:the|this)\s+(?<unit>week|month|quarter|year)ly\s+close\b`,
    calendarOne,
    THE_END,
  ),
  form(
    String.raw`(?<=\b(?:for|in|spends?) )the\s+(?<unit>year)\b(?!\s+(?:or|ahead|to come|ended|ending|of|\d))`,
    calendarOne,
  ),
  form(String.raw`\b(?:this time|today) next (?<unit>year|month|week)\b`, (match, posted) => {
    if (posted?.precision !== 'day') return null
    const unit = group(match, 'unit')
    if (unit === 'week') return dayPeriod(addDays(posted.day, 7))
    return dayPeriod(addMonths(posted.day, unit === 'month' ? 1 : 12))
  }),
  form(String.raw`(?<![\d.\/$-])(?<month>0?[1-9]|1[0-2])\/(?<year>20\d\d)\b(?!\/)`, (match) => {
    const year = yearIn(match)
    return year === null ? null : monthPeriod(year, Number(group(match, 'month')))
  }),
  form(
    String.raw`(?<=\b(?:by|before|until|till|on|for) )(?:(?<weekday>${WEEKDAY_WORDS}),?\s+(?:the\s+)?|the\s+(?=\d{1,2}[snrt]))(?<day>\d{1,2})(?:st|nd|rd|th)?\b(?=\s*(?:$|[.,;:!?)\0]|(?:or|and|at|we|btc|bitcoin)\b))`,
    dayOfMonth,
  ),
  form(String.raw`\bmid[- ]?year\b`, (_, posted) =>
    posted ? partOf(yearPeriod(partsOf(posted.day).year), 'middle') : null,
  ),
  ...HOLIDAY_FORMS,
  form(
    String.raw`\b(?<when>tomorrow|today|tonight|end of (?:the )?day|eod)\b`,
    (match, posted) => {
      if (posted?.precision !== 'day') return null
      const later = /^tomorrow/i.test(match[0]) ? 1 : 0
      return dayPeriod(addDays(posted.day, later))
    },
    THE_END,
  ),
  form(
    String.raw`\b(?:(?<which>next|this|coming)\s+)?(?<weekday>${WEEKDAY_WORDS})\b(?:\s+(?<later>(?:of\s+)?next week|week|after next)\b)?`,
    (match, posted) => {
      const weekday = weekdayOf(group(match, 'weekday') ?? '')
      if (weekday === null || posted?.precision !== 'day') return null
      const later = group(match, 'later')?.toLowerCase() ?? ''
      if (later.startsWith('after')) return null
      const isNextWeeks = /next$/i.test(group(match, 'which') ?? '') || later.endsWith('next week')
      const { to: sunday } = weekPeriod(posted.day, 0)
      const named = nextWeekday(isNextWeeks ? sunday : posted.day, weekday)
      return dayPeriod(addDays(named, later === 'week' ? 7 : 0))
    },
    { needsLead: true },
  ),
  form(
    String.raw`(?<![\w#$€£.,\/-])(?<first>20\d\d)\s?[-\/]\s?(?<year>20\d\d|[2-9]\d)(?![\d%km\/-]|[.,]\d)`,
    (match) => {
      const [first, last] = [yearIn(match, 'first'), yearIn(match)]
      if (first === null || last === null || last <= first) return null
      return { from: dayOf(first, 1, 1), to: dayOf(last, 12, 31), precision: 'year' }
    },
  ),
  form(
    String.raw`(?<![\w#]|ytd )(?<year>${YEAR})\b(?!s\b|'s\b|\s+(?:conference|event|elections?|halving|edition|world cup|olympics|midterms|(?:sats|satoshis|coins|people|users|holders|days|weeks|months)\b))`,
    readYear,
  ),
  form(String.raw`(?<![\w'])'(?<year>2\d|3\d)\b(?!')`, readYear, { needsLead: true }),
]

/** "may", "march" and "fall" can be verbs. */
function isVerb(match: RegExpExecArray): boolean {
  return /^(?:may|march|mar|fall|spring)$/.test(group(match, 'month') ?? '')
}

function readMonth(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const month = monthIn(match)
  if (month === null || posted === null) return null
  const { year } = partsOf(posted.day)
  const of = group(match, 'of')?.toLowerCase()
  if (of !== undefined)
    return monthPeriod(of === 'next' || of === 'coming' ? year + 1 : year, month)
  const period = monthPeriod(year, month)
  // "Next November", said in November, is next year's.
  const isOver = period.to < posted.day
  const isNext = period.from <= posted.day && /^next/i.test(match[0])
  return isOver || isNext ? monthPeriod(year + 1, month) : period
}

function readSeason(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const months = SEASONS[group(match, 'season')?.toLowerCase() ?? '']
  if (!months) return null
  const short = group(match, 'short')
  const named = group(match, 'year') ?? short
  const year = named === null ? null : yearOf(named)
  if (year !== null) return monthsPeriod(year, months[0], months[1])
  if (posted === null || named !== null) return null
  const now = partsOf(posted.day).year
  const periods = [now - 1, now, now + 1, now + 2].map((y) => monthsPeriod(y, months[0], months[1]))
  const coming = periods.filter(({ to }) => to >= posted.day)
  const began = coming[0] !== undefined && coming[0].from <= posted.day
  return (/^next/i.test(match[0]) && began ? coming[1] : coming[0]) ?? null
}

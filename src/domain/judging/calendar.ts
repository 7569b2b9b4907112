import { addDays, dayOf, daysInMonth, partsOf, readDay, type Day } from '#domain/day.ts'

/** Trading days of an asset: every UTC day, or the sessions of the New York exchanges. */
export type Calendar = 'every-day' | 'new-york'

/** Unscheduled closings: attacks, storms, days of mourning. */
const SPECIAL_CLOSINGS = new Set(
  [
    '2001-09-11',
    '2001-09-12',
    '2001-09-13',
    '2001-09-14',
    '2004-06-11',
    '2007-01-02',
    '2012-10-29',
    '2012-10-30',
    '2018-12-05',
    '2025-01-09',
  ].map(readDay),
)

export function isTradingDay(calendar: Calendar, day: Day): boolean {
  if (calendar === 'every-day') return true
  const { weekday, year } = partsOf(day)
  if (weekday === 0 || weekday === 6) return false
  return !newYorkHolidays(year).has(day) && !SPECIAL_CLOSINGS.has(day)
}

export function lastTradingDay(calendar: Calendar, day: Day): Day {
  let at = day
  while (!isTradingDay(calendar, at)) at = addDays(at, -1)
  return at
}

/** The number of trading days after `after` up to and including `through`; 0 if that is not later. */
export function tradingDaysBetween(calendar: Calendar, after: Day, through: Day): number {
  if (through <= after) return 0
  if (calendar === 'every-day') return through - after
  const [first, last] = [partsOf(after).year, partsOf(through).year]
  let count = sessionsUpTo(through) - sessionsUpTo(after)
  for (let year = first; year < last; year += 1) count += sessionsOfYear(year).at(-1) ?? 0
  return count
}

function sessionsUpTo(day: Day): number {
  const { year } = partsOf(day)
  return sessionsOfYear(year)[day - dayOf(year, 1, 1) + 1] ?? 0
}

/** By year, the number of New York sessions before each day. */
const sessionsByYear = new Map<number, Int16Array>()

function sessionsOfYear(year: number): Int16Array {
  const known = sessionsByYear.get(year)
  if (known) return known
  const first = dayOf(year, 1, 1)
  const counts = new Int16Array(dayOf(year + 1, 1, 1) - first + 1)
  for (let i = 1; i < counts.length; i += 1) {
    const trades = isTradingDay('new-york', addDays(first, i - 1))
    counts[i] = (counts[i - 1] ?? 0) + (trades ? 1 : 0)
  }
  sessionsByYear.set(year, counts)
  return counts
}

const holidaysByYear = new Map<number, ReadonlySet<Day>>()

/** Full-day holidays of the New York exchanges, by the rules in force since 1998. */
export function newYorkHolidays(year: number): ReadonlySet<Day> {
  const known = holidaysByYear.get(year)
  if (known) return known
  const days = new Set<Day>()
  // A New Year's Day on a Saturday is not observed on the Friday before, the last trading day of the year.
  if (partsOf(dayOf(year, 1, 1)).weekday !== 6) days.add(observed(dayOf(year, 1, 1)))
  days.add(nthWeekday(year, 1, 1, 3))
  days.add(nthWeekday(year, 2, 1, 3))
  days.add(addDays(easterSunday(year), -2))
  days.add(lastWeekday(year, 5, 1))
  if (year >= 2022) days.add(observed(dayOf(year, 6, 19)))
  days.add(observed(dayOf(year, 7, 4)))
  days.add(nthWeekday(year, 9, 1, 1))
  days.add(thanksgiving(year))
  days.add(observed(dayOf(year, 12, 25)))
  holidaysByYear.set(year, days)
  return days
}

export function thanksgiving(year: number): Day {
  return nthWeekday(year, 11, 4, 4)
}

function observed(day: Day): Day {
  const { weekday } = partsOf(day)
  if (weekday === 6) return addDays(day, -1)
  return weekday === 0 ? addDays(day, 1) : day
}

/** @param weekday 0 is Sunday */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): Day {
  const first = dayOf(year, month, 1)
  const ahead = (weekday - partsOf(first).weekday + 7) % 7
  return addDays(first, ahead + 7 * (nth - 1))
}

export function lastWeekday(year: number, month: number, weekday: number): Day {
  const last = dayOf(year, month, daysInMonth(year, month))
  return addDays(last, -((partsOf(last).weekday - weekday + 7) % 7))
}

/** Meeus/Jones/Butcher algorithm for the Gregorian calendar. */
export function easterSunday(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return dayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

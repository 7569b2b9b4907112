import {
  addDays,
  dayOf,
  dayOfTime,
  daysInMonth,
  partsOf,
  timeOfDay,
  type Day,
} from '#domain/day.ts'
import { isTradingDay, lastTradingDay, nthWeekday, type Calendar } from './calendar.ts'

/** When a day's trading begins, and the first moment after it ends; milliseconds since 1970. */
export type Session = { readonly begin: number; readonly end: number }

const MS_AN_HOUR = 3_600_000

/**
 * The regular session of a day: the whole UTC day, or 9:30 to 16:00 in New York, 13:00 on half days.
 *
 * @returns null when the exchange is closed
 */
export function sessionOf(calendar: Calendar, day: Day): Session | null {
  if (!isTradingDay(calendar, day)) return null
  const midnight = timeOfDay(day)
  if (calendar === 'every-day') return { begin: midnight, end: midnight + 24 * MS_AN_HOUR }
  const newYork = midnight + newYorkHoursBehind(day) * MS_AN_HOUR
  return {
    begin: newYork + 9.5 * MS_AN_HOUR,
    end: newYork + (isHalfDay(day) ? 13 : 16) * MS_AN_HOUR,
  }
}

/** The last trading day whose session has ended at this moment. */
export function lastEndedDay(calendar: Calendar, ms: number): Day {
  const today = lastTradingDay(calendar, dayOfTime(ms))
  const session = sessionOf(calendar, today)
  return session && session.end <= ms ? today : lastTradingDay(calendar, addDays(today, -1))
}

/** Half days of the New York exchanges: before Independence Day and Christmas, and after Thanksgiving. */
export function isHalfDay(day: Day): boolean {
  if (!isTradingDay('new-york', day)) return false
  const { year, month, date } = partsOf(day)
  if ((month === 7 && date === 3) || (month === 12 && date === 24)) return true
  return month === 11 && day === addDays(nthWeekday(year, 11, 4, 4), 1)
}

/** How many hours New York is behind UTC while the exchange is open; the clock changes on Sunday nights only. */
function newYorkHoursBehind(day: Day): 4 | 5 {
  const { year } = partsOf(day)
  const [begin, end] =
    year >= 2007
      ? [nthWeekday(year, 3, 0, 2), nthWeekday(year, 11, 0, 1)]
      : [nthWeekday(year, 4, 0, 1), lastSunday(year, 10)]
  return day >= begin && day < end ? 4 : 5
}

function lastSunday(year: number, month: number): Day {
  const last = dayOf(year, month, daysInMonth(year, month))
  return addDays(last, -partsOf(last).weekday)
}

import { addDays, dayOf, daysInMonth, partsOf, type DatePrecision, type Day } from '#domain/day.ts'

/** A calendar period, both days included, and how precisely its end is given. */
export type Period = { readonly from: Day; readonly to: Day; readonly precision: DatePrecision }

/** When a post was made; the first day of the month or year when no more is known. */
export type PostDate = { readonly day: Day; readonly precision: DatePrecision }

export function yearPeriod(year: number): Period {
  return { from: dayOf(year, 1, 1), to: dayOf(year, 12, 31), precision: 'year' }
}

export function monthPeriod(year: number, month: number): Period {
  return { from: dayOf(year, month, 1), to: dayOf(year, month + 1, 0), precision: 'month' }
}

/** Months `first` to `last` of a year; months beyond 12 belong to the next. */
export function monthsPeriod(year: number, first: number, last: number): Period {
  return { from: dayOf(year, first, 1), to: dayOf(year, last + 1, 0), precision: 'month' }
}

export function dayPeriod(day: Day): Period {
  return { from: day, to: day, precision: 'day' }
}

export function monthPeriodOf(day: Day): Period {
  const { year, month } = partsOf(day)
  return monthPeriod(year, month)
}

/** Monday to Sunday, `ahead` weeks later than the week of the day. */
export function weekPeriod(day: Day, ahead: number): Period {
  const monday = addDays(day, -((partsOf(day).weekday + 6) % 7) + 7 * ahead)
  return { from: monday, to: addDays(monday, 6), precision: 'day' }
}

/** The date, or null when it does not exist, as 31 June. */
export function realDay(year: number, month: number, date: number): Day | null {
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null
  return dayOf(year, month, date)
}

/** The same date that many months later; the 31st becomes the last day of a shorter month. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day)
  const target = partsOf(dayOf(year, month + months, 1))
  return dayOf(target.year, target.month, Math.min(date, daysInMonth(target.year, target.month)))
}

/** The next such weekday (0 is Sunday) after the day. */
export function nextWeekday(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - partsOf(day).weekday + 6) % 7) + 1)
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easter(year: number): Day {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  return dayOf(year, month, (h + l - 7 * m + 33 * month + 19) % 32)
}

/** The fourth Thursday of November. */
export function thanksgiving(year: number): Day {
  return addDays(nextWeekday(dayOf(year, 10, 31), 4), 21)
}

/** Which part of a period is meant. */
export type Part = 'start' | 'early' | 'middle' | 'late' | 'end' | 'first-half' | 'second-half'

/**
 * A part of a period, up to its last day: early 2027 ends with March, mid-2027 with June, mid-September on the 15th. The
 * end and the late part of a period end when it does.
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

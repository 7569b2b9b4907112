import { addDays, type Day, dayOfTime, partsOf, timeOfDay } from '#domain/day.ts'
import { highOf, isCloseOnly, lowOf, type AgreedBar } from './bar.ts'
import {
  isTradingDay,
  lastTradingDay,
  lastWeekday,
  type Calendar,
  nthWeekday,
  thanksgiving,
} from './calendar.ts'

export type MaxTree = {
  /** The first position in `from` to `to` whose value is at least `level`, or -1. */
  readonly firstAtLeast: (from: number, to: number, level: number) => number
  /** The first position in `from` to `to` whose value is greater than `level`, or -1. */
  readonly firstAbove: (from: number, to: number, level: number) => number
  /** The greatest value in `from` to `to`; -Infinity if empty. */
  readonly max: (from: number, to: number) => number
}

/** Bars of one asset, oldest first, prepared for judging: every query is O(log n) or better. */
export type Series = {
  readonly calendar: Calendar
  readonly bars: readonly AgreedBar[]
  /** The day up to which every bar is complete. A later bar is still moving: it can prove a touch, but no miss. */
  readonly finalThrough: Day | null
  /** The position of the first bar on or after the day, or `bars.length`. */
  readonly atOrAfter: (day: Day) => number
  /** Whether every expected bar from `from` to `to` is present and complete. */
  readonly isComplete: (from: Day, to: Day) => boolean
  readonly lastSession: (day: Day) => Day
  readonly closesOnly: (from: number, to: number) => number
  readonly highs: MaxTree
  /** Negated lows, so that the lowest is the greatest. */
  readonly lows: MaxTree
  readonly closes: MaxTree
  readonly negativeCloses: MaxTree
  /** Highs including single-venue prices; null if there are none. */
  readonly loneHighs: MaxTree | null
  /** Negated lows including single-venue prices; null if there are none. */
  readonly loneLows: MaxTree | null
}

/**
 * Prepares bars for judging.
 *
 * @param bars one per day, in any order
 * @param finalThrough the last complete day; by default, that of the last bar before the first moving one
 */
export function seriesOf(
  calendar: Calendar,
  bars: readonly AgreedBar[],
  finalThrough?: Day | null,
): Series {
  const sorted = bars.toSorted((a, b) => a.day - b.day)
  const first = sorted[0]?.day ?? null
  const last = sorted.at(-1)?.day ?? null
  const final = finalThrough === undefined ? lastFinal(sorted) : finalThrough
  const index = first === null || last === null ? null : dayIndex(calendar, sorted, first, last)
  const closesOnly = closesOnlyUpTo(sorted)
  const hasLone = sorted.some((bar) => bar.loneHigh !== null || bar.loneLow !== null)

  function atOrAfter(day: Day): number {
    if (!index || first === null || last === null || day > last) return sorted.length
    return day <= first ? 0 : (index.positions[day - first] ?? sorted.length)
  }

  function lastSession(day: Day): Day {
    if (calendar === 'every-day') return day
    if (!index || first === null || last === null || day < first || day > last) {
      return lastTradingDay(calendar, day)
    }
    return addDays(day, -(index.sinceSession[day - first] ?? 0))
  }

  return {
    calendar,
    bars: sorted,
    finalThrough: final,
    atOrAfter,
    lastSession,
    isComplete: (from, to) => {
      const end = lastSession(to)
      if (end < from) return final !== null && final >= end
      if (!index || first === null || last === null || final === null) return false
      if (end > final || end > last) return false
      if (from < first && expectsAny(calendar, from, addDays(first, -1))) return false
      const before = from <= first ? 0 : (index.missing[from - first - 1] ?? 0)
      return (index.missing[end - first] ?? 0) === before
    },
    closesOnly: (from, to) => (closesOnly[to + 1] ?? 0) - (closesOnly[from] ?? 0),
    highs: maxTree(sorted, (bar) => (bar.unconfirmed ? -Infinity : highOf(bar))),
    lows: maxTree(sorted, (bar) => (bar.unconfirmed ? -Infinity : -lowOf(bar))),
    closes: maxTree(sorted, (bar) => bar.close),
    negativeCloses: maxTree(sorted, (bar) => -bar.close),
    loneHighs: hasLone ? maxTree(sorted, (bar) => bar.loneHigh ?? highOf(bar)) : null,
    loneLows: hasLone ? maxTree(sorted, (bar) => -(bar.loneLow ?? lowOf(bar))) : null,
  }
}

function closesOnlyUpTo(bars: readonly AgreedBar[]): Int32Array {
  const upTo = new Int32Array(bars.length + 1)
  for (const [i, bar] of bars.entries()) upTo[i + 1] = (upTo[i] ?? 0) + Number(isCloseOnly(bar))
  return upTo
}

function lastFinal(sorted: readonly AgreedBar[]): Day | null {
  const moving = sorted.findIndex((bar) => bar.moving)
  return (moving < 0 ? sorted.at(-1) : sorted[moving - 1])?.day ?? null
}

function expectsAny(calendar: Calendar, from: Day, to: Day): boolean {
  for (let at = from; at <= to; at = addDays(at, 1)) if (isTradingDay(calendar, at)) return true
  return false
}

type DayIndex = {
  readonly positions: Int32Array
  readonly missing: Int32Array
  /** For each day, the number of days since the last trading day. */
  readonly sinceSession: Uint8Array
}

function dayIndex(calendar: Calendar, bars: readonly AgreedBar[], first: Day, last: Day): DayIndex {
  const days = last - first + 1
  const positions = new Int32Array(days)
  const missing = new Int32Array(days)
  const sinceSession = new Uint8Array(days)
  let next = 0
  let lacking = 0
  for (let i = 0; i < days; i += 1) {
    const at = addDays(first, i)
    const trades = isTradingDay(calendar, at)
    positions[i] = next
    if (bars[next]?.day === at) next += 1
    else if (trades) lacking += 1
    missing[i] = lacking
    // Days before the first bar are unknown; a weekend at the start comes from the calendar.
    sinceSession[i] = trades
      ? 0
      : i === 0
        ? at - lastTradingDay(calendar, at)
        : (sinceSession[i - 1] ?? 0) + 1
  }
  return { positions, missing, sinceSession }
}

/** Built when it is first asked: each way of judging needs only some. */
function maxTree(bars: readonly AgreedBar[], valueOf: (bar: AgreedBar) => number): MaxTree {
  let size = 1
  while (size < bars.length) size *= 2
  let tree: Float64Array | null = null
  const at = (i: number): number => (tree ??= build())[i] ?? -Infinity

  function build(): Float64Array {
    const built = new Float64Array(2 * size).fill(-Infinity)
    built.set(bars.map(valueOf), size)
    for (let i = size - 1; i > 0; i -= 1) {
      built[i] = Math.max(built[2 * i] ?? -Infinity, built[2 * i + 1] ?? -Infinity)
    }
    return built
  }

  function first(from: number, to: number, level: number, strictly: boolean): number {
    if (from > to || from >= bars.length) return -1
    const reaches = (i: number): boolean => (strictly ? at(i) > level : at(i) >= level)
    let i = from + size
    for (;;) {
      // The largest block that starts here, then the block after it.
      while ((i & 1) === 0) i >>= 1
      if (reaches(i)) break
      i += 1
      if ((i & (i - 1)) === 0) return -1
    }
    while (i < size) {
      i *= 2
      if (!reaches(i)) i += 1
    }
    return i - size <= to ? i - size : -1
  }

  return {
    firstAtLeast: (from, to, level) => first(from, to, level, false),
    firstAbove: (from, to, level) => first(from, to, level, true),
    max: (from, to) => {
      let best = -Infinity
      let left = from + size
      let right = Math.min(to, bars.length - 1) + size + 1
      while (left < right) {
        if (left & 1) {
          best = Math.max(best, at(left))
          left += 1
        }
        if (right & 1) {
          right -= 1
          best = Math.max(best, at(right))
        }
        left >>= 1
        right >>= 1
      }
      return best
    },
  }
}

/** Start and end of a day's trading, milliseconds since 1970; the end is exclusive. */
export type Session = { readonly begin: number; readonly end: number }

const MS_AN_HOUR = 3_600_000

/**
 * The session of a day: the whole UTC day, or 9:30 to 16:00 in New York (13:00 on half days).
 *
 * @returns null if the exchange is closed
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

/** The last trading day whose session had ended at a time. */
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
  return month === 11 && day === addDays(thanksgiving(year), 1)
}

/** New York's UTC offset during sessions; the clocks change on Sunday nights only. */
function newYorkHoursBehind(day: Day): 4 | 5 {
  const { year } = partsOf(day)
  const [begin, end] =
    year >= 2007
      ? [nthWeekday(year, 3, 0, 2), nthWeekday(year, 11, 0, 1)]
      : [nthWeekday(year, 4, 0, 1), lastWeekday(year, 10, 0)]
  return day >= begin && day < end ? 4 : 5
}

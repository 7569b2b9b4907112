import { type Calendar } from './calendar.ts'
import { sessionOf } from './session.ts'
import { addDays, dayOfTime } from '#domain/day.ts'

const MINUTE = 60_000

/**
 * When the bars of an ended day are read: soon after its end, and again once late corrections are in.
 *
 * @see public-site.md §4; price-apis.md §5
 */
const AFTER_END_MS: Readonly<Record<Calendar, readonly number[]>> = {
  'every-day': [5 * MINUTE, 65 * MINUTE],
  // Closing auctions report for some minutes; corrections arrive until 20:00 in New York.
  'new-york': [20 * MINUTE, 270 * MINUTE],
}

/** The exchange has never been closed for longer. */
const SEARCHED_DAYS = 7

/**
 * When to ask a source next: every `refreshMs` during a session, and at the set times after its end.
 *
 * @param refreshMs null for a source that reports ended days only
 * @param nowMs milliseconds since 1970
 * @returns milliseconds since 1970, always later than now
 */
export function nextRefresh(calendar: Calendar, refreshMs: number | null, nowMs: number): number {
  const times: number[] = []
  const today = dayOfTime(nowMs)
  for (let day = addDays(today, -2); day <= addDays(today, SEARCHED_DAYS); day = addDays(day, 1)) {
    const session = sessionOf(calendar, day)
    if (!session) continue
    times.push(...AFTER_END_MS[calendar].map((after) => session.end + after))
    if (refreshMs === null) continue
    if (nowMs < session.begin) times.push(session.begin + refreshMs)
    else if (nowMs + refreshMs < session.end) times.push(nowMs + refreshMs)
  }
  return Math.min(...times.filter((time) => time > nowMs))
}

/** Whether the asset should have a live price at this moment. */
export function isInSession(calendar: Calendar, ms: number): boolean {
  const session = sessionOf(calendar, dayOfTime(ms))
  return session !== null && ms >= session.begin && ms < session.end
}

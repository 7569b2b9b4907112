import { sessionOf, type Calendar } from './calendar.ts'
import { addDays, dayOfTime } from '#domain/day.ts'

const MINUTE = 60_000

/**
 * When the bars of a day that has ended are read: soon after its end, and again once late corrections are in.
 *
 * @see public-site.md §4; price-apis.md §5
 */
const AFTER_END_MS: Readonly<Record<Calendar, readonly number[]>> = {
  'every-day': [5 * MINUTE, 65 * MINUTE],
  // Closing auctions print for some minutes; corrections come until 20:00 New York.
  'new-york': [20 * MINUTE, 270 * MINUTE],
}

/** The exchange has never been expected to stay closed for longer. */
const SEARCHED_DAYS = 7

/**
 * When a source is asked next: while a session runs every `refreshMs`, and at the times that follow its end.
 *
 * @param refreshMs null for a source that tells of ended days only
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

/** Whether a live price of the asset is to be expected at this moment. */
export function isInSession(calendar: Calendar, ms: number): boolean {
  const session = sessionOf(calendar, dayOfTime(ms))
  return session !== null && ms >= session.begin && ms < session.end
}

import { addDays, dayOfTime } from '#domain/day.ts'
import { type Calendar } from './calendar.ts'
import { sessionOf } from './series.ts'

/** A live price at one venue; `at` in milliseconds since 1970. */
export type Tick = { readonly source: string; readonly usd: number; readonly at: number }

/** A price farther than this from the last one needs confirmation by a second venue. */
const FAR = 0.05
/** How soon the second venue must confirm. */
const CONFIRM_WITHIN_MS = 60_000
/** Older last prices are ignored. */
const LAST_COUNTS_MS = 600_000

/**
 * Whether a live price may be shown: near the last price, or confirmed by a second venue within a minute. Any other
 * must last for a minute uncontradicted, and counts only if nothing else is known: the asset has a single live source,
 * or no price from the last ten minutes.
 *
 * @param last the last known price: the one shown, else the last close
 * @param others the newest ticks of the other venues
 * @param sole the asset has no other live source
 * @param nearSince since when the same source has reported nearby prices, milliseconds since 1970
 * @see decisions.md §2, "Wicks"; issue 5, "Composite"
 */
export function isCredible(
  tick: Tick,
  last: Tick | null,
  others: readonly Tick[],
  { sole, nearSince }: { sole: boolean; nearSince: number },
): boolean {
  if (last && isNear(tick.usd, last.usd)) return true
  const fresh = others.filter(
    (other) => other.source !== tick.source && Math.abs(tick.at - other.at) <= CONFIRM_WITHIN_MS,
  )
  if (fresh.length > 0) return fresh.some((other) => isNear(tick.usd, other.usd))
  const isAllThereIs = sole || !last || Math.abs(tick.at - last.at) > LAST_COUNTS_MS
  return isAllThereIs && tick.at - nearSince >= CONFIRM_WITHIN_MS
}

export function isNear(a: number, b: number): boolean {
  return Math.abs(a / b - 1) <= FAR
}

const MINUTE = 60_000

/**
 * Delays after the end of a day at which its bars are read: soon after, and once late corrections are in.
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
 * When to fetch a source next: every `refreshMs` during a session, and at the set times after its end.
 *
 * @param refreshMs null for a source that only reports ended days
 * @param nowMs milliseconds since 1970
 * @returns milliseconds since 1970, always in the future
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

export function isInSession(calendar: Calendar, ms: number): boolean {
  const session = sessionOf(calendar, dayOfTime(ms))
  return session !== null && ms >= session.begin && ms < session.end
}

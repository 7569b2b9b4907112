import { showNumberOf } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'

const MINUTE_MS = 60_000

/** How long something has waited: `12 min`, `5 h`, `3 days`. */
export function waitText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  if (minutes < 60) return `${String(minutes)} min`
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`
  return `${String(Math.floor(minutes / (24 * 60)))} days`
}

/** What waits, as a sentence: `12 submissions wait, the oldest for 3 days.` */
export function waitingText(count: number, oldestMs: number): string {
  if (count === 0) return 'No submissions wait.'
  const time = waitWords(oldestMs)
  if (count === 1) return time === null ? '1 submission waits.' : `1 submission waits, for ${time}.`
  const all = `${showCount(count)} submissions wait`
  return time === null ? `${all}.` : `${all}, the oldest for ${time}.`
}

/** Replies of people that wait, as a sentence: `2 replies wait, 1 is overdue.` */
export function repliesText({ waiting, overdue }: { waiting: number; overdue: number }): string {
  if (waiting === 0) return 'No replies wait.'
  const all = waiting === 1 ? '1 reply waits' : `${showCount(waiting)} replies wait`
  if (overdue === 0) return `${all}.`
  return `${all}, ${overdue === 1 ? '1 is' : `${showCount(overdue)} are`} overdue.`
}

/** The same time in words; null for less than a minute. */
function waitWords(ms: number): string | null {
  const minutes = Math.floor(ms / MINUTE_MS)
  if (minutes < 1) return null
  if (minutes < 60) return showNumberOf(minutes, 'minute')
  if (minutes < 48 * 60) return showNumberOf(Math.floor(minutes / 60), 'hour')
  return showNumberOf(Math.floor(minutes / (24 * 60)), 'day')
}

import { dayOfTime, showDay } from '#domain/day.ts'

const KEY = 'lastOnline'

/** Notes that this page came from the server now; see {@link lastOnline}. */
export function noteOnline(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()))
  } catch {
    // Without storage the notice is less exact.
  }
}

/** When a page last came from the server: `20/11/2026 14:05 UTC`. */
export function lastOnline(): string {
  try {
    const time = Number(localStorage.getItem(KEY))
    if (time > 0) {
      return `${showDay(dayOfTime(time))} ${new Date(time).toISOString().slice(11, 16)} UTC`
    }
  } catch {
    // See above.
  }
  return 'your last visit'
}

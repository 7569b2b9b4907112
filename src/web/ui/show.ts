import { readDay, showDay } from '#domain/day.ts'
import { counted } from '#domain/price-text.ts'

/**
 * A stored date as dd/MM/yyyy; `N/A` if missing, `Invalid Date` if unreadable.
 *
 * @see public-site.md §8
 */
export function showDate(written: string | null): string {
  if (written === null || written.trim() === '') return 'N/A'
  const day = readDay(written)
  return day === null ? 'Invalid Date' : showDay(day)
}

/**
 * Like `showDate`, for an optional date.
 *
 * @param never text for null
 */
export function dateOr(never: string, written: string | null): string {
  return written === null ? never : showDate(written)
}

/** Date and time as dd/MM/yyyy HH:mm, in the browser's time zone. */
export function showMoment(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return 'Invalid Date'
  return at.toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })
}

/**
 * Like `showMoment`, for an optional moment.
 *
 * @param never text for null
 */
export function momentOr(never: string, iso: string | null): string {
  return iso === null ? never : showMoment(iso)
}

/** Time of day, in the browser's time zone. */
export function showTime(iso: string): string {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? '' : at.toLocaleTimeString('en-GB', { timeStyle: 'short' })
}

/** `1 sat`, `2,100 sats` */
export function satsText(sats: number): string {
  return counted(sats, 'sat')
}

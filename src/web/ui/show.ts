import { readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'

/**
 * A written date as dd/MM/yyyy: `N/A` where there is none, `Invalid Date` where it cannot be read.
 *
 * @see public-site.md §8
 */
export function showDate(written: string | null): string {
  if (written === null || written.trim() === '') return 'N/A'
  const day = readDay(written)
  return day === null ? 'Invalid Date' : showDay(day)
}

/** The same for a date that may be missing. @param never the text for that */
export function dateOr(never: string, written: string | null): string {
  return written === null ? never : showDate(written)
}

/** A moment as dd/MM/yyyy and the time, in the browser's time zone. */
export function showMoment(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return 'Invalid Date'
  return at.toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })
}

/** The same for a moment that may be missing. @param never the text for that */
export function momentOr(never: string, iso: string | null): string {
  return iso === null ? never : showMoment(iso)
}

/** The time of day alone, in the browser's time zone. */
export function showTime(iso: string): string {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? '' : at.toLocaleTimeString('en-GB', { timeStyle: 'short' })
}

/** `1 sat`, `2,100 sats` */
export function satsText(sats: number): string {
  return `${showCount(sats)} ${sats === 1 ? 'sat' : 'sats'}`
}

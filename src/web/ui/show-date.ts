import { readDay, showDay } from '#domain/day.ts'

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

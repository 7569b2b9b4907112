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

/** A moment as dd/MM/yyyy and the time, by the clock of whoever looks at it. */
export function showMoment(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return 'Invalid Date'
  return at.toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })
}

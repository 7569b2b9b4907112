import { showDate } from '#web/ui/show-date.ts'

/**
 * A moment of a post as `20/11/2026 14:05 UTC`: its day in UTC is the day of the prediction. N/A without one
 * (administrator-tools.md §2).
 */
export function momentText(iso: string | null): string {
  const day = showDate(iso)
  const time = /T(\d{2}:\d{2})/.exec(iso ?? '')?.[1]
  return time === undefined || day === 'Invalid Date' ? day : `${day} ${time} UTC`
}

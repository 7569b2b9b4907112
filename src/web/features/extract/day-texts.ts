import { readDay, showDay } from '#domain/day.ts'

/** A moment as administrators read it: `20/11/2026 14:05 UTC`; N/A without one (administrator-tools.md §2). */
export function momentText(iso: string | null): string {
  if (iso === null) return 'N/A'
  const time = /T(\d{2}:\d{2})/.exec(iso)?.[1]
  const day = dayText(iso)
  return time === undefined || day === 'Invalid Date' ? day : `${day} ${time} UTC`
}

export function dayText(iso: string | null): string {
  if (iso === null || iso === '') return 'N/A'
  const day = readDay(iso)
  return day === null ? 'Invalid Date' : showDay(day)
}

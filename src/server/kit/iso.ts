import { dayOfTime, showDay } from '#domain/day.ts'

/** A timestamp in ISO 8601, the API's format; PostgreSQL prints another one. */
export function iso(moment: string): string {
  return new Date(moment).toISOString()
}

export function isoOrNull(moment: string | null): string | null {
  return moment === null ? null : iso(moment)
}

/** `20/11/2026 at 12:00 UTC`, for sentences. */
export function momentText(moment: string): string {
  return `${showDay(dayOfTime(Date.parse(moment)))} at ${iso(moment).slice(11, 16)} UTC`
}

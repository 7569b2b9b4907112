import { readDay, showDay } from '#domain/day.ts'

/** `20/11/2026 12:01 UTC` */
export function momentText(moment: string): string {
  const day = readDay(moment)
  return day === null ? 'N/A' : `${showDay(day)} ${moment.slice(11, 16)} UTC`
}

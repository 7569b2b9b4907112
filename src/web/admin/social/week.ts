const HOUR_MS = 3_600_000
export const DAYS = 7
export const HOURS = 24

/** The days of the week of a moment, Monday first: their midnights by the browser's clock, and the end of the last one. */
export function weekOf(ms: number): readonly number[] {
  const at = new Date(ms)
  const monday = at.getDate() - ((at.getDay() + 6) % DAYS)
  return Array.from({ length: DAYS + 1 }, (_, n) =>
    new Date(at.getFullYear(), at.getMonth(), monday + n).getTime(),
  )
}

/** So many hours or days later. A day is one by the clock, also where an hour is left out or comes twice. */
export function movedBy(ms: number, { days = 0, hours = 0 }: { days?: number; hours?: number }) {
  const at = new Date(ms + hours * HOUR_MS)
  at.setDate(at.getDate() + days)
  return at.getTime()
}

/** The moment in an hour of a day of the week that keeps the minutes of another. */
export function momentIn(week: readonly number[], day: number, hour: number, ms: number): number {
  const [at, like] = [new Date(week[day] ?? ms), new Date(ms)]
  at.setHours(hour, like.getMinutes(), like.getSeconds(), like.getMilliseconds())
  return at.getTime()
}

/** Where a moment lies in a week, and, of those in the same hour, at which place of how many. */
export type Place = {
  readonly day: number
  readonly hour: number
  readonly lane: number
  readonly lanes: number
}

/** The places of moments in a week, in the order they are given; null for those outside. */
export function placesOf(week: readonly number[], moments: readonly number[]): (Place | null)[] {
  const cells = moments.map((ms) => {
    const day = week.findIndex((start, n) => start <= ms && ms < (week[n + 1] ?? -Infinity))
    return day < 0 ? null : { day, hour: new Date(ms).getHours() }
  })
  return cells.map((cell, n) => {
    if (cell === null) return null
    const isSame = (other: typeof cell | null): boolean =>
      other?.day === cell.day && other.hour === cell.hour
    return {
      ...cell,
      lane: cells.slice(0, n).filter(isSame).length,
      lanes: cells.filter(isSame).length,
    }
  })
}

/** The hour of the week below a point of the calendar, each part of it from 0 to 1. */
export function cellAt(x: number, y: number): { readonly day: number; readonly hour: number } {
  const within = (part: number, of: number): number =>
    Math.min(of - 1, Math.max(0, Math.floor(part * of)))
  return { day: within(x, DAYS), hour: within(y, HOURS) }
}

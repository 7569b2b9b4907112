const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The browser's time zone, such as Europe/Berlin. */
export function ownZone(): string {
  return new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone
}

/** A zone with its distance to UTC at a moment: `Europe/Berlin, GMT+1`. */
export function zoneText(zone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' })
  const offset = parts.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined ? zone : `${zone}, ${offset}`
}

/** A moment as a field for date and time holds it, in the browser's time zone. */
export function fieldOfMoment(ms: number): string {
  const at = new Date(ms)
  const two = (n: number): string => String(n).padStart(2, '0')
  const date = `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/**
 * The moment that a field for date and time means, milliseconds since 1970; null when it holds none. Where the clocks are
 * put forward, an hour that does not exist means the one after it.
 */
export function momentOfField(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null
  const ms = new Date(text).getTime()
  return Number.isNaN(ms) ? null : ms
}

/** `Fri 27/11/2026, 09:00` */
export function longMoment(ms: number): string {
  const at = new Date(ms)
  const day = at.toLocaleDateString('en-GB', { weekday: 'short' })
  const date = at.toLocaleDateString('en-GB')
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `${day} ${date}, ${time}`
}

/** How far a moment lies ahead or back: `in 3 hours`, `2 days ago`. */
export function distanceText(ms: number, nowMs: number): string {
  const away = Math.abs(ms - nowMs)
  const [unit, size] =
    away >= 2 * DAY_MS
      ? ['day', DAY_MS]
      : away >= 2 * HOUR_MS
        ? ['hour', HOUR_MS]
        : ['minute', MINUTE_MS]
  const n = Math.round(away / Number(size))
  if (n === 0) return 'now'
  const words = `${String(n)} ${String(unit)}${n === 1 ? '' : 's'}`
  return ms >= nowMs ? `in ${words}` : `${words} ago`
}

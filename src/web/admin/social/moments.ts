import { plural } from '#domain/day.ts'
import { type SocialPost, type SocialResult } from '#contracts/publishing.ts'

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

/** A moment as `2026-11-27T09:30`, in the browser's time zone. */
export function fieldOfMoment(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS)
  return local.toISOString().slice(0, 16)
}

/**
 * The moment that `2026-11-27T09:30` means, milliseconds since 1970; null when it means none. Where the clocks are put
 * forward, an hour that does not exist means the one after it.
 */
export function momentOfField(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return null
  const ms = new Date(text).getTime()
  return Number.isNaN(ms) ? null : ms
}

/** `Fri 27/11/2026` */
export function dayText(ms: number): string {
  const at = new Date(ms)
  const day = at.toLocaleDateString('en-GB', { weekday: 'short' })
  return `${day} ${at.toLocaleDateString('en-GB')}`
}

/** `09:00` */
export function timeText(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { timeStyle: 'short' })
}

/** `Fri 27/11/2026, 09:00` */
export function longMoment(ms: number): string {
  return `${dayText(ms)}, ${timeText(ms)}`
}

const RELATIVE = new Intl.RelativeTimeFormat('en')

/** How far a moment lies ahead or back: `in 3 hours`, `2 days ago`. */
export function distanceText(ms: number, nowMs: number): string {
  const away = Math.abs(ms - nowMs)
  const [unit, size] =
    away >= 2 * DAY_MS
      ? (['day', DAY_MS] as const)
      : away >= 2 * HOUR_MS
        ? (['hour', HOUR_MS] as const)
        : (['minute', MINUTE_MS] as const)
  const n = Math.round((ms - nowMs) / size)
  return n === 0 ? 'now' : RELATIVE.format(n, unit)
}

/** `12 minutes`, `3 hours`: rounded up, never too early. */
export function minutesText(minutes: number): string {
  const isLong = minutes >= 120
  const n = isLong ? Math.ceil(minutes / 60) : minutes
  return plural(n, isLong ? 'hour' : 'minute')
}

/** The ten seconds in which a post can be taken back, and some for it to be sent. */
const SOON_MS = 40_000

/** Whether some network is being written to right now, or in a few seconds. */
export function isUnderWay({ state, results, scheduled_at: at }: SocialPost): boolean {
  if (state === 'scheduled') return Date.parse(at ?? '') < Date.now() + SOON_MS
  return state === 'sending' && results.some((one) => one.state === 'sending' || isNew(one))
}

/** Not tried yet, and next. */
export function isNew({ state, attempts }: SocialResult): boolean {
  return state === 'waiting' && attempts === 0
}

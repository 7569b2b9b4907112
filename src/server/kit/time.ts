import { sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { dayOfTime, showDay, type Day } from '#domain/day.ts'

/** Injected, so that tests and replays control time. */
export type Clock = { readonly now: () => number }

type Timed = { readonly clock: Clock }

/** The current time in ISO 8601, as in the database and on the wire. */
export function isoNow({ clock }: Timed): string {
  return new Date(clock.now()).toISOString()
}

/** A time this many ms from now; negative for the past. */
export function isoIn({ clock }: Timed, ms: number): string {
  return new Date(clock.now() + ms).toISOString()
}

/** The current day in UTC. */
export function today({ clock }: Timed): Day {
  return dayOfTime(clock.now())
}

/** A timestamp in ISO 8601, the API's format; PostgreSQL prints a different one. */
export function iso(moment: string): string {
  return new Date(moment).toISOString()
}

export function isoOrNull(moment: string | null): string | null {
  return moment === null ? null : iso(moment)
}

/** A timestamp column as `iso` gives it, for rows that go out as they are read. */
export function isoOf<Column extends AnyPgColumn | SQL>(
  column: Column,
): SQL<Column extends { _: { notNull: true } } ? string : string | null> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** `20/11/2026 at 12:00 UTC`, for sentences. */
export function momentText(moment: string): string {
  return `${showDay(dayOfTime(Date.parse(moment)))} at ${iso(moment).slice(11, 16)} UTC`
}

/** Services that asked to wait, by name. A clock set back must not extend a pause. */
export function requestedPauses({ clock }: Timed) {
  const pauses = new Map<string, { from: number; until: number }>()
  /** Milliseconds; 0 if it may be called. */
  const leftMs = (service: string): number => {
    const { from, until } = pauses.get(service) ?? { from: 0, until: 0 }
    const now = clock.now()
    if (now >= from && now < until) return until - now
    pauses.delete(service)
    return 0
  }
  return {
    leftMs,
    wait: (service: string, ms: number): void => {
      const from = clock.now()
      pauses.set(service, { from, until: from + Math.max(ms, leftMs(service)) })
    },
  }
}

import { dayOfTime, type Day } from '#domain/day.ts'
import { type Clock } from './ports.ts'

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

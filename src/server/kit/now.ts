import { dayOfTime, type Day } from '#domain/day.ts'
import { type Clock } from './ports.ts'

type Timed = { readonly clock: Clock }

/** The moment, as the database and the wire have it. */
export function isoNow({ clock }: Timed): string {
  return new Date(clock.now()).toISOString()
}

/** The running day, in UTC. */
export function today({ clock }: Timed): Day {
  return dayOfTime(clock.now())
}

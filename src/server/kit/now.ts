import { dayOfTime, type Day } from '#domain/day.ts'
import { type Clock } from './ports.ts'

type Timed = { readonly clock: Clock }

/** The moment, as the database and the wire have it. */
export function isoNow({ clock }: Timed): string {
  return new Date(clock.now()).toISOString()
}

/** The moment so many milliseconds from now; before now where they are negative. */
export function isoIn({ clock }: Timed, ms: number): string {
  return new Date(clock.now() + ms).toISOString()
}

/** The running day, in UTC. */
export function today({ clock }: Timed): Day {
  return dayOfTime(clock.now())
}

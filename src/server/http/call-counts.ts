import { type FastifyRateLimitStore } from '@fastify/rate-limit'

const MOST_KEYS = 5_000

type Counted = { current: number; since: number }

/**
 * Counts the calls of each address, by a clock that is never set: the store of the library goes by the time of day, and after
 * that was set back by hours it makes a caller who has used up a limit wait for as long.
 */
export class CallCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, Counted>()

  incr(
    key: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = performance.now()
    const known = this.#counts.get(key)
    const isOver = !known || known.since + timeWindow <= now
    const counted = isOver ? { current: 1, since: now } : { ...known, current: known.current + 1 }
    // Last used, last forgotten.
    this.#counts.delete(key)
    this.#counts.set(key, counted)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > MOST_KEYS && oldest !== undefined) this.#counts.delete(oldest)
    done(null, { current: counted.current, ttl: counted.since + timeWindow - now })
  }

  /** Each call has counts of its own. */
  child(): CallCounts {
    return new CallCounts()
  }
}

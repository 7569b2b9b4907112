import { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { isLoopback, networkOf, prefixOf } from '#server/kit/network-of.ts'

const MOST_KEYS = 5_000
/** A prefix may make this many times the calls of a network; for changes only once. */
const NETWORKS_OF_A_PREFIX = 4

/** Key of the call counts. */
export const callerOf = ({ method, ip }: { method: string; ip: string }): string =>
  `${method} ${ip}`

type Counted = { current: number; since: number }
type Count = Parameters<FastifyRateLimitStore['incr']>

/**
 * Counts calls by network and prefix, by a monotonic clock: the library's store uses the time of day, and after that
 * is set back by hours, a limited caller would wait as long. Evicts the least recently used, so that only more than
 * 5,000 prefixes in a minute lose counts.
 */
export class CallCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, Counted>()

  /** @param caller see `callerOf` */
  incr(caller: Count[0], done: Count[1], timeWindow: Count[2]): void {
    const [method = '', address = ''] = caller.split(' ')
    const own = this.#count(networkOf(address), timeWindow)
    const all = isLoopback(address) ? own : this.#count(prefixOf(address), timeWindow)
    const ofAll = Math.ceil(all.current / (method === 'POST' ? 1 : NETWORKS_OF_A_PREFIX))
    const { current, since } = ofAll > own.current ? { ...all, current: ofAll } : own
    done(null, { current, ttl: since + timeWindow - performance.now() })
  }

  #count(key: string, timeWindow: number): Counted {
    const now = performance.now()
    const known = this.#counts.get(key)
    const isOver = !known || known.since + timeWindow <= now
    const counted = isOver ? { current: 1, since: now } : { ...known, current: known.current + 1 }
    this.#counts.delete(key)
    this.#counts.set(key, counted)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > 2 * MOST_KEYS && oldest !== undefined) this.#counts.delete(oldest)
    return counted
  }

  /** Each route has its own counts. */
  child(): CallCounts {
    return new CallCounts()
  }
}

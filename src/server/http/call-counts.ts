import { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { isLoopback, networkOf, prefixOf } from '#server/kit/network-of.ts'

const MOST_KEYS = 5_000
/** How many times what one network may ask for all of a prefix may; a change only once. */
const NETWORKS_OF_A_PREFIX = 4

/** What limits of calls count by. */
export const callerOf = ({ method, ip }: { method: string; ip: string }): string =>
  `${method} ${ip}`

type Counted = { current: number; since: number }
type Count = Parameters<FastifyRateLimitStore['incr']>

/**
 * Counts the calls of each network and of each prefix, by a clock that is never set: the store of the library goes by the time of
 * day, and after that was set back by hours it makes a caller who has used up a limit wait for as long. Last used, last forgotten:
 * what one prefix does keeps its count alive, so only more than 5,000 prefixes within a minute make it forget any.
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

  /** Each call has counts of its own. */
  child(): CallCounts {
    return new CallCounts()
  }
}

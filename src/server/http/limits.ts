import { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { failure, failureBody } from '#server/kit/failure.ts'
import { isLoopback, networkOf, prefixOf } from '#server/kit/reach.ts'

const MOST_KEYS = 5_000
/** A prefix may make this many times the calls of a network; for changes only once. */
const NETWORKS_OF_A_PREFIX = 4

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

/** Limits costly work of some requests. @returns counts a request @throws AppError `too_many` */
export function limitOf(app: FastifyInstance, max: number, sentence: string) {
  const count = app.createRateLimit({ max, timeWindow: '1 minute' })
  return async (request: FastifyRequest): Promise<void> => {
    const found = await count(request)
    if (found.isAllowed || !found.isExceeded) return
    throw failure('too_many', sentence, null, found.ttlInSeconds)
  }
}

/** Options of hidden routes for files and documents. */
export const LIMITED_FILE = {
  schema: { hide: true },
  config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
} as const

export type ConnectionLimit = ReturnType<typeof connectionLimit>

/**
 * Limits long-lived connections.
 *
 * @param most in total
 * @param mostOfOne per address or IPv6 network, which many people may share
 * @param crowded how the second limit refuses
 */
export function connectionLimit(most: number, mostOfOne = most, crowded: 429 | 503 = 503) {
  const networks = new Map<string, number>()
  let count = 0
  let isShut = false

  return {
    /** Refuses a request over the limit. @returns whether it did */
    async refuse({ ip }: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      const isCrowded = !isLoopback(ip) && (networks.get(networkOf(ip)) ?? 0) >= mostOfOne
      if (!isCrowded && count < most && !isShut) return false
      const text = isCrowded
        ? 'Too many open connections from this address.'
        : 'No more connections can be taken at the moment.'
      const status = isCrowded ? crowded : 503
      await reply
        .code(status)
        .header('retry-after', '30')
        .send(failureBody(status === 429 ? 'too_many' : 'unavailable', text))
      return true
    },

    /** Counts a connection. @returns call it when the connection ends; calling it again is harmless */
    enter({ ip }: FastifyRequest): () => void {
      const network = networkOf(ip)
      let isInside = true
      count += 1
      networks.set(network, (networks.get(network) ?? 0) + 1)
      return () => {
        if (!isInside) return
        isInside = false
        count -= 1
        const left = (networks.get(network) ?? 1) - 1
        if (left > 0) networks.set(network, left)
        else networks.delete(network)
      }
    },

    count: (): number => count,

    /** Refuses new connections, as the server is stopping. */
    shut(): void {
      isShut = true
    },
  }
}

import { failureBody } from '#server/kit/failure.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { isLoopback, networkOf } from '#server/kit/network-of.ts'

export type ConnectionLimit = {
  /** Answers a request that is over the limit with an error. @returns whether it was over the limit */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
  /** Counts a connection. @returns what to call once it has ended; again is harmless */
  readonly enter: (request: FastifyRequest) => () => void
  /** How many are open. */
  readonly count: () => number
  /** From now on there is no room: the server stops. */
  readonly shut: () => void
}

/**
 * Counts connections that stay open.
 *
 * @param most of all, and `mostOfOne` of one address or one IPv6 network, which many people may share
 * @param crowded how the second is refused
 */
export function connectionLimit({
  most,
  mostOfOne = most,
  crowded = 503,
}: {
  readonly most: number
  readonly mostOfOne?: number
  readonly crowded?: 429 | 503
}): ConnectionLimit {
  const networks = new Map<string, number>()
  let count = 0
  let isShut = false

  return {
    async refuse({ ip }, reply) {
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

    enter({ ip }) {
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

    count: () => count,

    shut() {
      isShut = true
    },
  }
}

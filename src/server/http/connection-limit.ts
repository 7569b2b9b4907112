import { failureBody } from '#server/kit/failure.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { isLoopback, networkOf } from '#server/kit/network-of.ts'

export type ConnectionLimit = {
  /** Refuses a request over the limit. @returns whether it did */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
  /** Counts a connection. @returns call it when the connection ends; calling it again is harmless */
  readonly enter: (request: FastifyRequest) => () => void
  readonly count: () => number
  /** Refuses new connections, as the server is stopping. */
  readonly shut: () => void
}

/**
 * Limits long-lived connections.
 *
 * @param most in total; `mostOfOne` per address or IPv6 network, which many people may share
 * @param crowded how the second limit refuses
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

import { type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Requests that take longer are cut off. */
const FINISH_WITHIN_MS = 8_000
/** Keep-alive connections stay open this long, as a balancer may just have sent a request on one. */
const KEPT_MS = 500
/**
 * An event loop iteration this short did nothing. On a busy machine iterations are longer, so the bound grows while
 * waiting.
 */
const STILL_MS = 0.1
const STILL_GROWTH = 1 / 200
const STILL_TURNS = 2
const STILL_WITHIN_MS = 2_000

/**
 * Stops a server without losing a request: it keeps answering while balancers take it out, then refuses new
 * connections, finishes requests, and ends sockets and streams, whose pages reconnect elsewhere. `isOpen` of the app
 * is already false: `/readyz` reports it, and responses ask to close the connection.
 *
 * @param others further ports whose connections the server handles; see `listen`
 * @param drained the server keeps answering until it resolves
 * @param kept resolves once idle keep-alive connections may be closed
 */
export async function leave(
  app: FastifyInstance,
  {
    others = [],
    drained = Promise.resolve(),
    kept = () => pause(KEPT_MS),
    finishWithinMs = FINISH_WITHIN_MS,
  }: {
    others?: readonly Server[]
    drained?: Promise<unknown>
    kept?: () => Promise<unknown>
    finishWithinMs?: number
  },
): Promise<void> {
  await drained
  const ended = others.map((one) => once(one, 'close'))
  await shut(app.server, others)
  await kept()
  const closed = Promise.all([app.close(), ...ended])
  const cut = setTimeout(() => app.server.closeAllConnections(), finishWithinMs)
  await closed.finally(() => clearTimeout(cut))
}

/**
 * Closes only the ports: the HTTP server would close keep-alive connections, too. The system resets connections still
 * in the accept queue, with their requests, so this waits for event loop iterations that found none and were too
 * short for one to arrive.
 */
function shut(server: Server, others: readonly Server[]): Promise<void> {
  let taken = 0
  // Connections of the other ports are emitted here, too.
  server.on('connection', () => (taken += 1))
  const began = performance.now()
  return new Promise((done) => {
    let before = { at: began, taken: -1 }
    let still = 0
    const check = (): void => {
      const now = { at: performance.now(), taken }
      const waited = now.at - began
      const short = STILL_MS + waited * STILL_GROWTH
      const isStill = now.taken === before.taken && now.at - before.at < short
      still = isStill ? still + 1 : 0
      if (still === STILL_TURNS || waited > STILL_WITHIN_MS) {
        for (const one of [server, ...others]) Server.prototype.close.call(one)
        done()
        return
      }
      before = now
      setImmediate(check)
    }
    setImmediate(check)
  })
}

import { type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What is still being answered after so long is cut off. */
const FINISH_WITHIN_MS = 8_000
/** A balancer may just have sent a request on a connection that it had kept: so long the kept ones stay open. */
const KEPT_MS = 500
/** A turn of the event loop so short has done nothing; on a busy machine it takes longer, so the bound grows while waiting. */
const STILL_MS = 0.1
const STILL_GROWTH = 1 / 200
const STILL_TURNS = 2
const STILL_WITHIN_MS = 2_000

/**
 * Stops a server so that no request is lost: it goes on answering while balancers take it out, then refuses new connections,
 * finishes what it has begun, and ends sockets and streams, whose pages come again elsewhere. `isOpen` of the app is false
 * already: `/readyz` says so, and every answer asks to close its connection.
 *
 * @param others further ports whose connections the server answers; see `listen`
 * @param drained it goes on answering until then
 * @param kept resolves once connections that are kept open without a request may be closed
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
 * Closes the ports, and nothing else: the server of HTTP would end kept connections with it. The system resets connections
 * that wait to be taken in when a port closes, requests and all, so this waits for a moment in which there are none: turns
 * of the event loop that found none and took no time in which one could have come.
 */
function shut(server: Server, others: readonly Server[]): Promise<void> {
  let taken = 0
  // Those that came by the others are handed to it.
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

import { type FastifyInstance } from 'fastify'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What is still being answered after so long is cut off. */
const FINISH_WITHIN_MS = 8_000
/** A balancer may just have sent a request on a connection that it had kept: so long the kept ones stay open. */
const KEPT_MS = 500
/** A turn of the event loop so short has done nothing. */
const STILL_MS = 0.1
const STILL_TURNS = 2
const STILL_WITHIN_MS = 2_000

/**
 * Stops a server so that nobody's request is lost: it goes on answering while balancers take it out, then lets nobody in,
 * finishes what it has begun, and ends sockets and streams, whose pages come again elsewhere. `isOpen` of the app is false
 * already: `/readyz` says so, and every answer asks to close its connection.
 *
 * @param drained it goes on answering until then
 */
export async function leave(
  app: FastifyInstance,
  {
    drained = Promise.resolve(),
    keptMs = KEPT_MS,
    finishWithinMs = FINISH_WITHIN_MS,
  }: { drained?: Promise<unknown>; keptMs?: number; finishWithinMs?: number },
): Promise<void> {
  await drained
  await shut(app.server)
  await pause(keptMs)
  const closed = app.close()
  const cut = setTimeout(() => app.server.closeAllConnections(), finishWithinMs)
  await closed.finally(() => clearTimeout(cut))
}

/**
 * Closes a port, and nothing else: the server of HTTP would end kept connections with it. The system resets connections
 * that wait to be taken in when a port closes, requests and all, so this waits for a moment in which there are none: turns
 * of the event loop that looked, found none, and took no time in which one could have come.
 */
function shut(server: Server): Promise<void> {
  let taken = 0
  server.on('connection', () => (taken += 1))
  const until = performance.now() + STILL_WITHIN_MS
  return new Promise((done) => {
    let before = { at: performance.now(), taken: -1 }
    let still = 0
    const look = (): void => {
      const now = { at: performance.now(), taken }
      const isStill = now.taken === before.taken && now.at - before.at < STILL_MS
      still = isStill ? still + 1 : 0
      if (still === STILL_TURNS || now.at > until) {
        Server.prototype.close.call(server)
        done()
        return
      }
      before = now
      setImmediate(look)
    }
    setImmediate(look)
  })
}

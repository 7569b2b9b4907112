import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type FastifyInstance } from 'fastify'

/** Explains why a port cannot be opened, naming the setting. */
export function listenFailure(
  error: unknown,
  { port, host }: { port: number; host: string },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    return new Error(`Port ${String(port)} is taken by another program. Set PORT to another one.`)
  }
  if (code === 'EACCES')
    return new Error(`Port ${String(port)} may not be used by this user. Set PORT.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`HOST ${host} is not an address of this machine.`)
  }
  return error
}

/** Requests that take longer are cut off. */
const FINISH_WITHIN_MS = 8_000
/** Keep-alive connections stay open this long, as a load balancer may just have sent a request. */
const LINGER_MS = 500
/** An event loop iteration this short found nothing to do. Iterations are longer on a busy machine, so the bound grows. */
const STILL_MS = 0.1
const STILL_GROWTH = 1 / 200
const STILL_ITERATIONS = 2
const STILL_WITHIN_MS = 2_000

/**
 * Stops a server without losing a request: it keeps answering while balancers take it out, then refuses new
 * connections, finishes requests, and ends sockets and streams, whose pages reconnect elsewhere. `isOpen` of the app
 * is already false: `/readyz` reports it, and responses ask to close the connection.
 *
 * @param drained the server keeps answering until it resolves
 * @param kept resolves once idle keep-alive connections may be closed
 */
export async function leave(
  app: FastifyInstance,
  {
    drained = Promise.resolve(),
    linger = () => pause(LINGER_MS),
    finishWithinMs = FINISH_WITHIN_MS,
  }: {
    drained?: Promise<unknown>
    linger?: () => Promise<unknown>
    finishWithinMs?: number
  },
): Promise<void> {
  await drained
  await shut(app.server)
  await linger()
  const cut = setTimeout(() => app.server.closeAllConnections(), finishWithinMs)
  await app.close().finally(() => clearTimeout(cut))
}

/**
 * Closes only the port: the HTTP server would close keep-alive connections, too. The system resets connections still
 * in the accept queue, with their requests, so this waits for event loop iterations that found none and were too
 * short for one to arrive.
 */
function shut(server: Server): Promise<void> {
  let taken = 0
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
      if (still === STILL_ITERATIONS || waited > STILL_WITHIN_MS) {
        Server.prototype.close.call(server)
        done()
        return
      }
      before = now
      setImmediate(check)
    }
    setImmediate(check)
  })
}

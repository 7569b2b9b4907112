import { type FastifyInstance } from 'fastify'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Addresses of `localhost`: IPv4, IPv6, or both. */
async function localAddresses(): Promise<string[]> {
  return (await lookup('localhost', { all: true })).map(({ address }) => address)
}

/**
 * Opens the port of a server. `localhost` can mean two addresses, and browsers try either first, so both are opened;
 * the second passes its connections to the server.
 *
 * @returns the ports opened beside the server's own; see `leave`
 * @throws Error if the first address is unavailable; a second one is left out
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  addressesOf: () => Promise<string[]> = localAddresses,
): Promise<Server[]> {
  const [first = host, ...others] = host === 'localhost' ? new Set(await addressesOf()) : [host]
  await app.listen({ port, host: first })
  const bound = app.server.address()
  if (bound === null || typeof bound !== 'object') return []
  const opened: Server[] = []
  for (const address of others) {
    // The options of an HTTP server.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      app.server.emit('connection', socket)
    })
    try {
      await once(other.listen({ port: bound.port, host: address }), 'listening')
    } catch {
      continue
    }
    app.server.once('close', () => other.close())
    opened.push(other)
  }
  return opened
}

/** Why a port cannot be opened, as a sentence that names the setting. */
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
    return new Error(`HOST ${host} is no address of this machine.`)
  }
  return error
}

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

import { type FastifyInstance } from 'fastify'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

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

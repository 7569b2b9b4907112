import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/**
 * Starts the base of every relay of the tests: web sockets on a free port.
 *
 * @param about its self-description over HTTP (NIP-11); null answers 404
 * @param opens false lets opening connections hang
 */
export async function relayServer({
  serve,
  about = () => null,
  opens = () => true,
}: {
  serve: (socket: WebSocket) => void
  about?: () => object | null
  opens?: () => boolean
}): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_, response) => {
    const message = about()
    if (message === null) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/nostr+json' })
        .end(JSON.stringify(message))
  })
  const sockets = new WebSocketServer({ noServer: true })
  const open = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    if (opens()) sockets.handleUpgrade(request, socket, head, serve)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `ws://127.0.0.1:${String(port)}`,
    close: async () => {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

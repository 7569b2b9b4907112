import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { freePort } from '../free-port.ts'

/** Serves on a free port of this machine. */
export async function serving(answer: RequestListener | Server) {
  const server = typeof answer === 'function' ? createServer(answer) : answer
  // No connection takes this one while the server is down.
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    port,
    origin: `http://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

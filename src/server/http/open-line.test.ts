import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { openLine } from './open-line.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers each request with a line, a turn later, and the connection to it. */
async function opened(request: string, before: (request: IncomingMessage) => void = () => {}) {
  const lines: { line: Writable; response: ServerResponse; socket: Socket }[] = []
  const server = createServer((asked, response) => {
    const { socket } = asked
    setImmediate(() => {
      before(asked)
      response.setHeader('x-own', 'yes')
      lines.push({ line: openLine(response, { 'content-type': 'text/plain' }), response, socket })
      lines.at(-1)?.line.write('first ')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closing.push(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  client.write(request)
  await once(client, 'readable')
  const [one] = lines
  if (!one) throw new Error('nothing was opened')
  return { ...one, client, server }
}

async function readUntil(client: Socket, wanted: string): Promise<string> {
  let read = ''
  for await (const part of client) {
    read += String(part)
    if (read.includes(wanted)) return read
  }
  throw new Error(`${read} without ${wanted}`)
}

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

describe('a line', () => {
  it('is a socket that HTTP knows no more, and an answer that ends with it', async () => {
    const { line, client, socket, response, server } = await opened(GET)
    expect(line).toBe(socket)
    expect(Reflect.get(socket, 'parser')).toBeNull()
    expect(response.socket).toBeNull()
    line.write('second')
    // Of no request that it waits for, and so none that it could end.
    server.closeAllConnections()
    server.closeIdleConnections()
    expect(socket.destroyed).toBe(false)
    line.end()
    const answer = await text(client)
    const [head, body] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(
      /\r\nx-own: yes\r\ncontent-type: text\/plain\r\ndate: .* GMT\r\nconnection: close$/,
    )
    expect(body).toBe('first second')
  })

  it('is closed when its reader leaves, or ends its own side', async () => {
    for (const leave of ['destroy', 'end'] as const) {
      const { line, client } = await opened(GET)
      const closed = once(line, 'close')
      client[leave]()
      client.resume()
      await closed
      expect(line.destroyed).toBe(true)
    }
  })

  it('leaves what comes after the request, whatever it is', async () => {
    const { line, client } = await opened(GET)
    client.write(`${GET}\0\0 no HTTP`)
    client.end()
    await once(line, 'close')
    expect(await text(client)).toMatch(/first $/)
  })

  it('is an ordinary answer where the connection cannot be taken', async () => {
    const without = (request: IncomingMessage) => Reflect.set(request.socket, 'parser', null)
    const unread = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n'
    for (const { line, response, client } of [await opened(GET, without), await opened(unread)]) {
      expect(line).toBe(response)
      line.end('last')
      expect(await readUntil(client, 'last')).toMatch(/first .*last/s)
    }
  })
})

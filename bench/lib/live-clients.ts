// Many minimal event stream clients in one process: raw sockets that search the incoming data for a text. Controlled by
// messages from the parent process.
import { connect, type Socket } from 'node:net'

/** An order from the parent; each is answered by one `ClientsAnswer`. */
export type ClientsOrder =
  | { readonly open: { readonly port: number; readonly path: string; readonly count: number } }
  | { readonly expect: string }
  | { readonly report: true }
  | { readonly close: true }

export type ClientsAnswer =
  | { readonly opened: number }
  | { readonly expecting: number }
  | { readonly open: number; readonly lost: number }
  | { readonly closed: true }
  /** When the last client received the expected text, ms. */
  | { readonly done: number }

const HELLO = (path: string): string => [`GET ${path} HTTP/1.1`, 'Host: bench', '\r\n'].join('\r\n')
const OPENING_AT_ONCE = 200
const sockets = new Set<Socket>()
let lost = 0
let expected: string | null = null
let missing = new Set<Socket>()

function answer(message: ClientsAnswer): void {
  process.send?.(message)
}

function received(socket: Socket, data: Buffer): void {
  if (expected === null || !missing.has(socket) || !data.includes(expected)) return
  missing.delete(socket)
  if (missing.size === 0) {
    answer({ done: performance.timeOrigin + performance.now() })
    expected = null
  }
}

function open(port: number, path: string): Promise<void> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HELLO(path)))
    socket.once('data', (data) => {
      if (!data.includes(' 200 ')) {
        fail(new Error(String(data).slice(0, 60)))
        return
      }
      sockets.add(socket)
      socket.on('data', (more) => received(socket, more))
      done()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (sockets.delete(socket)) lost += 1
    })
  })
}

async function obey(message: ClientsOrder): Promise<void> {
  if ('open' in message) {
    const { port, path, count } = message.open
    for (let i = 0; i < count; i += OPENING_AT_ONCE) {
      const some = Math.min(OPENING_AT_ONCE, count - i)
      await Promise.all(Array.from({ length: some }, () => open(port, path)))
    }
    answer({ opened: sockets.size })
  }
  if ('expect' in message) {
    expected = message.expect
    missing = new Set(sockets)
    answer({ expecting: missing.size })
  }
  if ('report' in message) answer({ open: sockets.size, lost })
  if ('close' in message) {
    for (const socket of sockets) {
      sockets.delete(socket)
      socket.destroy()
    }
    answer({ closed: true })
  }
}

process.on('message', (message) => void obey(message as ClientsOrder))
process.on('disconnect', () => process.exit())

// Many websocket clients in one process, as thin as can be: raw sockets that look for a text in what arrives. Driven by
// messages of the parent process.
import { connect } from 'node:net'

const HELLO = (path) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: bench',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')
const OPENING_AT_ONCE = 200
/** The site ends the sockets of clients that do not answer it. Both frames are empty, and a client masks its own. */
const PING = Buffer.from([0x89, 0])
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

const sockets = new Set()
let lost = 0
let wanted = null
let missing = new Set()

function heard(socket, data) {
  if (data.includes(PING)) socket.write(PONG)
  if (wanted === null || !missing.has(socket) || !data.includes(wanted)) return
  missing.delete(socket)
  if (missing.size === 0) {
    process.send({ done: performance.timeOrigin + performance.now() })
    wanted = null
  }
}

function open(port, path) {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HELLO(path)))
    socket.once('data', (data) => {
      if (!data.includes('101')) return fail(new Error(String(data).slice(0, 60)))
      sockets.add(socket)
      socket.on('data', (more) => heard(socket, more))
      done()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (sockets.delete(socket)) lost += 1
    })
  })
}

async function obey(message) {
  if (message.open) {
    const { port, path, count } = message.open
    for (let i = 0; i < count; i += OPENING_AT_ONCE) {
      const some = Math.min(OPENING_AT_ONCE, count - i)
      await Promise.all(Array.from({ length: some }, () => open(port, path)))
    }
    process.send({ opened: sockets.size })
  }
  if (message.expect) {
    wanted = message.expect
    missing = new Set(sockets)
    process.send({ expecting: missing.size })
  }
  if (message.report) process.send({ open: sockets.size, lost })
  if (message.close) {
    for (const socket of sockets) {
      sockets.delete(socket)
      socket.destroy()
    }
    process.send({ closed: true })
  }
}

process.on('message', (message) => void obey(message))
process.on('disconnect', () => process.exit())

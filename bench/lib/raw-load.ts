// Asks for one address again and again over kept connections, as thin as can be: it reads the length of an answer, counts its
// bytes and takes all of them into one buffer. A client that does more is busy before a cache is.
import { connect } from 'node:net'

export type LoadOrder = {
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly seconds: number
}
export type LoadAnswer = {
  readonly answers: number
  readonly wrong: number
  readonly seconds: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const PART_BYTES = 262_144
/** Of the 65,536 that are there for benches. */
const FIRST_ADDRESS = Math.floor(Math.random() * 60_000)

function one(
  order: LoadOrder,
  n: number,
  until: number,
  counts: { answers: number; wrong: number },
): Promise<void> {
  // Each from an address of its own, and each load from others: the limit of one is not what is measured.
  const address = FIRST_ADDRESS + n
  const asked = Buffer.from(
    [
      `GET ${order.path} HTTP/1.1`,
      `Host: 127.0.0.1:${order.port}`,
      'Accept-Encoding: br',
      `X-Forwarded-For: 198.18.${address >> 8}.${address & 255}`,
      '\r\n',
    ].join('\r\n'),
  )
  return new Promise((done) => {
    let missing = -1
    const take = (length: number, buffer: Uint8Array): boolean => {
      if (missing >= 0) missing -= length
      else {
        const part = Buffer.from(buffer.buffer, buffer.byteOffset, length)
        // A head comes in one piece, on 127.0.0.1.
        const end = part.indexOf(HEAD_END)
        const text = part.toString('latin1', 0, end)
        const bytes = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
        if (end < 0 || !text.startsWith('HTTP/1.1 200') || bytes === undefined) {
          counts.wrong += 1
          socket.destroy()
          return false
        }
        missing = Number(bytes) - (length - end - HEAD_END.length)
      }
      if (missing > 0) return true
      counts.answers += 1
      missing = -1
      if (performance.now() < until) socket.write(asked)
      else socket.destroy()
      return true
    }
    const socket = connect(
      {
        port: order.port,
        host: '127.0.0.1',
        onread: { buffer: Buffer.allocUnsafe(PART_BYTES), callback: take },
      },
      () => socket.write(asked),
    )
    socket.on('error', () => (counts.wrong += 1))
    socket.on('close', () => done())
  })
}

process.on('message', (order: LoadOrder) => {
  const counts = { answers: 0, wrong: 0 }
  const began = performance.now()
  const until = began + order.seconds * 1_000
  const all = Array.from({ length: order.connections }, (_, n) => one(order, n, until, counts))
  void Promise.all(all).then(() => {
    const answer: LoadAnswer = { ...counts, seconds: (performance.now() - began) / 1_000 }
    process.send?.(answer)
  })
})
process.on('disconnect', () => process.exit())

// Asks for one address again and again over kept connections, as thin as can be: it reads the length of an answer and counts
// its bytes. A client that parses everything is busy before a cache is.
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
      'Host: bench',
      'Accept-Encoding: br',
      `X-Forwarded-For: 198.18.${address >> 8}.${address & 255}`,
      '\r\n',
    ].join('\r\n'),
  )
  return new Promise((done) => {
    let head: Buffer[] = []
    let missing = -1
    const socket = connect(order.port, '127.0.0.1', () => socket.write(asked))
    const ended = (): void => {
      counts.answers += 1
      missing = -1
      if (performance.now() < until) socket.write(asked)
      else socket.destroy()
    }
    socket.on('data', (part) => {
      if (missing >= 0) missing -= part.length
      else {
        head.push(part)
        const all = head.length === 1 ? part : Buffer.concat(head)
        const end = all.indexOf(HEAD_END)
        if (end < 0) return
        head = []
        const text = all.toString('latin1', 0, end)
        if (!text.startsWith('HTTP/1.1 200')) counts.wrong += 1
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
        missing = length - (all.length - end - HEAD_END.length)
      }
      if (missing === 0) ended()
    })
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

// The least that `ws` can do: hears a price on one websocket and sends it to everybody who has joined.
import { type AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

type Frame = { readonly channel?: string; readonly data: readonly [{ readonly last: number }] }

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', backlog: 4_096 })
server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }))
server.on('connection', (socket) => socket.on('error', () => {}))
const source = new WebSocket(process.argv[2] ?? '')
source.on('open', () => source.send('{}'))
source.on('message', (data) => {
  const frame = JSON.parse((data as Buffer).toString()) as Frame
  if (frame.channel !== 'ticker') return
  const { last } = frame.data[0]
  const body = JSON.stringify({ asset: 'btc', price: last, at: Date.now(), source: 'kraken' })
  for (const client of server.clients) client.send(body)
})

// Baseline: receives prices on a websocket and writes each as an event to every connected client.
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { WebSocket } from 'ws'

type Frame = { readonly channel?: string; readonly data: readonly [{ readonly last: number }] }

const clients = new Set<ServerResponse>()
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(':\n\n')
  clients.add(response)
  response.on('error', () => {}).on('close', () => clients.delete(response))
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
const source = new WebSocket(process.argv[2] ?? '')
source.on('open', () => source.send('{}'))
source.on('message', (data) => {
  const frame = JSON.parse((data as Buffer).toString()) as Frame
  if (frame.channel !== 'ticker') return
  const { last } = frame.data[0]
  const body = JSON.stringify({ asset: 'btc', price: last, at: Date.now(), source: 'kraken' })
  const line = Buffer.from(`event: price\ndata: ${body}\n\n`)
  for (const client of clients) client.write(line)
})

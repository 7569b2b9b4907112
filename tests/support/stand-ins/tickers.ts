import { WebSocketServer, type WebSocket } from 'ws'
import { PRICE_URLS } from '#server/kit/settings/prices.ts'

const BEAT_MS = 20

export type Ticker = Awaited<ReturnType<typeof startTicker>>

/** A venue's ticker over websocket, as Kraken (version 2) or Coinbase Exchange document it. */
export async function startTicker(venue: 'kraken' | 'coinbase', first: number) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((done) => server.on('listening', done))
  const subscribed = new Set<WebSocket>()
  let last = first
  let isSilent = false
  let refuses = false
  let connections = 0

  const say = (socket: WebSocket, message: object): void => {
    if (!isSilent) socket.send(JSON.stringify(message))
  }
  const ticker = (usd: number, type: string): object =>
    venue === 'kraken'
      ? {
          channel: 'ticker',
          type,
          data: [
            {
              symbol: 'BTC/USD',
              bid: usd - 1,
              bid_qty: 1,
              ask: usd + 1,
              ask_qty: 1,
              last: usd,
              volume: 1,
              vwap: usd,
              low: usd,
              high: usd,
              change: 0,
              change_pct: 0,
            },
          ],
        }
      : {
          type: 'ticker',
          sequence: 1,
          product_id: 'BTC-USD',
          price: String(usd),
          time: new Date().toISOString(),
          trade_id: 1,
          last_size: '0.1',
        }
  const heartbeat: object =
    venue === 'kraken'
      ? { channel: 'heartbeat' }
      : { type: 'heartbeat', sequence: 1, last_trade_id: 1, product_id: 'BTC-USD' }

  server.on('connection', (socket) => {
    connections += 1
    socket.on('error', () => {})
    if (venue === 'kraken') say(socket, { channel: 'status', type: 'update', data: [{}] })
    socket.on('message', () => {
      if (refuses) {
        say(
          socket,
          venue === 'kraken'
            ? { method: 'subscribe', success: false, error: 'Currency pair not supported' }
            : { type: 'error', message: 'Failed to subscribe', reason: 'ticker' },
        )
        return
      }
      say(
        socket,
        venue === 'kraken'
          ? { method: 'subscribe', success: true, result: {}, req_id: 1 }
          : { type: 'subscriptions', channels: [] },
      )
      subscribed.add(socket)
      say(socket, ticker(last, 'snapshot'))
    })
    socket.on('close', () => subscribed.delete(socket))
  })
  const beat = setInterval(() => {
    for (const socket of subscribed) say(socket, heartbeat)
  }, BEAT_MS)
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0

  return {
    url: `ws://127.0.0.1:${String(port)}/`,
    /** Sends a trade price to every subscriber; a first one comes with each subscription. */
    price: (usd: number): void => {
      last = usd
      for (const socket of subscribed) say(socket, ticker(usd, 'update'))
    },
    raw: (text: string): void => {
      for (const socket of subscribed) socket.send(text)
    },
    /** Stops heartbeats and answers: the socket stays open. */
    fallSilent: (): void => {
      isSilent = true
    },
    dropAll: (): void => {
      isSilent = false
      for (const socket of server.clients) socket.terminate()
    },
    connections: () => connections,
    subscribers: () => subscribed.size,
    refuse: (now: boolean): void => {
      refuses = now
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      clearInterval(beat)
      for (const socket of server.clients) socket.terminate()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Settings that follow this ticker instead of Kraken's, with no other source. */
export function onlyTicker({ url }: Pick<Ticker, 'url'>): Readonly<Record<string, string>> {
  const off = Object.keys(PRICE_URLS).map((name) => [name, 'off'])
  return { PRICES: 'on', ...Object.fromEntries(off), PRICES_KRAKEN_SOCKET: url }
}

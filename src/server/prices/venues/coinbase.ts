import { type TickFeed } from '#server/prices/ports.ts'
import { z } from 'zod'
import { Price, VenueTime } from '#server/prices/sources/daily-bars.ts'
import { PATIENCE, tickSocket, type Meaning, type VenuePatience } from './tick-socket.ts'

const PRODUCT = 'BTC-USD'

const Ticker = z.object({
  type: z.literal('ticker'),
  product_id: z.literal(PRODUCT),
  price: Price.pipe(z.number().positive()),
  /** Of the trade. */
  time: VenueTime,
})
const Refusal = z.object({ type: z.literal('error') })

/**
 * Coinbase Exchange's ticker over websocket; no key. The heartbeat comes once a second.
 *
 * @see https://docs.cdp.coinbase.com/exchange/websocket-feed/channels.md
 */
export function coinbaseTicks({
  url,
  patience = PATIENCE,
}: {
  url: URL
  patience?: VenuePatience
}): TickFeed {
  const title = 'Coinbase'
  const hello = { type: 'subscribe', product_ids: [PRODUCT], channels: ['ticker', 'heartbeat'] }
  return {
    name: 'coinbase',
    title,
    asset: 'btc',
    open: (on) => tickSocket({ title, url, hello, read, patience }, on),
  }
}

function read(frame: unknown): Meaning {
  const ticker = Ticker.safeParse(frame)
  if (ticker.success) return { kind: 'price', usd: ticker.data.price, at: ticker.data.time }
  return Refusal.safeParse(frame).success
    ? { kind: 'refused', reason: 'Coinbase refused the subscription.' }
    : null
}

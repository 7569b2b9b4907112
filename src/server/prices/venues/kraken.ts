import { type TickFeed } from '#server/prices/ports.ts'
import { z } from 'zod'
import { VenueTime } from '#server/prices/sources/daily-bars.ts'
import { PATIENCE, tickSocket, type Meaning, type VenuePatience } from './tick-socket.ts'

const SYMBOL = 'BTC/USD'

const Ticker = z.object({
  channel: z.literal('ticker'),
  data: z
    .array(
      z.object({
        symbol: z.literal(SYMBOL),
        last: z.number().positive(),
        /** Not sent by all versions of it. */
        timestamp: VenueTime,
      }),
    )
    .min(1),
})
const Refusal = z.object({ method: z.literal('subscribe'), success: z.literal(false) })

/**
 * Kraken's ticker over websocket, version 2; no key. It beats once a second when no price moves.
 *
 * @see https://docs.kraken.com/exchange/api-reference/spot-websocket-v2/ticker
 */
export function krakenTicks({
  url,
  patience = PATIENCE,
}: {
  url: URL
  patience?: VenuePatience
}): TickFeed {
  const title = 'Kraken'
  const hello = {
    method: 'subscribe',
    params: { channel: 'ticker', symbol: [SYMBOL], event_trigger: 'trades', snapshot: true },
    req_id: 1,
  }
  return {
    name: 'kraken',
    title,
    asset: 'btc',
    open: (on) => tickSocket({ title, url, hello, read, patience }, on),
  }
}

function read(frame: unknown): Meaning {
  const ticker = Ticker.safeParse(frame)
  const last = ticker.success ? ticker.data.data.at(-1) : null
  if (last) return { kind: 'price', usd: last.last, at: last.timestamp }
  return Refusal.safeParse(frame).success
    ? { kind: 'refused', reason: 'Kraken refused the subscription.' }
    : null
}

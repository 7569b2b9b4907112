import { z } from 'zod'
import { ENCRYPTED } from '#server/kit/reach.ts'
import { reconnectingSocket, type Patience } from '#server/kit/reconnecting.ts'
import { type PriceSettings } from '#server/kit/settings/prices.ts'
import { type TickFeed } from '#server/prices/ports.ts'
import { Price, VenueTime } from '#server/prices/sources/daily-bars.ts'

export type VenuePatience = Patience & {
  /** A connection without prices for this long is replaced. */
  readonly pricelessMs: number
}

const PATIENCE: VenuePatience = {
  silenceMs: 10_000,
  pricelessMs: 60_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  stableMs: 60_000,
  connectMs: 10_000,
}

/** `at`: time by the venue's clock, Unix time in ms; null if it sends none. */
type Traded = { readonly usd: number; readonly at: number | null }

type Venue = {
  readonly name: string
  readonly title: string
  readonly setting: keyof PriceSettings['urls']
  /** Sent after connecting. */
  readonly hello: object
  readonly price: z.ZodType<Traded>
  readonly refusal: z.ZodType
}

/** Bitcoin tickers; no keys. Both send a heartbeat every second without price changes. */
const VENUES: readonly Venue[] = [
  {
    /** @see https://docs.kraken.com/exchange/api-reference/spot-websocket-v2/ticker */
    name: 'kraken',
    title: 'Kraken',
    setting: 'PRICES_KRAKEN_SOCKET',
    hello: {
      method: 'subscribe',
      params: { channel: 'ticker', symbol: ['BTC/USD'], event_trigger: 'trades', snapshot: true },
      req_id: 1,
    },
    price: z
      .object({
        channel: z.literal('ticker'),
        data: z.array(
          z.object({
            symbol: z.literal('BTC/USD'),
            last: z.number().positive(),
            /** Missing in some versions. */
            timestamp: VenueTime,
          }),
        ),
      })
      .transform(({ data }) => data.map(({ last, timestamp }) => ({ usd: last, at: timestamp })))
      .transform((rows, context) => rows.at(-1) ?? context.addIssue('empty') ?? z.NEVER),
    refusal: z.object({ method: z.literal('subscribe'), success: z.literal(false) }),
  },
  {
    /** @see https://docs.cdp.coinbase.com/exchange/websocket-feed/channels.md */
    name: 'coinbase',
    title: 'Coinbase',
    setting: 'PRICES_COINBASE_SOCKET',
    hello: { type: 'subscribe', product_ids: ['BTC-USD'], channels: ['ticker', 'heartbeat'] },
    price: z
      .object({
        type: z.literal('ticker'),
        product_id: z.literal('BTC-USD'),
        price: Price.pipe(z.number().positive()),
        time: VenueTime,
      })
      .transform(({ price, time }) => ({ usd: price, at: time })),
    refusal: z.object({ type: z.literal('error') }),
  },
]

export function tickFeeds(
  urls: PriceSettings['urls'],
  patience: VenuePatience = PATIENCE,
): TickFeed[] {
  return VENUES.flatMap((venue) => {
    const url = urls[venue.setting]
    return url ? [{ ...venue, asset: 'btc' as const, open: opener(venue, url, patience) }] : []
  })
}

/** Stays connected to a venue. Ignores messages of other shapes. */
function opener(
  { title, hello, price, refusal }: Venue,
  url: URL,
  patience: VenuePatience,
): TickFeed['open'] {
  return (on) => {
    let hadPrice = false
    return reconnectingSocket({
      title,
      url,
      hello,
      patience,
      reach: ENCRYPTED,
      down: on.down,
      useful: {
        withinMs: patience.pricelessMs,
        orElse: `${title} sends no prices.`,
      },
      message: (message, isFirst) => {
        const { data } = price.safeParse(message)
        if (!data) {
          return refusal.safeParse(message).success && `${title} refused the subscription.`
        }
        if (isFirst) on.up(hadPrice)
        hadPrice = true
        on.tick(data.usd, data.at)
        return true
      },
    })
  }
}

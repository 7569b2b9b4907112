import { ENCRYPTED } from '#server/kit/reach.ts'
import { reconnectingSocket, type Patience, type Reconnecting } from '#server/kit/reconnecting.ts'
import { type TickListener } from '#server/prices/ports.ts'

export type VenuePatience = Patience & {
  /** A connection on which no price arrives for so long is of no use. */
  readonly pricelessMs: number
}

export const PATIENCE: VenuePatience = {
  silenceMs: 10_000,
  pricelessMs: 60_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  stableMs: 60_000,
  connectMs: 10_000,
}

/** What a message means: a price in USD, a refusal, or nothing that matters. */
export type Meaning =
  | {
      readonly kind: 'price'
      readonly usd: number
      /** The venue's own time of it, milliseconds since 1970; null where it sends none. */
      readonly at: number | null
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | null

type Venue = {
  readonly title: string
  readonly url: URL
  /** Sent once connected. */
  readonly hello: object
  readonly read: (message: unknown) => Meaning
  readonly patience: VenuePatience
}

/** Keeps a connection to a venue that sends prices. A message of another shape is passed over. */
export function tickSocket({ read, ...venue }: Venue, on: TickListener): Reconnecting {
  let hadPrice = false
  return reconnectingSocket({
    ...venue,
    reach: ENCRYPTED,
    down: on.down,
    useful: {
      withinMs: venue.patience.pricelessMs,
      orElse: `${venue.title} sends nothing that is a price.`,
    },
    message: (message, isFirst) => {
      const meaning = read(message)
      if (meaning?.kind !== 'price') return meaning?.reason ?? false
      if (isFirst) on.up(hadPrice)
      hadPrice = true
      on.tick(meaning.usd, meaning.at)
      return true
    },
  })
}

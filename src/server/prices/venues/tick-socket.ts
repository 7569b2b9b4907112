import { ENCRYPTED } from '#server/kit/reach.ts'
import {
  reconnectingSocket,
  silenceTimer,
  type Patience,
  type Reconnecting,
} from '#server/kit/reconnecting.ts'
import { type TickListener } from '#server/prices/ports.ts'

export type VenuePatience = Patience & {
  /** A connection on which things arrive, but no price for so long, is of no use: perhaps its messages look otherwise now. */
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

/** Keeps a connection to a venue that sends prices. A message of another shape is passed over. */
export function tickSocket(
  {
    title,
    read,
    patience,
    ...given
  }: {
    readonly title: string
    readonly url: URL
    /** Sent once connected. */
    readonly hello: object
    readonly read: (message: unknown) => Meaning
    readonly patience: VenuePatience
  },
  on: TickListener,
): Reconnecting {
  let hadPrice = false
  return reconnectingSocket({
    ...given,
    title,
    patience,
    reach: ENCRYPTED,
    down: on.down,
    opened: ({ works, giveUp }) => {
      let isUp = false
      const priceless = silenceTimer(patience.pricelessMs, () =>
        giveUp(`${title} sends nothing that is a price.`),
      )
      return {
        message: (message) => {
          const meaning = read(message)
          if (meaning?.kind === 'refused') giveUp(meaning.reason)
          if (meaning?.kind !== 'price') return
          priceless.restart()
          works()
          if (!isUp) on.up(hadPrice)
          isUp = true
          hadPrice = true
          on.tick(meaning.usd, meaning.at)
        },
        ended: priceless.end,
      }
    },
  })
}

import { ASSET_KEYS } from '#domain/asset.ts'
import { z } from 'zod'
import { OutcomeSchema } from './predictions.ts'

const AssetKeySchema = z.enum(ASSET_KEYS)

/** The price socket; the asset goes into the query, Bitcoin when left out: `/ws/price?asset=mstr`. */
export const PRICE_SOCKET_PATH = '/ws/price'

/** The event stream with the same query, for networks that block sockets. */
export const LIVE_EVENTS_PATH = '/api/v1/live'

export const LiveQuery = z.object({ asset: AssetKeySchema.default('btc') })

/**
 * One message of the price socket, JSON. The last known price comes at once on joining, then each change, and the same
 * price again at least every `LIVE_REPEAT_MS`: a price whose `at` stays behind is old.
 */
export const PriceMessage = z.object({
  /** USD */
  price: z.number().positive(),
  asset: AssetKeySchema,
  /**
   * When it was traded, as the venue says, or else when the venue was heard to say so; milliseconds since 1970, never
   * ahead of our clock. That the venue's line is alive does not make its last price younger.
   */
  at: z.number(),
  /** The venue, as recorded with bars: `kraken`. */
  source: z.string(),
})
export type PriceMessage = z.infer<typeof PriceMessage>

/** As it goes over the socket: `now` is the server's clock as it is sent, so that a page can tell the age by any clock. */
export const SentPrice = PriceMessage.extend({ now: z.number() })
export type SentPrice = z.infer<typeof SentPrice>

/** How often a price that stands still is said again, milliseconds. */
export const LIVE_REPEAT_MS = 15_000

/** A price from before this long is old: say when it was, milliseconds. */
export const LIVE_OLD_MS = 60_000

/**
 * Events of the stream by name; the data of each is JSON. Verdicts and predictions have an `id`, each is told once, and a
 * stream that is opened with `Last-Event-ID` begins with what came after it. Where the server does not know that any more, as
 * it has begun again, is another one of several or has told of much since, it says `reset` with the data 1 instead: read the lists
 * again. A stream with nothing to tell sends `alive` with the data 1 now and
 * then, so that both ends notice a broken line.
 */
export const LIVE_EVENTS = {
  /** The price of the asset in USD, a bare number. It carries no time, so one that is old is not told. */
  price: z.number().positive(),
  /**
   * A prediction of any asset that has just been judged anew: read it again, or flip it as told.
   */
  verdict: z.object({
    id: z.string(),
    asset: AssetKeySchema,
    mode: z.enum(['touch', 'close']),
    outcome: OutcomeSchema,
  }),
  /**
   * A prediction of any asset that has just been published, corrected, withdrawn or restored: read it again. Of many at
   * once only the first hundred are told.
   */
  prediction: z.object({
    id: z.string(),
    asset: AssetKeySchema,
    /** Whose it is: the last part of the address of their page. */
    expert: z.string(),
  }),
} as const
export type VerdictMessage = z.infer<typeof LIVE_EVENTS.verdict>
export type PredictionMessage = z.infer<typeof LIVE_EVENTS.prediction>

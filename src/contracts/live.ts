import { ASSET_KEYS } from '#domain/asset.ts'
import { z } from 'zod'
import { OutcomeSchema } from './predictions.ts'

const AssetKeySchema = z.enum(ASSET_KEYS)

export const LiveQuery = z.object({ asset: AssetKeySchema.default('btc') })

/** How many receipts one stream follows at the most. */
const MOST_RECEIPTS = 5

export const LiveEventsQuery = z.object({
  /** Whose prices come; `none` for no prices at all. */
  asset: z.enum([...ASSET_KEYS, 'none']).default('btc'),
  /** Tokens of receipts to follow; may be given several times. One that there is no receipt for is passed over. */
  receipt: z
    .union([z.string(), z.array(z.string()).max(MOST_RECEIPTS)])
    .default([])
    .transform((given) => [given].flat()),
  /** The id of the last event heard, for programs that cannot send it as `Last-Event-ID`. */
  after: z.string().optional(),
})

/**
 * One message of the price socket, JSON. The last known price comes at once, then each change, and the same price again
 * at least every `LIVE_REPEAT_MS`: a price whose `at` does not advance is old.
 */
export const PriceMessage = z.object({
  /** USD */
  price: z.number().positive(),
  asset: AssetKeySchema,
  /**
   * When it was traded by the venue's clock, or else when we received it; milliseconds since 1970, never ahead of our
   * clock. A venue that is connected but silent keeps the time of its last price.
   */
  at: z.number(),
  /** The venue, as recorded with bars: `kraken`. */
  source: z.string(),
})
export type PriceMessage = z.infer<typeof PriceMessage>

/** As sent over the socket: `now` is the server's clock at that moment, so that a page can compute the age by any clock. */
export const SentPrice = PriceMessage.extend({ now: z.number() })
export type SentPrice = z.infer<typeof SentPrice>

/**
 * Events of the stream by name; the data of each is JSON. Verdicts and predictions have an `id` and are sent once, and a
 * stream that is opened with `Last-Event-ID` or `after` begins with what came after it. When the server does not know that
 * id, as it has restarted, is another one of several or has sent much since, it sends `reset` with the data 1 instead: read
 * the lists again. Once what was missed has been sent, and at least every `LIVE_REPEAT_MS`, a stream sends `alive` with the
 * data 1, so that both ends notice a broken connection.
 */
export const LIVE_EVENTS = {
  /** The last known price of the asset at once, and then each change. */
  price: SentPrice,
  /**
   * A prediction of any asset with a new verdict: read it again, or show the outcome sent here.
   */
  verdict: z.object({
    id: z.string(),
    asset: AssetKeySchema,
    mode: z.enum(['touch', 'close']),
    outcome: OutcomeSchema,
  }),
  /**
   * A prediction of any asset that has just been published, corrected, withdrawn or restored: read it again. Of many at
   * once only the first hundred are sent.
   */
  prediction: z.object({
    id: z.string(),
    asset: AssetKeySchema,
    /** Its expert: the last part of the address of their page. */
    expert: z.string(),
  }),
} as const
export type VerdictMessage = z.infer<typeof LIVE_EVENTS.verdict>
export type PredictionMessage = z.infer<typeof LIVE_EVENTS.prediction>

import { ASSET_KEYS } from '#domain/asset.ts'
import { JUDGE_MODES, OUTCOMES } from '#domain/judging/verdict.ts'
import { z } from 'zod'

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
 * Events of the stream, by name; the data of each is JSON. `price` is a `SentPrice` of the asset: the last known one at once,
 * and then each change. `verdict` and `prediction` say what has changed between two versions of the record, and the last of them
 * has the new version as its `id`. A stream that is opened with `Last-Event-ID` or `after` begins with what came after that
 * version, whichever process it is opened at; where that is not known, as much has been sent since, it sends `reset` with the
 * data 1 instead: read the lists again. Once what was missed has been sent, and at least every `LIVE_REPEAT_MS`, a stream sends
 * `alive` with the data 1, so that both ends notice a broken connection; the first one has the version as its `id`, too. A list
 * that is asked for with `v` and a version is no older than it.
 */

/** A prediction of any asset with a new verdict: read it again, or show the outcome sent here. */
export const VerdictMessage = z.object({
  id: z.string(),
  asset: AssetKeySchema,
  mode: z.enum(JUDGE_MODES),
  outcome: z.enum(OUTCOMES),
})
export type VerdictMessage = z.infer<typeof VerdictMessage>

/**
 * A prediction of any asset that has just been published, corrected, withdrawn or restored: read it again. Of many at once only
 * the first hundred are sent.
 */
export const PredictionMessage = z.object({
  id: z.string(),
  asset: AssetKeySchema,
  /** Its expert: the last part of the address of their page. */
  expert: z.string(),
})
export type PredictionMessage = z.infer<typeof PredictionMessage>

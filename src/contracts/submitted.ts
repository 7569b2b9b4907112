import { ASSET_KEYS } from '#domain/asset.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { z } from 'zod'
import { Precision, Terms } from './predictions.ts'

const usd = z.number().nullable()

/** What was submitted, as receipts and administrators see it. Levels as said, USD. */
export const Submitted = z.object({
  asset_type: z.enum(ASSET_KEYS),
  expert_name: z.string(),
  twitter_handle: z.string().nullable(),
  nostr_npub: z.string().nullable(),
  prediction_type: z.enum(PREDICTION_TYPES),
  /** The level as screens show it. */
  price_prediction: z.string(),
  price_target: usd,
  price_min: usd,
  price_max: usd,
  ...Terms.shape,
  target_time: z.iso.date(),
  /** For a month or a year the last day that may be meant; judging starts on the day after. */
  prediction_made: z.iso.date().nullable(),
  /** How precisely that day is known. */
  made_precision: Precision,
  source_url: z.string().nullable(),
  notes: z.string(),
})
export type Submitted = z.infer<typeof Submitted>

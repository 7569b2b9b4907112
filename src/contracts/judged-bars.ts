import { ASSET_KEYS } from '#domain/asset.ts'
import { z } from 'zod'
import { textIn } from './address.ts'
import { defineRoute } from './route.ts'

const usd = z.number()

/** One day, USD, adjusted for splits, as the sources agree on it; `open`, `high` and `low` null where only the close is known. */
const JudgedBar = z.object({
  date: z.iso.date(),
  open: usd.nullable(),
  high: usd.nullable(),
  low: usd.nullable(),
  close: usd,
  source: z.string(),
  /** A price above the high, or below the low, that only one venue saw; left out if there was no such price. */
  lone_high: usd.optional(),
  lone_low: usd.optional(),
  /** The day is not over. */
  moving: z.literal(true).optional(),
  /** Only one of two venues has reported it, so it proves nothing yet. */
  unconfirmed: z.literal(true).optional(),
})

export const judgedBars = defineRoute({
  method: 'GET',
  path: '/api/v1/predictions/:id/bars',
  access: 'public',
  summary:
    'The daily bars that judge one prediction, oldest first: from the last close before it counts to its last day. For checking its verdict, not for passing on: see the terms of the price sources.',
  params: z.object({ id: textIn('There is no prediction at this address.') }),
  reply: z.object({
    asset: z.enum(ASSET_KEYS),
    /** The last day up to which every bar is final; null without any. */
    final_through: z.iso.date().nullable(),
    bars: z.array(JudgedBar),
  }),
})

import { ASSET_KEYS } from '#domain/asset.ts'
import { z } from 'zod'
import { defineRoute } from './route.ts'

const moment = z.iso.datetime().nullable()
const AssetKeySchema = z.enum(ASSET_KEYS)

/** How current the prices are. */
export const status = defineRoute({
  method: 'GET',
  path: '/api/v1/status',
  access: 'public',
  open: true,
  summary: 'How old the prices are, where they come from, and which source fails.',
  reply: z.object({
    now: z.iso.datetime(),
    /** Prices are read from outside. */
    prices: z.boolean(),
    /** Whether this process talks to the venues; when false, another one does. Null when prices are switched off. */
    leader: z.boolean().nullable(),
    assets: z.array(
      z.object({
        asset: AssetKeySchema,
        /** The last bar that decides. */
        last_bar: z.iso.date().nullable(),
        /** The last day that should have one by now. */
        expected_bar: z.iso.date(),
        live: z
          .object({
            price: z.number(),
            at: z.iso.datetime(),
            source: z.string(),
            /** No price has arrived for a minute. */
            is_old: z.boolean(),
          })
          .nullable(),
      }),
    ),
    sources: z.array(
      z.object({
        asset: AssetKeySchema,
        source: z.string(),
        title: z.string(),
        /** Daily bars, or the price of this moment. */
        kind: z.enum(['daily', 'live']),
        official: z.boolean(),
        state: z.enum(['ok', 'failing', 'not-asked']),
        last_success: moment,
        /** The last failure in a sentence, also when the source works again. */
        last_error: z.string().nullable(),
        last_error_at: moment,
        failures: z.int(),
        last_bar: z.iso.date().nullable(),
        next_run: moment,
      }),
    ),
    /** How far back the highs and lows of earlier days, of which the record had closes only, have been read. */
    earlier_days: z.object({
      /** Published at once, after an administrator has seen what changes, or not read. */
      mode: z.enum(['publish', 'review', 'off']),
      sources: z.array(
        z.object({
          asset: AssetKeySchema,
          source: z.string(),
          title: z.string(),
          state: z.enum(['not-asked', 'reading', 'failing', 'done']),
          /** The days asked for so far, and the oldest one that it gave. */
          asked_from: z.iso.date().nullable(),
          asked_to: z.iso.date().nullable(),
          reaches: z.iso.date().nullable(),
          days_read: z.int(),
          days_refused: z.int(),
          /** Why older days are not asked for, or what went wrong. */
          note: z.string().nullable(),
          next_run: moment,
        }),
      ),
    }),
    /** Price jumps that are held back until an administrator has explained them. */
    questions: z.array(
      z.object({
        asset: AssetKeySchema,
        date: z.iso.date(),
        sources: z.string(),
        before_date: z.iso.date(),
        before: z.number(),
        after: z.number(),
      }),
    ),
  }),
})

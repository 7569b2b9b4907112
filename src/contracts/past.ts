import { ASSET_KEYS } from '#domain/asset.ts'
import { z } from 'zod'
import { CalendarDay } from './calendar-day.ts'
import { PredictionRow } from './predictions.ts'
import { defineRoute } from './route.ts'

/**
 * A prediction as it was at the end of a past day: with the verdicts of that day and levels in its units. What came to the
 * record later is left out: our summary, its sources, votes and odds, and when it was recorded here.
 */
export const PastPredictionRow = PredictionRow.omit({
  created_at: true,
  quote: true,
  vote_score: true,
  source_url: true,
  sources: true,
  only_reposts: true,
  odds: true,
}).meta({ id: 'PastPrediction' })
export type PastPredictionRow = z.infer<typeof PastPredictionRow>

/** The record of an asset at the end of a past day, in the units of that day: later splits have not happened yet. */
export const PastReply = z
  .object({
    asset: z.enum(ASSET_KEYS),
    /** The day asked for. */
    day: z.iso.date(),
    /** Where an earlier day was named, only what has changed since its end is here; null when everything is. */
    since: z.iso.date().nullable(),
    /** The state of the record that this is of. */
    version: z.string(),
    /** The first day whose price is on record; null when none is by then. */
    first: z.iso.date().nullable(),
    /** Daily closes, packed: the first day since 1970, the steps to each next day, and a close in USD for each. */
    prices: z.object({
      first: z.int(),
      steps: z.array(z.int()),
      closes: z.array(z.number()),
    }),
    /** The record is too large to be sent as a whole: none of its predictions is here, see the calls about an asset’s dashboard. */
    more: z.boolean(),
    /** Made by then, newest first. */
    predictions: z.array(PastPredictionRow),
  })
  .meta({ id: 'Past' })
export type PastReply = z.infer<typeof PastReply>

export const past = defineRoute({
  method: 'GET',
  path: '/api/v1/past/:asset',
  access: 'public',
  summary:
    'Closes and predictions of an asset as of the end of a past day: nothing in the answer is known from a later one.',
  params: z.object({ asset: z.enum(ASSET_KEYS) }),
  query: z.object({
    day: CalendarDay,
    /** An earlier day that is known already, and the version of its reply. Of another version everything is sent. */
    since: CalendarDay.optional(),
    version: z.string().max(100).optional(),
  }),
  reply: PastReply,
})

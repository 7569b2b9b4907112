import { z } from 'zod'
import { textIn } from './address.ts'
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

export const pastPrediction = defineRoute({
  method: 'GET',
  path: '/api/v1/predictions/:id/past',
  access: 'public',
  summary:
    'One prediction as of the end of a past day: nothing in the answer is known from a later one.',
  params: z.object({ id: textIn('There is no prediction at this address.') }),
  query: z.object({ day: CalendarDay }),
  reply: PastPredictionRow,
})

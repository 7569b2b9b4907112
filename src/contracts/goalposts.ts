import { z } from 'zod'
import { Done, PageNumber } from './corrections.ts'
import { GoalpostState, PredictionRow } from './predictions.ts'
import { defineRoute } from './route.ts'

const NO_PREDICTION = 'There is no such prediction.'
const Id = z.string().min(1, NO_PREDICTION).max(200, NO_PREDICTION)

/** Two calls of one person, of which the later one looks like a revision of the earlier one. */
const GoalpostPair = z
  .object({
    earlier: PredictionRow,
    later: PredictionRow,
    state: GoalpostState,
    /** By how much the deadline moved: `1 year and 6 months`. */
    delay: z.string(),
    /** False where the calls have been corrected since, so that visitors do not see a confirmed pair any more. */
    is_shown: z.boolean(),
    decided: z.object({ who: z.string(), at: z.string() }).nullable(),
  })
  .meta({ id: 'GoalpostPair' })
export type GoalpostPair = z.infer<typeof GoalpostPair>

export const listGoalposts = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/goalposts',
  access: 'read',
  summary:
    'Pairs of calls of which the later one looks like a revision of the earlier one, by person, 50 a page; with what was decided about them.',
  query: z.object({
    state: z.enum(['all', ...GoalpostState.options]).default('suggested'),
    page: PageNumber,
  }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    pages: z.int(),
    counts: z.object({
      all: z.int(),
      suggested: z.int(),
      confirmed: z.int(),
      cut: z.int(),
    }),
    rows: z.array(GoalpostPair),
  }),
})

const GoalpostDecision = z.strictObject({
  earlier: Id,
  later: Id,
  state: GoalpostState,
  /** The state that was on the screen; where it is another one by now, nothing is changed. */
  was: GoalpostState,
})
export type GoalpostDecision = z.infer<typeof GoalpostDecision>

export const decideGoalpost = defineRoute({
  method: 'PUT',
  path: '/api/v1/admin/goalposts',
  access: 'review',
  summary:
    'Confirms that a call is a revision of an earlier one, cuts the two apart, or takes that decision back (`suggested`).',
  body: GoalpostDecision,
  reply: Done,
})

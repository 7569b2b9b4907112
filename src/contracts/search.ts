import { z } from 'zod'
import { OutcomeSchema } from './predictions.ts'
import { get } from './route.ts'

const FoundRow = z.object({
  path: z.string(),
  title: z.string(),
  text: z.string(),
  /** Outcome by intraday prices; null unless the result is a prediction. */
  outcome: OutcomeSchema.nullable(),
})
export type FoundRow = z.infer<typeof FoundRow>

export const SearchReply = z
  .object({
    groups: z.array(z.object({ title: z.string(), total: z.int(), found: z.array(FoundRow) })),
  })
  .meta({ id: 'Search' })
export type SearchReply = z.infer<typeof SearchReply>

export const MOST_FOUND = 300

/** Longer searches are refused. */
export const LONGEST_SEARCH = 100

export const search = get('/api/v1/search', 'public', {
  open: true,
  summary:
    'People, years and predictions by name, level, deadline or day made: `saylor`, `150k`, `2026`, `planb 2021`.',
  query: z.object({
    q: z.string().max(LONGEST_SEARCH, 'Please enter a shorter search.'),
    most: z.coerce.number().int().min(1).max(MOST_FOUND).default(8),
  }),
  reply: SearchReply,
})

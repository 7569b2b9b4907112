import { z } from 'zod'
import { OutcomeSchema } from './predictions.ts'
import { defineRoute } from './route.ts'

/** One place of the site that fits a search. */
const FoundRow = z.object({
  /** Its address on this site. */
  path: z.string(),
  title: z.string(),
  /** What distinguishes it, in a line. */
  text: z.string(),
  /** Of a prediction, by intraday prices; null for other places. */
  outcome: OutcomeSchema.nullable(),
})
export type FoundRow = z.infer<typeof FoundRow>

export const SearchReply = z
  .object({
    /** People first, then years, then predictions; the best of each first. */
    groups: z.array(
      z.object({
        title: z.string(),
        /** How many there are; the first of them are listed. */
        total: z.int(),
        found: z.array(FoundRow),
      }),
    ),
  })
  .meta({ id: 'Search' })
export type SearchReply = z.infer<typeof SearchReply>

/** As many of each kind can be listed. */
export const MOST_FOUND = 300

/** Longer searches are refused. */
export const LONGEST_SEARCH = 100

export const search = defineRoute({
  method: 'GET',
  path: '/api/v1/search',
  access: 'public',
  open: true,
  summary:
    'People, years and predictions by name, level, deadline or day made: `saylor`, `150k`, `2026`, `planb 2021`.',
  query: z.object({
    q: z.string().max(LONGEST_SEARCH, 'Please search for less than that.'),
    /** How many of each kind to list. */
    most: z.coerce.number().int().min(1).max(MOST_FOUND).default(8),
  }),
  reply: SearchReply,
})

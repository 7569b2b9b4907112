import { z } from 'zod'
import { COLUMN_KINDS } from './data-columns.ts'

/** A source of prices and what its terms allow. */
export const PriceSourceTerms = z
  .object({
    source: z.string(),
    title: z.string(),
    attribution: z.string(),
    licence: z.string(),
    terms: z.string().nullable(),
    redistributable: z.boolean(),
  })
  .meta({ id: 'PriceSourceTerms' })
export type PriceSourceTerms = z.infer<typeof PriceSourceTerms>

/** What is said about a data file, in a file of its own beside it. */
export const ViewMetadata = z
  .object({
    title: z.string(),
    /** The page that shows it. */
    url: z.string(),
    /** The same view as files. */
    files: z.object({ csv: z.string().optional(), json: z.string() }),
    /** The day it is of, as 2026-11-24. */
    as_of: z.string(),
    /** The last close of each asset, by its day; null where none is known. */
    prices_through: z.record(z.string(), z.string().nullable()),
    /** The number of the published rule that decided. */
    rule: z.int(),
    methodology: z.string(),
    /** What the address narrows it to. */
    filters: z.record(z.string(), z.string()),
    rows: z.int(),
    columns: z.array(z.object({ name: z.string(), kind: z.enum(COLUMN_KINDS), about: z.string() })),
    licence: z.object({ name: z.string(), url: z.string(), about: z.string() }),
    citation: z.string(),
    price_sources: z.array(PriceSourceTerms),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ViewMetadata' })
export type ViewMetadata = z.infer<typeof ViewMetadata>

import { SOURCE_KINDS } from '#domain/claim/source.ts'
import { z } from 'zod'

/** Where a prediction can be read or heard. */
export const SourceRow = z
  .object({
    /** The person's own post or video, a filing, an interview, a report, or a repost of one of these. */
    kind: z.enum(SOURCE_KINDS),
    url: z.string(),
    /** `2024-08-08`, or `2024-08` or `2024` when no more is known. */
    date: z.string().nullable(),
    /** A copy of the same page in an archive. */
    archived_url: z.string().nullable(),
    quotation: z.string().nullable(),
    /** Who said the words of the quotation. */
    speaker: z.string().nullable(),
    /** The day since which the address no longer answers; null while it does, or where it was not asked. */
    dead_since: z.iso.date().nullable(),
  })
  .meta({ id: 'Source' })
export type SourceRow = z.infer<typeof SourceRow>

// The domain checks the values with its messages; this only refuses what no form would send.
const text = z.string().max(20_000).nullish()

/** A source in an edit; see `readGivenSources` for the checks and their messages. */
export const SourceInput = z.strictObject({
  kind: z.enum(SOURCE_KINDS).nullish(),
  url: z.string().max(20_000),
  date: text,
  archived_url: text,
  /** True: a person has seen that the archived address shows the same page, where it does not say so itself. */
  archive_checked: z.boolean().nullish(),
  /** At most 400 characters, and only with its speaker. */
  quotation: text,
  speaker: text,
  /** As it was read; not taken. */
  dead_since: text,
})

/** The sources of an edit: they replace those there are. More than the domain takes, so that it says how many. */
export const SourceInputs = z.array(SourceInput).max(100)

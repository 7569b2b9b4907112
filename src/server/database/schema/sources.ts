import { SOURCE_KINDS, type SourceKind } from '#domain/claim/source.ts'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, moment, oneOf } from '#server/database/columns.ts'
import { predictions } from './predictions.ts'
import { submissions } from './submissions.ts'

/** Where predictions and submissions can be read or heard: each row belongs to one of either. */
export const sources = pgTable(
  'sources',
  {
    id: id(),
    predictionId: text().references(() => predictions.id, { onDelete: 'cascade' }),
    submissionId: uuid().references(() => submissions.id, { onDelete: 'cascade' }),
    /** 0 is the best one; see `bestFirst`. */
    position: integer().notNull(),
    kind: text().$type<SourceKind>().notNull(),
    url: text().notNull(),
    /** `2024-08-08`, or `2024-08` or `2024` when no more is known. */
    date: text(),
    archivedUrl: text(),
    quotation: text(),
    speaker: text(),
  },
  (table) => [
    uniqueIndex('sources_of_prediction').on(table.predictionId, table.position),
    uniqueIndex('sources_of_submission').on(table.submissionId, table.position),
    index('sources_at').on(table.url),
    check('sources_owner', sql`(${table.predictionId} is null) <> (${table.submissionId} is null)`),
    check('sources_kind', oneOf('kind', SOURCE_KINDS)),
    check('sources_date', sql`${table.date} ~ '^\\d{4}(-\\d\\d){0,2}$'`),
    check('sources_quotation', sql`(${table.quotation} is null) = (${table.speaker} is null)`),
  ],
)

/** Whether the addresses of sources still answer; one row an address, from the first time that it was asked. */
export const sourceChecks = pgTable(
  'source_checks',
  {
    url: text().primaryKey(),
    /** When it was last asked, and when it is asked next. */
    askedAt: moment().notNull(),
    nextAskAt: moment().notNull(),
    /** When it last answered with a page. */
    answeredAt: moment(),
    /** When the failures began that no answer has followed. */
    failingSince: moment(),
    /** The moment of the first of two failures in different weeks; null while it counts as alive. */
    deadSince: moment(),
    /** What the last failure was, in a sentence. */
    lastError: text(),
  },
  (table) => [
    index('source_checks_due').on(table.nextAskAt),
    index('source_checks_asked').on(table.askedAt),
  ],
)

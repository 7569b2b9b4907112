import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { SOURCE_KINDS, type SourceKind } from '#domain/claim/source.ts'
import { id, moment, oneOf } from '#server/database/columns.ts'
import { predictions } from './predictions.ts'
import { submissions } from './submissions.ts'

/** Sources of predictions and submissions: each row belongs to one of either. */
export const sources = pgTable(
  'sources',
  {
    id: id(),
    predictionId: text().references(() => predictions.id, { onDelete: 'cascade' }),
    submissionId: uuid().references(() => submissions.id, { onDelete: 'cascade' }),
    /** 0 is the best; see `bestFirst`. */
    position: integer().notNull(),
    kind: text().$type<SourceKind>().notNull(),
    url: text().notNull(),
    /** `2024-08-08`, `2024-08` or `2024`. */
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

/** Link checks, one row per address checked. */
export const sourceChecks = pgTable(
  'source_checks',
  {
    url: text().primaryKey(),
    /** Times of the last and the next check. */
    askedAt: moment().notNull(),
    nextAskAt: moment().notNull(),
    /** Last success. */
    answeredAt: moment(),
    /** Start of the current run of failures. */
    failingSince: moment(),
    /** First of two failures in different weeks; null while it counts as alive. */
    deadSince: moment(),
    lastError: text(),
  },
  (table) => [
    index('source_checks_due').on(table.nextAskAt),
    index('source_checks_asked').on(table.askedAt),
  ],
)

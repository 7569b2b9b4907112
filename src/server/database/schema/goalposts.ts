import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '#server/database/columns.ts'
import { predictions } from './predictions.ts'

/**
 * What administrators decided about two calls of which the later one looks like a revision of the earlier one. Pairs
 * without a decision are computed from the record and not stored.
 */
export const revisionDecisions = pgTable(
  'revision_decisions',
  {
    earlierId: text()
      .notNull()
      .references(() => predictions.id),
    laterId: text()
      .notNull()
      .references(() => predictions.id),
    state: text().$type<'confirmed' | 'cut'>().notNull(),
    at: moment().notNull(),
    /** As in the audit log. */
    username: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.earlierId, table.laterId] }),
    check('revision_decisions_state', oneOf('state', ['confirmed', 'cut'])),
  ],
)

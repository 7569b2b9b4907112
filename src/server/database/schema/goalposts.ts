import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '#server/database/columns.ts'
import { predictions } from './predictions.ts'

/** Decisions about pairs of calls of which the later one looks like a revision. Undecided pairs are computed, not stored. */
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

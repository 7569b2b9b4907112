import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'

/** Calls counted by limits across processes; deleted once they are out of every window. */
export const rateLimitEntries = pgTable(
  'door_entries',
  {
    id: id(),
    limit: text('door').notNull(),
    /** Keyed hashes of network, prefix and subject (such as a mailbox). */
    network: text(),
    prefix: text(),
    subject: text(),
    /** Id of the created row, such as a payment. */
    ref: uuid(),
    at: moment().notNull(),
  },
  (table) => [
    index('door_entries_at').on(table.limit, table.at),
    index('door_entries_of_prefix').on(table.limit, table.prefix, table.at),
  ],
)

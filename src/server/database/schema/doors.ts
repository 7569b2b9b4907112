import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'

/** Calls counted by limits across processes; deleted once they are out of every window. */
export const doorEntries = pgTable(
  'door_entries',
  {
    id: id(),
    door: text().notNull(),
    /** Keyed hashes of network, prefix and subject (such as a mailbox). */
    network: text(),
    prefix: text(),
    subject: text(),
    /** Id of the created row, such as a payment. */
    ref: uuid(),
    at: moment().notNull(),
  },
  (table) => [
    index('door_entries_at').on(table.door, table.at),
    index('door_entries_of_prefix').on(table.door, table.prefix, table.at),
  ],
)

import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'

/** Calls that limits count, for all processes together; deleted once no limit of their door looks back so far. */
export const doorEntries = pgTable(
  'door_entries',
  {
    id: id(),
    door: text().notNull(),
    /** Keyed hashes of the caller's network, of the prefix it is in, and of what the call is about, such as a mailbox. */
    network: text(),
    prefix: text(),
    subject: text(),
    /** What the call began, such as a payment. */
    ref: uuid(),
    at: moment().notNull(),
  },
  (table) => [
    index('door_entries_at').on(table.door, table.at),
    index('door_entries_of_prefix').on(table.door, table.prefix, table.at),
  ],
)

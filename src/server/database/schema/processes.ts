import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '#server/database/columns.ts'
import { type ReplicaState } from '#server/database/replica.ts'
import { ROLES, type Role } from '#server/kit/settings/config.ts'

/** The processes that serve this database, as each said of itself last. */
export const processes = pgTable(
  'processes',
  {
    id: uuid().primaryKey(),
    role: text().$type<Role>().notNull(),
    host: text().notNull(),
    pid: integer().notNull(),
    leads: boolean().notNull(),
    lines: integer().notNull(),
    replicaState: text().$type<ReplicaState['state']>(),
    behindMs: doublePrecision(),
    startedAt: moment()
      .notNull()
      .default(sql`now()`),
    heardAt: moment()
      .notNull()
      .default(sql`now()`),
  },
  () => [check('processes_role', oneOf('role', ROLES))],
)

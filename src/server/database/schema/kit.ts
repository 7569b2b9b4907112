import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, moment, oneOf } from '#server/database/columns.ts'

const OUTBOX_STATES = [
  'waiting',
  'sending',
  'sent',
  /** Refused for good, or out of attempts. */
  'failed',
  /** May have arrived: not sent again automatically. */
  'unknown',
] as const
export type OutboxState = (typeof OUTBOX_STATES)[number]

/** Deliveries to external systems, each row once. */
export const outbox = pgTable(
  'outbox',
  {
    id: id(),
    /** Names the module that sends it. */
    kind: text().notNull(),
    /** Unique per delivery. */
    key: text().notNull(),
    /** Its submission, follower, event or post. */
    ref: text().notNull(),
    /** Deliveries that share a queue: a channel, relay or network. */
    lane: text().notNull(),
    payload: jsonb().$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    state: text().$type<OutboxState>().notNull().default('waiting'),
    /** The next attempt, or the end of a sender's lease. Null: nothing to do. */
    due: moment(),
    tries: integer().notNull().default(0),
    /** Fencing token: only the latest sender may store the outcome. */
    claim: bigint({ mode: 'number' }).notNull().default(0),
    /** Set just before a request that must not be repeated. */
    askedAt: moment(),
    lastError: text(),
    /** A person has seen the failure and wants nothing done about it. */
    dismissedAt: moment(),
    createdAt: moment().notNull(),
    /** Time of the last attempt. */
    updatedAt: moment().notNull(),
  },
  (table) => [
    unique('outbox_once').on(table.kind, table.key),
    index('outbox_of').on(table.kind, table.ref),
    index('outbox_due')
      .on(table.kind, table.lane, table.due)
      .where(sql`${table.due} is not null`),
    index('outbox_for_person')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('failed', 'unknown')`),
    index('outbox_ended')
      .on(table.kind, table.createdAt)
      .where(sql`${table.due} is null`),
    check('outbox_state', oneOf('state', OUTBOX_STATES)),
  ],
)

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

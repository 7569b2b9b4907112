import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type NostrEvent } from '#server/publishing/nostr/ports.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'
import { predictions, verdicts } from './predictions.ts'

export type NostrPurpose = 'note' | 'record' | 'relay-list' | 'zap'
const DELIVERY_STATES = [
  'waiting',
  'accepted',
  'already',
  'refused',
  'given-up',
  'replaced',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Everything the site has signed for Nostr, stored before it is sent: sending the same event again is harmless. */
export const nostrEvents = pgTable('nostr_events', {
  /** Of the event, hex. */
  id: text().primaryKey(),
  purpose: text().$type<NostrPurpose>().notNull(),
  /** What it was made for, where that must not be made twice. */
  ref: text().unique(),
  event: jsonb().$type<NostrEvent>().notNull(),
  signedAt: moment().notNull(),
})

/** How an event fares with each relay. */
export const nostrDeliveries = pgTable(
  'nostr_deliveries',
  {
    eventId: text()
      .notNull()
      .references(() => nostrEvents.id),
    relay: text().notNull(),
    state: text().$type<DeliveryState>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextTryAt: moment().notNull(),
    /** What the relay said, as a sentence; null where it took it without a word. */
    reason: text(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.relay] }),
    index('nostr_deliveries_due')
      .on(table.relay, table.nextTryAt)
      .where(sql`${table.state} = 'waiting'`),
    check(
      'nostr_deliveries_state',
      sql`${table.state} in (${sql.raw(DELIVERY_STATES.map((state) => `'${state}'`).join(', '))})`,
    ),
  ],
)

/** The signed public record: rows are only ever added, and the newest of an address is in force. */
export const recordEvents = pgTable(
  'record_events',
  {
    id: id(),
    eventId: text()
      .notNull()
      .unique()
      .references(() => nostrEvents.id),
    /** Who signed, hex: another key begins a record of its own. */
    pubkey: text().notNull(),
    kind: integer().notNull(),
    /** The `d` tag, which names the address together with key and kind. */
    d: text().notNull(),
    predictionId: text()
      .notNull()
      .references(() => predictions.id),
    /** Null for the prediction itself. */
    mode: text().$type<JudgeMode>(),
    verdictId: bigint({ mode: 'number' }).references(() => verdicts.id),
    /** `created_at` of the event, seconds since 1970. */
    createdAt: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    index('record_events_of').on(table.predictionId, table.id),
    index('record_events_in_force').on(table.pubkey, table.kind, table.d, table.id),
    uniqueIndex('record_events_verdict').on(table.pubkey, table.verdictId),
  ],
)

import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type NostrEvent } from '#server/publishing/ports.ts'
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, moment } from '#server/database/columns.ts'
import { verdicts, predictionKey } from './predictions.ts'

export type NostrPurpose = 'note' | 'record' | 'relay-list' | 'zap'
/** Signed Nostr events, stored before they are sent: sending one again is harmless. */
export const nostrEvents = pgTable('nostr_events', {
  /** Event id, hex. */
  id: text().primaryKey(),
  purpose: text().$type<NostrPurpose>().notNull(),
  /** Unique purpose, for events that must not be created twice. */
  ref: text().unique(),
  event: jsonb().$type<NostrEvent>().notNull(),
  signedAt: moment().notNull(),
})

/** The signed record. Rows are only added; the newest of an address is in force. */
export const recordEvents = pgTable(
  'record_events',
  {
    id: id(),
    eventId: text()
      .notNull()
      .unique()
      .references(() => nostrEvents.id),
    /** Signing key, hex; another key starts a separate record. */
    pubkey: text().notNull(),
    kind: integer().notNull(),
    /** The `d` tag, which names the address together with key and kind. */
    d: text().notNull(),
    predictionId: predictionKey(),
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

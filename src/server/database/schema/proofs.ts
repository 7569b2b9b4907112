import { sql } from 'drizzle-orm'
import {
  check,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  bigint,
  date,
  jsonb,
  index,
} from 'drizzle-orm/pg-core'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { bytes, moment, id } from '#server/database/columns.ts'
import { type NostrEvent } from '#server/publishing/ports.ts'
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

/** Days of the signed record, each a Merkle tree of that day's new events. Immutable. */
export const proofDays = pgTable('proof_days', {
  /** `2026-11-24`. */
  day: text().primaryKey(),
  /** SHA-256, hex. */
  root: text().notNull(),
  madeAt: moment().notNull(),
})

/** Events by day, ordered by id; each is a leaf of exactly one tree. */
export const proofLeaves = pgTable(
  'proof_leaves',
  {
    eventId: text()
      .primaryKey()
      .references(() => nostrEvents.id),
    day: text()
      .notNull()
      .references(() => proofDays.day),
    /** Index in the tree, from 0. */
    place: integer().notNull(),
    /** SHA-256 of the complete event with its signature, hex. */
    sha256: text().notNull(),
  },
  (table) => [uniqueIndex('proof_leaves_of').on(table.day, table.place)],
)

/** Answers of a calendar of OpenTimestamps about a day's root. */
export const proofStamps = pgTable(
  'proof_stamps',
  {
    day: text()
      .notNull()
      .references(() => proofDays.day),
    /** Address from the settings. */
    calendar: text().notNull(),
    /** Path from the root to the calendar's promise. */
    promise: bytes().notNull(),
    /** Path from the root to a block; null until included. */
    attested: bytes(),
    /** Block height claimed by the calendar. */
    height: integer(),
    /** Block hash once the header was verified, hex. */
    blockHash: text(),
    /** Time in the block header. */
    blockAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.calendar] }),
    check('proof_stamps_attested', sql`(${table.attested} is null) = (${table.height} is null)`),
    check('proof_stamps_checked', sql`${table.blockHash} is null or ${table.height} is not null`),
  ],
)

export type StoredFile = {
  readonly name: string
  readonly sha256: string
  readonly bytes: number
  readonly crc: number
  /** Checksums of its parts in order; parts of past years stay the same from day to day. */
  readonly parts: readonly string[]
  /** Null if it isn't a table. */
  readonly rows: number | null
}

/** Compressed parts of snapshot files, shared between days. */
export const snapshotContents = pgTable('snapshot_contents', {
  sha256: text().primaryKey(),
  deflated: bytes().notNull(),
})

/** Daily snapshots of the record. Immutable. */
export const snapshots = pgTable('snapshots', {
  day: date({ mode: 'string' }).primaryKey(),
  madeAt: moment().notNull(),
  rule: integer().notNull(),
  /** In the order of the archive. */
  files: jsonb().$type<readonly StoredFile[]>().notNull(),
  archiveSha256: text().notNull(),
  archiveBytes: bigint({ mode: 'number' }).notNull(),
  /** CRC-32 of the archive's content. */
  archiveCrc: bigint({ mode: 'number' }).notNull(),
})

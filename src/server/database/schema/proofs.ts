import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, moment } from '#server/database/columns.ts'
import { nostrEvents } from './nostr.ts'

/** The days of the signed record: each is a Merkle tree of the events that were new then. Written once, never changed. */
export const proofDays = pgTable('proof_days', {
  /** `2026-11-24`. */
  day: text().primaryKey(),
  /** SHA-256, hex. */
  root: text().notNull(),
  madeAt: moment().notNull(),
})

/** The events of each day, in the order of their ids: every event is a leaf of exactly one tree. */
export const proofLeaves = pgTable(
  'proof_leaves',
  {
    eventId: text()
      .primaryKey()
      .references(() => nostrEvents.id),
    day: text()
      .notNull()
      .references(() => proofDays.day),
    /** From 0. */
    place: integer().notNull(),
    /** Of the complete event with its signature, hex. */
    sha256: text().notNull(),
  },
  (table) => [uniqueIndex('proof_leaves_of').on(table.day, table.place)],
)

/** What a calendar of OpenTimestamps has made of the root of a day. */
export const proofStamps = pgTable(
  'proof_stamps',
  {
    day: text()
      .notNull()
      .references(() => proofDays.day),
    /** Its address, as the settings name it. */
    calendar: text().notNull(),
    /** From the root to the promise of the calendar; null until it has taken it. */
    promise: bytes(),
    /** From the root to a block; null until it is in one. */
    attested: bytes(),
    /** Of that block, as the calendar says. */
    height: integer(),
    /** Of that block, once its header was compared; hex. */
    blockHash: text(),
    /** When its miner says that it was made. */
    blockAt: moment(),
    attempts: integer().notNull().default(0),
    /** Failures since the last step forward. */
    failures: integer().notNull().default(0),
    nextTryAt: moment().notNull(),
    updatedAt: moment().notNull(),
    /** A sentence; null when all is well. */
    lastError: text(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.calendar] }),
    index('proof_stamps_due')
      .on(table.nextTryAt)
      .where(sql`${table.blockHash} is null`),
    check('proof_stamps_attested', sql`(${table.attested} is null) = (${table.height} is null)`),
    check('proof_stamps_checked', sql`${table.blockHash} is null or ${table.height} is not null`),
  ],
)

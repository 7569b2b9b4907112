import { bytes, moment } from '#server/database/columns.ts'
import { bigint, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** A file of a snapshot. */
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

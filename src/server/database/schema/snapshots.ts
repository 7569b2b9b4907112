import { bytes, moment } from '#server/database/columns.ts'
import { bigint, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** A file of a snapshot. */
export type StoredFile = {
  readonly name: string
  readonly sha256: string
  readonly bytes: number
  readonly crc: number
  /** The checksums of its parts, one after the other: those of years that are over stay the same from day to day. */
  readonly parts: readonly string[]
  /** Null for what is no table. */
  readonly rows: number | null
}

/** The parts of the files of snapshots, compressed: what several days have in common is here once. */
export const snapshotContents = pgTable('snapshot_contents', {
  sha256: text().primaryKey(),
  deflated: bytes().notNull(),
})

/** The dated snapshots of the record: made once a day, never changed. */
export const snapshots = pgTable('snapshots', {
  day: date({ mode: 'string' }).primaryKey(),
  madeAt: moment().notNull(),
  rule: integer().notNull(),
  /** In the order of the archive. */
  files: jsonb().$type<readonly StoredFile[]>().notNull(),
  archiveSha256: text().notNull(),
  archiveBytes: bigint({ mode: 'number' }).notNull(),
  /** The CRC-32 of what is inside the archive, which ends it. */
  archiveCrc: bigint({ mode: 'number' }).notNull(),
})

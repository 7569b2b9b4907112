import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type pg from 'pg'
import { z } from 'zod'
import { appliedMigrations } from '#server/kit/db.ts'
import { fileText } from '#server/kit/text.ts'

/*
 * An export is a manifest and a file per table in PostgreSQL's text format, referenced tables first. As a folder its
 * manifest is written last, so that an unfinished export has none; a backup is one tar.gz of the folder, with the
 * manifest first.
 */

export const MANIFEST = 'manifest.json'
const FORMAT = 'proof-of-price export 1'

const Table = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  columns: z.array(z.string().regex(/^[a-z0-9_]+$/)),
  rows: z.int(),
  sha256: z.string(),
  /** The next value of each sequence: ids of deleted rows are not reused. */
  next: z.record(z.string(), z.int()).default({}),
})
export type Table = z.infer<typeof Table>

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The newest migration of its database, ms. */
  migration: z.number(),
  tables: z.array(Table),
})
export type Manifest = z.infer<typeof Manifest>

/** An export or import failed, without changes; the message is for people. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

export function manifestOf(migration: number, tables: Table[]): string {
  const manifest: Manifest = { format: FORMAT, migration, tables }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** @param name of the file, for the message */
export function readManifest(name: string, text: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(fileText(text)))
  } catch {
    throw new ExportError(`${name} is not the manifest of an export.`)
  }
}

export function fileOf({ name }: { readonly name: string }): string {
  return `${name}.copy`
}

/** Timestamp of the newest migration, ms. */
export async function newestMigration(client: pg.ClientBase): Promise<number> {
  return (await appliedMigrations(client)).at(-1) ?? 0
}

/** Counts lines and hashes bytes of a stream; a line of PostgreSQL's text format is a row. */
export function counter(): { meter: Transform; read: () => { rows: number; sha256: string } } {
  const hash = createHash('sha256')
  let rows = 0
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      for (const byte of chunk) if (byte === 0x0a) rows += 1
      done(null, chunk)
    },
  })
  return { meter, read: () => ({ rows, sha256: hash.digest('hex') }) }
}

/** All tables, referenced ones first. */
export async function tablesInOrder(client: pg.ClientBase): Promise<string[]> {
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'record_state' order by 1`,
  )
  const links = await client.query<{ child: string; parent: string }>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const waiting = new Set(tables.rows.map((row) => row.name))
  const ordered: string[] = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter((name) =>
      links.rows.every(
        ({ child, parent }) => child !== name || parent === name || !waiting.has(parent),
      ),
    )
    if (ready.length === 0)
      throw new Error(`tables refer to each other: ${[...waiting].join(', ')}`)
    for (const name of ready) waiting.delete(name)
    ordered.push(...ready)
  }
  return ordered
}

/** Columns with a sequence, and the sequence. */
export async function countersOf(client: pg.ClientBase, table: string) {
  const found = await client.query<{ column: string; sequence: string }>(
    `select a.attname as column, pg_get_serial_sequence($1, a.attname) as sequence
     from pg_attribute a where a.attrelid = $1::regclass and a.attidentity <> ''`,
    [table],
  )
  return found.rows
}

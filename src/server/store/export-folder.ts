import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { appliedMigrations } from './database.ts'
import { troubleOf } from './trouble.ts'

/** The file that says what a folder of exported tables holds; it is written last, so that half an export has none. */
const MANIFEST = 'manifest.json'
const FORMAT = 'proof-of-price export 1'

/**
 * The last of the nineteen migrations that became `0000_start`: its tables have the same columns. Importing an export made
 * with it is the only way on for databases of that time.
 */
const BEFORE_THE_FIRST = 1795362612655

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The newest migration of the database it came from, in milliseconds. */
  migration: z.number(),
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z_]+$/),
      columns: z.array(z.string().regex(/^[a-z0-9_]+$/)),
      rows: z.int(),
      sha256: z.string(),
    }),
  ),
})
type Manifest = z.infer<typeof Manifest>

/** What stops an export or an import; the message is for people. Nothing has been changed. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/**
 * Writes every table into a folder, as PostgreSQL's own text format, all as of one moment.
 *
 * @returns the rows of each table
 * @throws ExportError when the folder holds something already
 */
export async function exportTables(pool: pg.Pool, folder: string): Promise<Record<string, number>> {
  // It holds what is private: nobody else on this machine is to read it, whatever the umask says.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) {
    throw new ExportError(`${folder} is not empty; name a new folder.`)
  }
  await chmod(folder, 0o700)
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: Manifest['tables'] = []
    for (const name of await tablesInOrder(client)) {
      const columns = await columnsOf(client, name)
      const { meter, read } = counter()
      const list = columns.map(quoted).join(', ')
      await pipeline(
        client.query(copyTo(`copy ${quoted(name)} (${list}) to stdout`)),
        meter,
        createWriteStream(join(folder, `${name}.copy`), { flush: true, mode: 0o600 }),
      )
      tables.push({ name, columns, ...read() })
    }
    const migration = await newestMigration(client)
    await client.query('commit')
    const manifest: Manifest = { format: FORMAT, migration, tables }
    const file = join(folder, MANIFEST)
    await writeFile(`${file}.part`, `${JSON.stringify(manifest, null, 2)}\n`, {
      flush: true,
      mode: 0o600,
    })
    await rename(`${file}.part`, file)
    return Object.fromEntries(tables.map((table) => [table.name, table.rows]))
  } catch (error) {
    await client.query('rollback').catch(() => null)
    for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
    throw error
  } finally {
    client.release()
  }
}

/**
 * Fills the tables from an exported folder, in one transaction.
 *
 * @param replace drops what the database holds first; without it only a database without predictions and prices is filled
 * @returns the rows of each table
 * @throws ExportError when the folder or the database does not fit
 */
export async function importTables(
  pool: pg.Pool,
  folder: string,
  replace: boolean,
): Promise<Record<string, number>> {
  const manifest = await readManifest(folder)
  for (const table of manifest.tables) await checkFile(folder, table)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const migration = await newestMigration(client)
    if (manifest.migration !== migration && manifest.migration !== BEFORE_THE_FIRST) {
      throw new ExportError(
        'The export was made by another version of the site. Import it with that version, then update.',
      )
    }
    const order = await tablesInOrder(client)
    const names = manifest.tables.map((table) => table.name)
    if (order.toSorted().join() !== names.toSorted().join()) {
      throw new ExportError(`${folder} does not hold the tables of this version.`)
    }
    if (!replace && (await holdsRecord(client))) {
      throw new ExportError(
        'The database holds predictions or prices. Use an empty one, or --replace to drop what it holds.',
      )
    }
    await client.query(`truncate ${order.map(quoted).join(', ')}`)
    for (const name of order) {
      const table = manifest.tables.find((one) => one.name === name)
      if (table) await fillTable(client, folder, table)
    }
    await client.query('commit')
    return Object.fromEntries(manifest.tables.map((table) => [table.name, table.rows]))
  } catch (error) {
    await client.query('rollback').catch(() => null)
    throw error
  } finally {
    client.release()
  }
}

async function fillTable(
  client: pg.PoolClient,
  folder: string,
  table: Manifest['tables'][number],
): Promise<void> {
  const list = table.columns.map(quoted).join(', ')
  const file = fileOf(folder, table)
  try {
    await pipeline(
      createReadStream(file),
      client.query(copyFrom(`copy ${quoted(table.name)} (${list}) from stdin`)),
    )
  } catch (error) {
    const { said, isFull, isLost } = troubleOf(error)
    if (isFull || isLost) throw error
    throw new ExportError(`${file} cannot be read: ${said}`)
  }
  const identity = await client.query<{ column: string; sequence: string }>(
    `select a.attname as column, pg_get_serial_sequence($1, a.attname) as sequence
     from pg_attribute a where a.attrelid = $1::regclass and a.attidentity <> ''`,
    [table.name],
  )
  for (const { column, sequence } of identity.rows) {
    await client.query(
      `select setval($1, coalesce((select max(${quoted(column)}) from ${quoted(table.name)}), 0) + 1, false)`,
      [sequence],
    )
  }
}

/** Before anything is changed: PostgreSQL would name a damaged file by whatever it stumbles over. */
async function checkFile(folder: string, table: Manifest['tables'][number]): Promise<void> {
  const { meter, read } = counter()
  const file = fileOf(folder, table)
  try {
    await pipeline(createReadStream(file), meter.resume())
  } catch (error) {
    throw new ExportError(`${file} cannot be read: ${troubleOf(error).said}`)
  }
  const { rows, sha256 } = read()
  if (rows !== table.rows || sha256 !== table.sha256) {
    throw new ExportError(
      `${file} is damaged: its checksum is ${sha256.slice(0, 12)}…, and the export wrote one of ${table.sha256.slice(0, 12)}…. Copy it again.`,
    )
  }
}

function fileOf(folder: string, { name }: { readonly name: string }): string {
  return join(folder, `${name}.copy`)
}

async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST)
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null)
    throw new ExportError(`${folder} holds no complete export: ${MANIFEST} is missing.`)
  try {
    return Manifest.parse(JSON.parse(text))
  } catch {
    throw new ExportError(`${file} is not the manifest of an export.`)
  }
}

/** The tables of the site with those first that others refer to. */
async function tablesInOrder(client: pg.PoolClient): Promise<string[]> {
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
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

async function columnsOf(client: pg.PoolClient, table: string): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
     order by ordinal_position`,
    [table],
  )
  return found.rows.map((row) => row.name)
}

async function newestMigration(client: pg.PoolClient): Promise<number> {
  return (await appliedMigrations(client)).at(-1) ?? 0
}

async function holdsRecord(client: pg.PoolClient): Promise<boolean> {
  const found = await client.query<{ holds: boolean }>(
    'select exists (select from predictions) or exists (select from bars) as holds',
  )
  return found.rows[0]?.holds ?? false
}

/** Counts lines and hashes bytes on their way; a line of PostgreSQL's text format is a row. */
function counter(): { meter: Transform; read: () => { rows: number; sha256: string } } {
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

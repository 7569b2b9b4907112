import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import * as format from './export-format.ts'
import { cutOff, openExport, type ExportedFile, type ExportSource } from './export-source.ts'
import { troubleOf } from '#server/kit/trouble.ts'

/** Filled from the code's registry at each start. */
const FILLED_FROM_START = 'assets'

/**
 * Fills the tables from an export folder or a backup, in one transaction.
 *
 * @param replace drops existing content; otherwise the database must be empty
 * @returns the manifest
 * @throws ExportError if the export or the database does not fit
 */
export async function importTables(
  pool: pg.Pool,
  path: string,
  replace: boolean,
): Promise<readonly format.Table[]> {
  const source = await openExport(path)
  // Before any change: PostgreSQL's message about a damaged file would not help.
  await checkFiles(source)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const names = await tablesFor(client, source)
    await client.query(`lock table ${names.map(format.quoted).join(', ')} in exclusive mode`)
    if (!replace) await checkEmpty(client, names)
    await client.query(`truncate ${names.map(format.quoted).join(', ')}`)
    for await (const [table, file] of tablesOf(source)) await fillTable(client, table, file)
    await client.query('commit')
    return source.manifest.tables
  } catch (error) {
    await client.query('rollback').catch(() => null)
    throw error
  } finally {
    client.release()
  }
}

/** Each table with its file, referenced tables first. */
async function* tablesOf(
  source: ExportSource,
): AsyncGenerator<readonly [format.Table, ExportedFile]> {
  const waiting = [...source.manifest.tables]
  for await (const file of source.files()) {
    const table = waiting.shift()
    if (!table || format.fileOf(table) !== file.name) {
      throw new format.ExportError(
        `${file.path} does not belong there; ${source.path} was changed.`,
      )
    }
    yield [table, file]
  }
  if (waiting.length > 0) throw cutOff(source.path)
}

async function checkFiles(source: ExportSource): Promise<void> {
  for await (const [table, file] of tablesOf(source)) {
    const { meter, read } = format.counter()
    try {
      await pipeline(file.bytes, meter.resume())
    } catch (error) {
      if (error instanceof format.ExportError) throw error
      throw new format.ExportError(`${file.path} cannot be read: ${troubleOf(error).message}`)
    }
    const { rows, sha256 } = read()
    if (rows !== table.rows || sha256 !== table.sha256) {
      throw new format.ExportError(
        `${file.path} is damaged: its checksum is ${sha256.slice(0, 12)}…, and the export wrote one of ${table.sha256.slice(0, 12)}…. Copy it again.`,
      )
    }
  }
}

/** @returns the tables of the database, which must match the export */
async function tablesFor(
  client: pg.ClientBase,
  { path, manifest }: ExportSource,
): Promise<string[]> {
  const { migration, tables } = manifest
  if (migration !== (await format.newestMigration(client))) {
    throw new format.ExportError(
      'The export was made by another version of the site. Import it with that version, then update.',
    )
  }
  const names = await format.tablesInOrder(client)
  const tableNames = tables.map(({ name }) => name)
  if (names.toSorted().join() !== tableNames.toSorted().join()) {
    throw new format.ExportError(`${path} does not hold the tables of this version.`)
  }
  return names
}

async function checkEmpty(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  const filled: string[] = []
  for (const name of names.filter((one) => one !== FILLED_FROM_START)) {
    const found = await client.query(`select from ${format.quoted(name)} limit 1`)
    if (found.rowCount) filled.push(name)
  }
  if (filled.length === 0) return
  throw new format.ExportError(
    `The database is not empty: there are rows in ${filled.join(', ')}. Use an empty one, or --replace to drop what it holds.`,
  )
}

async function fillTable(
  client: pg.PoolClient,
  table: format.Table,
  file: ExportedFile,
): Promise<void> {
  const list = table.columns.map(format.quoted).join(', ')
  try {
    await pipeline(
      file.bytes,
      client.query(copyFrom(`copy ${format.quoted(table.name)} (${list}) from stdin`)),
    )
  } catch (error) {
    const { message, isFull, isLost } = troubleOf(error)
    if (isFull || isLost || error instanceof format.ExportError) throw error
    throw new format.ExportError(`${file.path} cannot be read: ${message}`)
  }
  for (const { column, sequence } of await format.countersOf(client, table.name)) {
    await client.query(
      `select setval($1, greatest($2, (select max(${format.quoted(column)}) + 1 from ${format.quoted(table.name)})), false)`,
      [sequence, table.next[column] ?? 1],
    )
  }
}

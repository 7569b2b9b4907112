import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { extract } from 'tar-stream'
import { troubleOf } from '#server/kit/trouble.ts'
import { codeOf } from './embedded/failure.ts'
import * as format from './export-format.ts'

/** Filled from the code's registry at each start. */
const FILLED_FROM_START = 'assets'

/**
 * Fills the tables from an export folder or a backup, in one transaction.
 *
 * @param replace drops existing content; otherwise the database must be empty
 * @returns the manifest
 * @throws ExportError if the export or the database does not fit
 */
export async function importTables(pool: pg.Pool, path: string, replace: boolean) {
  const source = await openExport(path)
  // Before any change: PostgreSQL's message about a damaged file would not help.
  await checkFiles(source)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const names = await tablesFor(client, source)
    await client.query(`lock table ${names.map(pg.escapeIdentifier).join(', ')} in exclusive mode`)
    if (!replace) await checkEmpty(client, names)
    await client.query(`truncate ${names.map(pg.escapeIdentifier).join(', ')}`)
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
async function tablesFor(client: pg.ClientBase, { path, manifest }: ExportSource) {
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
    const found = await client.query(`select from ${pg.escapeIdentifier(name)} limit 1`)
    if (found.rowCount) filled.push(name)
  }
  if (filled.length === 0) return
  throw new format.ExportError(
    `The database is not empty: there are rows in ${filled.join(', ')}. Use an empty one, or --replace to drop what it holds.`,
  )
}

async function fillTable(client: pg.PoolClient, table: format.Table, file: ExportedFile) {
  const list = table.columns.map(pg.escapeIdentifier).join(', ')
  try {
    await pipeline(
      file.bytes,
      client.query(copyFrom(`copy ${pg.escapeIdentifier(table.name)} (${list}) from stdin`)),
    )
  } catch (error) {
    const { message, isFull, isLost } = troubleOf(error)
    if (isFull || isLost || error instanceof format.ExportError) throw error
    throw new format.ExportError(`${file.path} cannot be read: ${message}`)
  }
  for (const { column, sequence } of await format.countersOf(client, table.name)) {
    await client.query(
      `select setval($1, greatest($2, (select max(${pg.escapeIdentifier(column)}) + 1 from ${pg.escapeIdentifier(table.name)})), false)`,
      [sequence, table.next[column] ?? 1],
    )
  }
}

const LONGEST_MANIFEST_BYTES = 1 << 20

/** First entry of a backup from before 23 November 2026, which holds PostgreSQL's own files. */
const OLD_BACKUP = 'proof-of-price-backup.json'

/** A file of an export; read it fully before the next one. */
type ExportedFile = {
  readonly name: string
  /** For messages. */
  readonly path: string
  readonly bytes: AsyncIterable<Uint8Array>
}

type ExportSource = {
  readonly path: string
  readonly manifest: format.Manifest
  /** Reads the table files from the start, on each call. Throws format.ExportError. */
  readonly files: () => AsyncIterable<ExportedFile>
}

/** Opens an export: a folder or a backup file. @throws format.ExportError if it is neither */
async function openExport(path: string): Promise<ExportSource> {
  const found = await stat(path).catch((error: unknown) => {
    throw new format.ExportError(
      codeOf(error) === 'ENOENT'
        ? `There is no file or folder ${path}.`
        : `${path} cannot be read: ${troubleOf(error).message}`,
    )
  })
  return found.isDirectory() ? openFolder(path) : openFile(path)
}

async function openFolder(folder: string): Promise<ExportSource> {
  const text = await readFile(join(folder, format.MANIFEST), 'utf8').catch(() => null)
  if (text === null) {
    throw new format.ExportError(
      `${folder} holds no complete export: ${format.MANIFEST} is missing.`,
    )
  }
  const manifest = format.readManifest(join(folder, format.MANIFEST), text)
  async function* files(): AsyncGenerator<ExportedFile> {
    for (const name of manifest.tables.map(format.fileOf)) {
      const path = join(folder, name)
      yield { name, path, bytes: createReadStream(path) }
    }
  }
  return { path: folder, manifest, files }
}

async function openFile(file: string): Promise<ExportSource> {
  for await (const { name, bytes } of entriesOf(file)) {
    if (name === OLD_BACKUP) {
      throw new format.ExportError(
        `${file} was made by an older version of the site, as a copy of PostgreSQL's files. Restore it with the version that ` +
          'made it, then update as docs/operations.md says ("From a version before 23 November 2026").',
      )
    }
    if (name !== format.MANIFEST) break
    const manifest = format.readManifest(file, await textOf(bytes))
    async function* files(): AsyncGenerator<ExportedFile> {
      for await (const entry of entriesOf(file)) if (entry.name !== format.MANIFEST) yield entry
    }
    return { path: file, manifest, files }
  }
  throw noBackup(file)
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > LONGEST_MANIFEST_BYTES) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function* entriesOf(file: string): AsyncGenerator<ExportedFile> {
  const entries = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), entries)
  // Its failure also ends the entries, with a less helpful message.
  const failure = reading.then(
    () => null,
    (error: unknown) => error,
  )
  const explained = async (error: unknown): Promise<format.ExportError> =>
    damageOf(file, (await failure) ?? error)
  async function* chunksOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk
    } catch (error) {
      throw await explained(error)
    }
  }
  try {
    for await (const entry of entries) {
      const { name } = entry.header
      yield { name, path: `${name} of ${file}`, bytes: chunksOf(entry) }
      entry.resume()
    }
    await reading
  } catch (error) {
    throw error instanceof format.ExportError ? error : await explained(error)
  } finally {
    entries.destroy()
  }
}

function damageOf(file: string, error: unknown): format.ExportError {
  const { message } = troubleOf(error)
  if (codeOf(error) === 'Z_BUF_ERROR' || message.includes('Unexpected end')) return cutOff(file)
  if (codeOf(error).startsWith('Z_') || message.includes('Invalid tar header'))
    return noBackup(file)
  return new format.ExportError(`${file} cannot be read: ${message}`)
}

function noBackup(file: string): format.ExportError {
  return new format.ExportError(`${file} is not a backup of this site, or it is damaged.`)
}

function cutOff(path: string): format.ExportError {
  return new format.ExportError(`${path} is not complete; copy or make it again.`)
}

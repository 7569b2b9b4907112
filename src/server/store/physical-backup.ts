import { createWriteStream, existsSync, type Dirent } from 'node:fs'
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { type Pool, type PoolClient } from 'pg'
import { pack, type Pack } from 'tar-stream'
import { syncFolder } from './embedded-cluster.ts'
import { EmbeddedFailure, codeOf, failureOf } from './embedded-failure.ts'
import { readPidFile } from './embedded-pid-file.ts'
import { findPlace, type Place } from './embedded-place.ts'
import { isServerOf } from './embedded-process.ts'
import { DATA, MANIFEST, PASSWORD, SEAL, manifestFor } from './physical-format.ts'

/** PostgreSQL makes the contents of these folders anew; the log of changes is added at the end on its own. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])

/** Belongs to the running server or to an older backup; the list of pg_basebackup. */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|\.s\.PGSQL\..*|backup_label.*|tablespace_map.*|backup_manifest|current_logfiles|postgresql\.auto\.conf\.tmp|pg_internal\.init.*|pgsql_tmp.*)$/

const CONTROL = 'global/pg_control'
const CHUNK_BYTES = 1 << 18

/**
 * Copies a running built-in database into one file, while the site goes on working. What was committed before the
 * call is in it. The file appears whole under its name, or not at all.
 *
 * @param dataDir the folder the database was started with
 * @throws EmbeddedFailure also for a database that DATABASE_URL names: its files are out of reach
 */
export async function backup(
  pool: Pool,
  dataDir: string,
  file: string,
): Promise<{ bytes: number }> {
  const target = resolve(file)
  const part = `${target}.part-${String(process.pid)}`
  const client = await pool.connect()
  let whole = false
  try {
    const place = await placeOf(client, dataDir)
    await writeArchive(part, (archive) => fill(archive, client, place))
    await rename(part, target)
    if (process.platform !== 'win32') syncFolder(dirname(target))
    whole = true
    return { bytes: (await stat(target)).size }
  } catch (error) {
    throw failureOf(error, `back up into ${target}`)
  } finally {
    // Ending the session ends a backup that failed half-way, and lets go of the log that it held.
    client.release(!whole)
    await rm(part, { force: true })
  }
}

/** Makes sure that the files we can see are those of the database that we are connected to. */
async function placeOf(client: PoolClient, dataDir: string): Promise<Place> {
  const place = findPlace(dataDir)
  const answer = await client
    .query<{ data: string }>(`select current_setting('data_directory') as data`)
    .catch(() => null)
  const server = place && readPidFile(place.data)
  if (
    place &&
    answer?.rows[0]?.data === place.data &&
    server &&
    isServerOf(server.pid, place.data)
  ) {
    return place
  }
  throw new EmbeddedFailure(
    'Only the built-in database can be copied as files. For a database named by DATABASE_URL use "npm run cli -- export <file>".',
  )
}

async function writeArchive(part: string, write: (archive: Pack) => Promise<void>): Promise<void> {
  const archive = pack()
  const written = pipeline(
    archive,
    createGzip(),
    createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const filled = write(archive).then(
    () => archive.finalize(),
    (error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)))
      throw error
    },
  )
  // The first failure is the telling one: a full disk ends the pipeline, and writing to it fails after that.
  await Promise.all([filled, written])
}

async function fill(archive: Pack, client: PoolClient, place: Place): Promise<void> {
  const major = (await readFile(join(place.data, 'PG_VERSION'), 'utf8')).trim()
  addText(archive, MANIFEST, JSON.stringify(manifestFor(major, new Date())))
  if (existsSync(place.password)) {
    addText(archive, PASSWORD, await readFile(place.password, 'utf8'))
  }
  const first = await begin(client)
  await addFolder(archive, place.data, '')
  addBytes(archive, `${DATA}/${CONTROL}`, await readSteady(join(place.data, CONTROL)))
  const { last, label } = await end(client)
  addText(archive, `${DATA}/backup_label`, label)
  for (const name of await logBetween(join(place.data, 'pg_wal'), first, last)) {
    await addFile(archive, place.data, `pg_wal/${name}`)
  }
  addText(archive, SEAL, '')
  await client.query('select pg_drop_replication_slot($1)', [slotOf(client)])
}

/** @returns the name of the first file of the log of changes that a recovery needs */
async function begin(client: PoolClient): Promise<string> {
  // Holds that log until we have copied it; goes away with the session.
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slotOf(client)])
  const { rows } = await client.query<{ name: string }>(
    `select pg_walfile_name(pg_backup_start('proof-of-price', true)) as name`,
  )
  return only(rows).name
}

async function end(client: PoolClient): Promise<{ last: string; label: string }> {
  const { rows } = await client.query<{ last: string; label: string; tablespaces: string }>(
    'select pg_walfile_name(lsn) as last, labelfile as label, spcmapfile as tablespaces from pg_backup_stop(false)',
  )
  const { last, label, tablespaces } = only(rows)
  if (tablespaces.trim() !== '') {
    throw new EmbeddedFailure(
      'The database has tablespaces outside its folder, which a backup leaves out.',
    )
  }
  return { last, label }
}

let slots = 0
const slotNames = new WeakMap<PoolClient, string>()

/** The session's own slot: several backups may run at once. */
function slotOf(client: PoolClient): string {
  const known = slotNames.get(client)
  if (known) return known
  slots += 1
  const name = `backup_${String(process.pid)}_${String(slots)}`
  slotNames.set(client, name)
  return name
}

/** The files of the log from one to another, both included, with the history of its timelines. */
async function logBetween(folder: string, first: string, last: string): Promise<string[]> {
  const names = (await readdir(folder)).toSorted()
  const segments = names.filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  )
  // PostgreSQL numbers the files of 16 MB within each 4 GB; the first eight digits are the timeline.
  const numberOf = (name: string): number =>
    Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16)
  if (segments.length !== numberOf(last) - numberOf(first) + 1) {
    throw new EmbeddedFailure(
      `The log of changes from ${first} to ${last} is not complete in ${folder}.`,
    )
  }
  return [...names.filter((name) => name.endsWith('.history')), ...segments]
}

async function addFolder(archive: Pack, data: string, path: string): Promise<void> {
  archive.entry({ name: join(DATA, path).replaceAll('\\', '/'), type: 'directory', mode: 0o700 })
  for (const entry of await readdirIfThere(join(data, path))) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`
    if (LEFT_OUT.test(entry.name) || inner === CONTROL) continue
    if (entry.isFile()) await addFile(archive, data, inner)
    else if (!entry.isDirectory()) continue
    else if (EMPTIED.has(inner)) archive.entry({ name: `${DATA}/${inner}`, type: 'directory' })
    else await addFolder(archive, data, inner)
  }
}

async function readdirIfThere(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    // A database was dropped meanwhile.
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Adds a file that the server may be writing, growing, cutting or deleting: the log of changes mends all of that. */
async function addFile(archive: Pack, data: string, path: string): Promise<void> {
  const handle = await open(join(data, path), 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!handle) return
  try {
    const { size } = await handle.stat()
    const entry = archive.entry({ name: `${DATA}/${path}`, size, mode: 0o600 })
    await pipeline(async function* read() {
      for (let at = 0; at < size;) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at))
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
        // Cut off meanwhile: the rest stays zeros, since the size is already written.
        const used = bytesRead === 0 ? chunk.length : bytesRead
        yield chunk.subarray(0, used)
        at += used
      }
    }, entry)
  } finally {
    await handle.close()
  }
}

/** Reads a small file that is rewritten in place until two readings agree, so that it is not half old, half new. */
async function readSteady(path: string): Promise<Buffer> {
  let before = await readFile(path)
  for (;;) {
    await pause(5)
    const now = await readFile(path)
    if (now.equals(before)) return now
    before = now
  }
}

function addText(archive: Pack, name: string, text: string): void {
  addBytes(archive, name, Buffer.from(text))
}

function addBytes(archive: Pack, name: string, bytes: Buffer): void {
  archive.entry({ name, mode: 0o600 }, bytes)
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('the database answered without a row')
  return row
}

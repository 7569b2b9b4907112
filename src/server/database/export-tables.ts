import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pack, type Pack } from 'tar-stream'
import { syncFolder } from './embedded/cluster.ts'
import { failureOf } from './embedded/failure.ts'
import * as format from './export-format.ts'

/**
 * Writes every table into a folder, from one snapshot.
 *
 * @returns the manifest, referenced tables first
 * @throws ExportError if the folder isn't empty
 */
export async function exportTables(pool: pg.Pool, folder: string) {
  // Private data: no other user may read it, whatever the umask.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) {
    throw new format.ExportError(`${folder} is not empty; name a new folder.`)
  }
  await chmod(folder, 0o700)
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: format.Table[] = []
    for (const name of await format.tablesInOrder(client)) {
      tables.push(await exportTable(client, folder, name))
    }
    const migration = await format.newestMigration(client)
    await client.query('commit')
    const file = join(folder, format.MANIFEST)
    await writeFile(`${file}.part`, format.manifestOf(migration, tables), {
      flush: true,
      mode: 0o600,
    })
    await rename(`${file}.part`, file)
    return tables
  } catch (error) {
    await client.query('rollback').catch(() => null)
    for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
    throw error
  } finally {
    client.release()
  }
}

async function exportTable(client: pg.PoolClient, folder: string, name: string) {
  const columns = await columnsOf(client, name)
  const { meter, read } = format.counter()
  const list = columns.map(pg.escapeIdentifier).join(', ')
  await pipeline(
    client.query(copyTo(`copy ${pg.escapeIdentifier(name)} (${list}) to stdout`)),
    meter,
    createWriteStream(join(folder, format.fileOf({ name })), { flush: true, mode: 0o600 }),
  )
  const next: Record<string, number> = {}
  for (const { column, sequence } of await format.countersOf(client, name)) {
    const found = await client.query<{ next: string }>(
      `select last_value + is_called::int as next from ${sequence}`,
    )
    next[column] = Number(found.rows[0]?.next ?? 1)
  }
  return { name, columns, ...read(), next }
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

/** Writes an export into one file, atomically, replacing an older one. @throws EmbeddedFailure with a sentence */
export async function backup(pool: pg.Pool, file: string) {
  const target = resolve(file)
  const part = `${target}.part-${String(process.pid)}`
  const folder = `${part}-tables`
  try {
    const tables = await exportTables(pool, folder)
    const archive = pack()
    // The first failure names the cause: a full disk ends the writing, and later writes fail, too.
    await Promise.all([
      fill(archive, folder, [format.MANIFEST, ...tables.map(format.fileOf)]),
      pipeline(
        archive,
        createGzip(),
        createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
      ),
    ])
    await rename(part, target)
    syncFolder(dirname(target))
    return { tables, bytes: (await stat(target)).size }
  } catch (error) {
    throw failureOf(error, `back up into ${target}`)
  } finally {
    for (const path of [folder, part]) {
      await rm(path, { recursive: true, force: true }).catch(() => null)
    }
  }
}

async function fill(archive: Pack, folder: string, names: readonly string[]): Promise<void> {
  try {
    for (const name of names) {
      const path = join(folder, name)
      const { size } = await stat(path)
      await pipeline(createReadStream(path), archive.entry({ name, size, mode: 0o600 }))
    }
    archive.finalize()
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

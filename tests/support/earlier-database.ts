import { migrateDatabase } from '#server/kit/db.ts'
import { importTables } from '#server/database/import-tables.ts'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { testDatabase, type TestDatabase } from './test-app.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const DATABASES = join(import.meta.dirname, '../data/databases')

const Journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.int() })) })

/** A database from before later migrations; with rows written by an earlier version, by its commit. */
export async function earlierDatabase(through: number, commit?: string): Promise<TestDatabase> {
  const database = await testDatabase('template0')
  const folder = await mkdtemp(join(tmpdir(), 'proof-of-price-migrations-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const file = join(folder, 'meta', '_journal.json')
    const all = Journal.parse(JSON.parse(await readFile(file, 'utf8')))
    const entries = all.entries.filter(({ idx }) => idx <= through)
    await writeFile(file, JSON.stringify({ ...all, entries }))
    await migrateDatabase(database, folder)
    if (commit) await importTables(database.pool, join(DATABASES, `${commit}.tar.gz`), false)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return database
}

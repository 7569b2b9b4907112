import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect } from 'vitest'
import { z } from 'zod'
import { importTables } from '#server/database/import-tables.ts'
import { migrateDatabase } from '#server/kit/db.ts'
import { type TestDatabase, testDatabase } from './test-app.ts'

/** Closes every connection to a database and refuses new ones, as during a restart. */
export async function closedDatabase(database: Pick<TestDatabase, 'url'>) {
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const admin = new pg.Client({ connectionString: database.url.replace(name, 'postgres') })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  const open = async (): Promise<void> => {
    await admin.query(`alter database ${name} with allow_connections true`)
  }
  return {
    open,
    [Symbol.asyncDispose]: async () => {
      await open()
      await admin.end()
    },
  }
}

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

/** The names of all tables of a database except its version, in order. */
export async function tablesOf({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'record_state' order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function expectEqual(one: TestDatabase, other: TestDatabase): Promise<void> {
  for (const name of await tablesOf(other)) {
    const all = `select coalesce(string_agg(t::text, '|' order by t::text), '') as all from "${name}" t`
    const [here, there] = [await one.sql(all), await other.sql(all)]
    expect([name, here]).toEqual([name, there])
  }
}

export function runServer(program: string, words: readonly string[], { url }: TestDatabase) {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, DATABASE_URL: url, PORT: '0', PRICES: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = Promise.all([text(child.stderr), once(child, 'exit')]).then(
    ([output, [status]]) => ({
      said: output,
      status: status === null ? null : Number(status),
    }),
  )
  return { process: child, ended }
}

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'export-'))
  return {
    path,
    in: (name: string) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

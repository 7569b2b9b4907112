import { setTimeout as pause } from 'node:timers/promises'
import { getTableName, sql, type SQL } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { type PgDatabase, type PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { z } from 'zod'
import { ASSETS } from '#domain/asset.ts'
import { assets } from '#server/database/schema/predictions.ts'
import { troubleOf } from './trouble.ts'

/** A pool or a transaction, so that several writes can be combined. */
export type Db = PgDatabase<NodePgQueryResultHKT>

export type Database = ReturnType<typeof openDatabase>

/** Oldest supported PostgreSQL version. */
const OLDEST_POSTGRES = 15
/** Interval between attempts to get a lock. */
const ASK_AGAIN_MS = 20

/** Opens a pool without connecting yet. @param onError an idle connection broke; the pool replaces it */
export function openDatabase(connection: pg.PoolConfig, onError: (error: Error) => void) {
  const pool = new pg.Pool({
    max: 8,
    // Opening a connection costs PostgreSQL more than most of what an idle site asks.
    min: 2,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...connection,
  })
  pool.on('error', onError)
  pool.on('connect', survive)
  const options = { casing: 'snake_case' } as const
  const db: Db = drizzle(pool, options)
  // Drizzle's own never releases a connection on which `begin` fails: outages would exhaust the pool.
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      return await drizzle(client, options).transaction(work, config)
    } finally {
      client.release()
    }
  }
  return { db, pool, close: (): Promise<void> => pool.end() }
}

const END_WITHIN_MS = 1_000

/** A client outside the pool, not connected yet. The caller must handle its end. */
export function openClient(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client({ keepAlive: true, connectionTimeoutMillis: 10_000, ...connection })
  survive(client)
  return client
}

/** Ends a connection without waiting for an unresponsive server. */
export async function endClient(client: pg.Client): Promise<void> {
  const late = pause(END_WITHIN_MS, undefined, { ref: false })
  await Promise.race([client.end(), late]).catch(() => {})
}

/**
 * A broken connection fails the pending query and emits `error`. Between two queries of a transaction none is
 * pending, and the pool listens to idle connections only, so that the event would end the process.
 */
function survive(client: pg.ClientBase): void {
  client.on('error', () => {
    // The next query fails, and its caller handles the loss.
  })
}

/**
 * Runs `work` while a separate transaction holds a database-wide lock, which also works through a pooler. Waiters poll
 * without holding a connection that the work may need.
 * @param pool has room for the work besides one connection
 */
export async function withLock<T>(pool: pg.Pool, lock: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ mine: boolean }>(
        'select pg_try_advisory_xact_lock(hashtext($1)) as mine',
        [lock],
      )
      const done = rows[0]?.mine ? { result: await work() } : null
      await client.query('commit')
      client.release()
      if (done) return done.result
    } catch (error) {
      client.release(true)
      throw error
    }
    await pause(ASK_AGAIN_MS)
  }
}

/**
 * Migrates the schema and adds the registry's assets, in one transaction. With several processes the first one works
 * and the others wait.
 * @param check throws if this version cannot read the stored data, which rolls back the migrations; called only if
 *   there were any
 * @throws Error with a sentence when the server is too old, or another version created the database
 */
export async function migrateDatabase(
  database: Database,
  migrationsFolder: string,
  check: (tx: Db) => Promise<void> = async () => {},
): Promise<void> {
  const version = await database.pool.query<{ server_version_num: string }>(
    'show server_version_num',
  )
  const major = Math.floor(Number(version.rows[0]?.server_version_num ?? 0) / 10_000)
  if (major < OLDEST_POSTGRES) {
    throw new Error(
      `This is PostgreSQL ${String(major)}; version ${String(OLDEST_POSTGRES)} or newer is needed.`,
    )
  }
  await withLock(database.pool, MIGRATION_LOCK, async () => {
    const all = readMigrationFiles({ migrationsFolder })
    const applied = await appliedMigrations(database.pool)
    refuseForeign(applied, all)
    const pending = all.filter(({ folderMillis }) => !applied.includes(folderMillis))
    await database.db.transaction(async (tx) => {
      if (pending.length > 0) {
        try {
          await applyMigrations(tx, pending)
          await check(tx)
        } catch (error) {
          throw updateFailure(error)
        }
      }
      const known = Object.values(ASSETS).map(({ key, symbol, name }) => ({ key, symbol, name }))
      const change = sql`on conflict (key) do update set symbol = excluded.symbol, name = excluded.name
        where (assets.symbol, assets.name) is distinct from (excluded.symbol, excluded.name)`
      await insertMany(tx, assets, known, change)
    })
  })
}

/** Drizzle's own function commits before anything could be checked. */
async function applyMigrations(tx: Db, pending: readonly MigrationMeta[]): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`)
  await tx.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  for (const { sql: statements, hash, folderMillis } of pending) {
    for (const statement of statements) await tx.execute(sql.raw(statement))
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    )
  }
}

/** Adds advice to the message, unless the server is only unavailable or full. */
function updateFailure(error: unknown): unknown {
  const { message, isLost, isFull } = troubleOf(error)
  if (isLost || isFull) return error
  return new Error(
    `The database could not be migrated: ${message}. It is unchanged: continue with the previous version, and report this message.`,
  )
}

const MIGRATION_LOCK = 'proof-of-price migrations'

/** Timestamps of the applied migrations, ms, oldest first; empty for a new database. */
export async function appliedMigrations(client: pg.ClientBase | pg.Pool): Promise<number[]> {
  const journal = await client.query<{ name: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations')::text as name`,
  )
  if (!journal.rows[0]?.name) return []
  const applied = await client.query<{ at: string }>(
    'select created_at as at from drizzle.__drizzle_migrations order by created_at',
  )
  return applied.rows.map(({ at }) => Number(at))
}

/** Refuses a database with migrations of another version. */
function refuseForeign(applied: readonly number[], all: readonly MigrationMeta[]): void {
  const own = all.map(({ folderMillis }) => folderMillis)
  const newest = applied.filter((at) => !own.includes(at)).at(-1)
  if (newest === undefined) return
  throw new Error(
    newest > Math.max(...own)
      ? 'This database was last opened by a newer version of the site. Start that version, or restore a backup that this one made.'
      : 'This database was made by a version from before 23 November 2026, which this one cannot update. ' +
          'Nothing was changed. docs/operations.md says how to move its data ("From a version before 23 November 2026").',
  )
}

export function inOneState<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

/** Whether an error is a violated reference, check or unique key. */
export function isConstraintError(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof pg.DatabaseError && (cause.code ?? '').startsWith('23')
}

const RECORD = 'proof-of-price record'

/**
 * Serializes transactions across processes. Without a name, serializes writers of prices, predictions and verdicts, as
 * a verdict depends on the previous one.
 * @throws DrizzleQueryError with code 55P03 if a named lock is not free within ten seconds, as waiters hold a pooled
 *   connection; imports may hold the record's lock for minutes
 */
export async function acquireLock(tx: Db, name = RECORD): Promise<void> {
  if (name !== RECORD) await tx.execute(sql`select set_config('lock_timeout', '10s', true)`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`)
}

/** Untyped, as the query says nothing of their shape. */
export function rowsOf({ rows }: { readonly rows: unknown[] }): unknown[] {
  return rows
}

export async function firstRow<Row>(query: PromiseLike<readonly Row[]>): Promise<Row | null> {
  return (await query)[0] ?? null
}

/** Number of rows that a statement changed. */
export async function countChanged(statement: PromiseLike<pg.QueryResult>): Promise<number> {
  return (await statement).rowCount ?? 0
}

export async function hasEffect(statement: PromiseLike<pg.QueryResult>): Promise<boolean> {
  return (await countChanged(statement)) > 0
}

/** A tag like `sql` that runs its query and reads the rows by a shape. */
export function readRows<Row>(db: Pick<Db, 'execute'>, shape: z.ZodType<Row>) {
  return async (strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    z.array(shape).parse(rowsOf(await db.execute(sql(strings, ...values))))
}

/** Streams the rows of a query in batches. @param tx a transaction */
export async function* rowsInParts(
  tx: Pick<Db, 'execute'>,
  query: SQL,
  atOnce: number,
): AsyncGenerator<unknown[]> {
  await tx.execute(sql`declare rows_in_parts no scroll cursor for ${query}`)
  for (;;) {
    const rows = rowsOf(await tx.execute(sql.raw(`fetch ${String(atOnce)} from rows_in_parts`)))
    if (rows.length === 0) break
    yield rows
  }
  await tx.execute(sql`close rows_in_parts`)
}

/** Larger batches use more memory without being faster. */
const BATCH = 4_000

/**
 * Inserts rows in batches of thousands, as one JSON parameter each: separate parameters are slow on both sides. Call it
 * in a transaction.
 * @param rows with the same keys; missing columns get their default
 * @param rest end of the statement, such as `on conflict do nothing`
 * @returns the statement's result, in the order of the rows
 */
export async function insertMany<Table extends PgTable>(
  tx: Db,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  rest: SQL = sql``,
): Promise<unknown[]> {
  const [first] = rows
  if (!first) return []
  const cells = Object.keys(first).map((key) => [key, toSnakeCase(key)] as const)
  const columns = sql.raw(cells.map(([, column]) => `"${column}"`).join(', '))
  const name = sql.identifier(getTableName(table))
  const answer: unknown[] = []
  for (let i = 0; i < rows.length; i += BATCH) {
    const part = rows.slice(i, i + BATCH).map((row) => {
      const values: Readonly<Record<string, unknown>> = row
      return Object.fromEntries(cells.map(([key, column]) => [column, values[key]]))
    })
    const result = await tx.execute(
      sql`insert into ${name} (${columns})
        select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(part)}::json) ${rest}`,
    )
    for (const row of rowsOf(result)) answer.push(row)
  }
  return answer
}

/** Rows per page of an administrators' list. */
export const PAGE_SIZE = 50

/** The position in such a list, whose last page is `pages`. */
export const paged = (total: number, page: number) => ({
  total,
  page,
  pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
})

/** The position in a public list, at its last page at most. */
export function placeIn(total: number, page: number, size: number) {
  const pages = Math.max(1, Math.ceil(total / size))
  const at = Math.min(page, pages)
  return { total, page: at, pages, place: { skip: (at - 1) * size, most: size } }
}

/** Search words as `like` patterns that match anywhere, with wildcards escaped. */
export function wordsOf(q: string): string[] {
  return q
    .replaceAll('\0', '')
    .toWellFormed()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 8)
    .map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
}

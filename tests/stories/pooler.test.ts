import { openStore, type StoreOptions, refusePooler } from '#server/database/open.ts'
import { openReplica } from '#server/database/replica.ts'
import { transactionPooler } from '#tests/support/stand-ins/transaction-pooler.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const migrationsFolder = join(import.meta.dirname, '../../migrations')
const log = { info() {}, warn() {}, error() {} }

const optionsOf = (databaseUrl: string, directUrl: string | null): StoreOptions => ({
  databaseUrl,
  directUrl,
  dataDir: '/nowhere',
  migrationsFolder,
  log,
  join: false,
})

describe('a pooler', () => {
  it('in transaction mode is refused where a session is required', async () => {
    await using database = await testDatabase()
    await using pooler = await transactionPooler(database.url, { most: 2 })
    const connection = { connectionString: pooler.url }
    await expect(refusePooler(connection, 'DATABASE_URL')).rejects.toThrow(
      /^DATABASE_URL leads through a pooler in transaction mode.* Set DATABASE_DIRECT_URL to/,
    )
    await expect(refusePooler(connection, 'DATABASE_DIRECT_URL')).rejects.toThrow(
      /^DATABASE_DIRECT_URL leads through a pooler .* Name the PostgreSQL server itself/,
    )
  })

  it('in session mode, and the server itself, are accepted', async () => {
    await using database = await testDatabase()
    await using pooler = await transactionPooler(database.url, { most: 4, mode: 'session' })
    for (const connectionString of [pooler.url, database.url]) {
      await expect(refusePooler({ connectionString }, 'DATABASE_URL')).resolves.toBeUndefined()
    }
  })

  it('is refused at the start with a message, unless the server behind it is named', async () => {
    await using database = await testDatabase()
    await using another = await testDatabase()
    await using pooler = await transactionPooler(database.url, { most: 4 })
    await expect(openStore(optionsOf(pooler.url, null))).rejects.toThrow('Set DATABASE_DIRECT_URL')
    await expect(openStore(optionsOf(pooler.url, pooler.url))).rejects.toThrow(
      'DATABASE_DIRECT_URL leads through a pooler',
    )
    await expect(openStore(optionsOf(pooler.url, another.url))).rejects.toThrow(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.',
    )
    const store = await openStore(optionsOf(pooler.url, database.url))
    expect(store.direct).toEqual({ connectionString: database.url })
    await store.close()
  })

  it('prepares an empty database like any other at the start', async () => {
    await using database = await testDatabase('template0')
    await using pooler = await transactionPooler(database.url, { most: 1 })
    const store = await openStore(optionsOf(pooler.url, database.url))
    const { rows } = await store.database.pool.query('select key from assets order by key')
    expect(rows.map(({ key }) => key)).toEqual(['btc', 'mstr', 'naka'])
    await store.close()
  })
})

it('a read address must be a replica: otherwise the start is refused with a message', async () => {
  await using database = await testDatabase()
  const connection = { connectionString: database.url }
  await expect(openReplica(database.pool, connection, { warn: () => {} })).rejects.toThrow(
    'DATABASE_READ_URL must lead to a streaming replica',
  )
})

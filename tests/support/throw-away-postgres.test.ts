import { existsSync, mkdirSync, mkdtempSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import {
  startThrowAway,
  sweepThrowAways,
  temporaryFolders,
} from '#tests/support/throw-away-postgres.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('a throw-away PostgreSQL is an empty server that is removed afterwards', async () => {
  vi.stubEnv('TEST_DATABASE_URL', '')
  const server = await startThrowAway()
  const client = new Client({ connectionString: server.connectionString('postgres') })
  await client.connect()
  const { rows } = await client.query<{ data: string; fsync: string }>(
    `select current_setting('data_directory') as data, current_setting('fsync') as fsync`,
  )
  await client.end()
  expect(rows[0]?.fsync).toBe('off')
  await server.stop()
  expect(existsSync(rows[0]?.data ?? '')).toBe(false)
})

it('a throw-away PostgreSQL uses the server in TEST_DATABASE_URL', async () => {
  vi.stubEnv('TEST_DATABASE_URL', 'postgresql://me:secret@db.example:5433/first?sslmode=require')
  const server = await startThrowAway()
  expect(server.connectionString('my db')).toBe(
    'postgresql://me:secret@db.example:5433/my%20db?sslmode=require',
  )
  await server.stop()
})

it('a throw-away PostgreSQL removes the remains of killed runs, but not folders being created', async () => {
  const [folder] = temporaryFolders()
  const old = mkdtempSync(join(folder, 'proof-of-price-test-'))
  mkdirSync(join(old, 'postgres'))
  utimesSync(old, 0, 0)
  const young = mkdtempSync(join(folder, 'proof-of-price-test-'))
  await sweepThrowAways()
  expect(existsSync(old)).toBe(false)
  expect(existsSync(young)).toBe(true)
  utimesSync(young, 0, 0)
  await sweepThrowAways()
  expect(existsSync(young)).toBe(false)
})

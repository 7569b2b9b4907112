import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdsDatabase } from './embedded-place.ts'
import { startEmbedded, type Embedded } from './embedded-postgres.ts'
import { backup } from './physical-backup.ts'
import { restore } from './physical-restore.ts'

const log = { info() {}, warn() {}, error() {} }

let folder = ''
let site: Embedded
let pool: Pool

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proof-of-price-backup-'))
  chmodSync(folder, 0o755)
  site = await startEmbedded({ dataDir: inFolder('site'), log, durable: false })
  pool = poolOf(site)
  await pool.query('create table kept (id int primary key, v text)')
  await pool.query(`insert into kept select i, repeat('x', 500) from generate_series(1, 20000) i`)
})

afterAll(async () => {
  await pool.end()
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('holds every row committed before it began, however much is written meanwhile', async () => {
  let [next, going] = [20_001, true]
  const write = async (): Promise<void> => {
    for (; going; next += 1) {
      await pool.query('insert into kept values ($1, $2)', [next, 'live'])
      await pool.query('update kept set v = $2 where id = $1', [
        next % 20_000,
        `new ${String(next)}`,
      ])
    }
  }
  const writing = write()
  const before = next - 1
  const { bytes } = await backup(pool, inFolder('site'), inFolder('backup.tar.gz'))
  going = false
  await writing
  expect(bytes).toBeGreaterThan(1_000_000)
  const held = await pool.query('select 1 from pg_replication_slots')
  expect(held.rows, 'lets the log of changes go').toEqual([])

  await restore(inFolder('backup.tar.gz'), inFolder('restored'), log)
  const restored = await startEmbedded({ dataDir: inFolder('restored'), log, durable: false })
  const copy = poolOf(restored)
  const { rows } = await copy.query<{ rows: number; last: number }>(
    'select count(*)::int as rows, max(id) as last from kept',
  )
  await copy.end()
  await restored.stop()
  expect(rows[0]?.rows, 'no gap').toBe(rows[0]?.last)
  expect(rows[0]?.last).toBeGreaterThanOrEqual(before)
})

it('is only made of a place that holds a database', () => {
  mkdirSync(inFolder('bare'))
  expect(['site', 'bare', 'nowhere'].map((name) => holdsDatabase(inFolder(name)))).toEqual([
    true,
    false,
    false,
  ])
})

it('refuses a folder that has a database or is in use', async () => {
  await backup(pool, inFolder('site'), inFolder('again.tar.gz'))
  await expect(restore(inFolder('again.tar.gz'), inFolder('site'), log)).rejects.toThrow(
    /already uses/,
  )
  const other = await startEmbedded({ dataDir: inFolder('other'), log, durable: false })
  await other.stop()
  await expect(restore(inFolder('again.tar.gz'), inFolder('other'), log)).rejects.toThrow(
    /There is a database in .*other already/,
  )
})

it('refuses damaged files, says why, and leaves the folder empty', async () => {
  await backup(pool, inFolder('site'), inFolder('whole.tar.gz'))
  const whole = readFileSync(inFolder('whole.tar.gz'))
  const tar = gunzipSync(whole)
  const files: readonly { name: string; bytes: Uint8Array; says: RegExp }[] = [
    { name: 'cut', bytes: whole.subarray(0, whole.length >> 1), says: /not complete/ },
    {
      name: 'no-seal',
      bytes: gzipSync(tar.subarray(0, tar.length - 3 * 512)),
      says: /not complete/,
    },
    { name: 'empty', bytes: new Uint8Array(), says: /not complete/ },
    { name: 'garbage', bytes: new Uint8Array(5000).fill(7), says: /no backup of this site/ },
    {
      name: 'zipped-garbage',
      bytes: gzipSync(Buffer.alloc(5000, 7)),
      says: /no backup of this site/,
    },
    { name: 'other-tar', bytes: gzipSync(tar.subarray(1024)), says: /no backup of this site/ },
  ]
  for (const { name, bytes, says } of files) {
    writeFileSync(inFolder(name), bytes)
    const failure = await restore(inFolder(name), inFolder('target'), log).catch(String)
    expect({ name, failure }).toEqual({ name, failure: expect.stringMatching(says) })
    expect({ name, left: readdirSync(inFolder('target')) }).toEqual({ name, left: [] })
  }
  await expect(restore(inFolder('none'), inFolder('target'), log)).rejects.toThrow(/no file/)
})

it('leaves no half file when it cannot write', async () => {
  const target = inFolder('no-such-folder/backup.tar.gz')
  await expect(backup(pool, inFolder('site'), target)).rejects.toThrow(/Could not back up/)
  const held = await pool.query('select 1 from pg_replication_slots')
  expect(held.rows).toEqual([])
})

it('names the way for a database that is not the built-in one', async () => {
  await expect(backup(pool, inFolder('elsewhere'), inFolder('x.tar.gz'))).rejects.toThrow(/export/)
})

function poolOf({ connection }: Embedded): Pool {
  const made = new Pool(connection)
  // Sessions that are cut at the end of a test.
  made.on('error', () => {})
  return made
}

function inFolder(name: string): string {
  return join(folder, name)
}

import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, basename } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  connectionStringOf,
  startEmbedded,
  type Embedded,
} from '#server/database/embedded/embedded-postgres.ts'
import { openReplica, type Replica } from '#server/database/replica.ts'
import { migrateDatabase, openClient, openDatabase, rowsOf } from '#server/kit/db.ts'
import { openSite } from '#server/site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { temporaryFolders } from '#tests/support/throw-away-postgres.ts'
import { shows } from '#tests/support/waiting.ts'

const silent = { info() {}, warn() {}, error() {} }
/** Its number, what it was started with, and its socket. */
const OF_ONE_SERVER = /^(postmaster\.|\.s\.PGSQL)/

/** A primary and a streaming replica, both with the same empty database; removed at the end of the scope. */
async function startPair(database: string) {
  const folder = mkdtempSync(join(temporaryFolders()[0], 'proof-of-price-pair-'))
  chmodSync(folder, 0o711)
  const at = (name: string): string => join(folder, name)
  // A commit not yet on disk has no log position either.
  const start = (name: string) => startEmbedded({ dataDir: at(name), log: silent })
  const urlOf = ({ connection }: Embedded): string => connectionStringOf(connection, database)
  const running = new Map<string, Embedded>()
  running.set('primary', await start('primary'))
  const primary = of('primary')
  const client = openClient({ connectionString: connectionStringOf(primary.connection) })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.query(`select pg_backup_start('replica', true)`)
  mkdirSync(at('replica'), { mode: 0o711 })
  await cp(join(at('primary'), 'data'), join(at('replica'), 'data'), {
    recursive: true,
    filter: (file) => !OF_ONE_SERVER.test(basename(file)),
  })
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop()',
  )
  await client.end()
  const data = join(at('replica'), 'data')
  const { host, port, user } = primary.connection
  writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '')
  writeFileSync(join(data, 'standby.signal'), '')
  const conninfo = `host=${host} port=${String(port)} user=${user}`
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  running.set('replica', await start('replica'))

  function of(name: string): Embedded {
    const one = running.get(name)
    if (!one) throw new Error(`the ${name} is stopped`)
    return one
  }

  return {
    primaryUrl: urlOf(primary),
    replicaUrl: urlOf(of('replica')),
    stop: async (name: 'primary' | 'replica') => {
      await of(name).stop()
      running.delete(name)
    },
    start: async (name: 'primary' | 'replica') => {
      running.set(name, await start(name))
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of [...running.values()].toReversed()) await one.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// PostgreSQL on Windows has no Unix sockets here, over which the two talk.
describe.skipIf(process.platform === 'win32')('a replica', () => {
  let pair: Awaited<ReturnType<typeof startPair>>
  let primary: ReturnType<typeof openDatabase>
  let standby: ReturnType<typeof openDatabase>
  beforeAll(async () => {
    pair = await startPair('site')
    primary = openDatabase({ connectionString: pair.primaryUrl }, () => {})
    standby = openDatabase({ connectionString: pair.replicaUrl }, () => {})
    await migrateDatabase(primary, join(import.meta.dirname, '../../migrations'))
    await primary.pool.query('create table notes (note text)')
  })
  afterAll(async () => {
    await primary.close()
    await standby.close()
    await pair[Symbol.asyncDispose]()
  })

  const message: string[] = []
  const opened = async (): Promise<Replica> => {
    const one = await openReplica(
      primary.pool,
      { connectionString: pair.replicaUrl },
      { warn: (text) => message.push(text) },
    )
    await shows(() => expect(one.state().state).toBe('used'))
    return one
  }
  const readBy = async ({ db }: Replica): Promise<string> => {
    const [row] = rowsOf(await db.execute(sql`select pg_is_in_recovery() as replica`))
    return z.object({ replica: z.boolean() }).parse(row).replica ? 'replica' : 'primary'
  }
  const notes = async ({ db }: Replica): Promise<string[]> =>
    rowsOf(await db.execute(sql`select note from notes order by note`)).map(
      (row) => z.object({ note: z.string() }).parse(row).note,
    )
  const write = (note: string) => primary.pool.query('insert into notes values ($1)', [note])
  const replay = (does: 'pause' | 'resume') => standby.pool.query(`select pg_wal_replay_${does}()`)

  it('is read while its lag is at most a second, and again once it has caught up', async () => {
    const replica = await opened()
    expect(await readBy(replica)).toBe('replica')
    await replay('pause')
    await write('a')
    await shows(() => expect(replica.state().state).toBe('behind'))
    expect(replica.state().behindMs).toBeGreaterThan(1_000)
    expect(await readBy(replica)).toBe('primary')
    await replay('resume')
    await shows(async () => expect(await readBy(replica)).toBe('replica'))
    expect(await notes(replica)).toEqual(['a'])
    expect(message.some((text) => text.includes('more than a second behind'))).toBe(true)
    await replica.stop()
  })

  it('is not read before it has the announced version, however short its lag', async () => {
    const replica = await opened()
    await replay('pause')
    await write('b')
    replica.catchUp()
    expect(await readBy(replica)).toBe('primary')
    expect(await notes(replica)).toEqual(['a', 'b'])
    await replay('resume')
    await shows(async () => expect(await readBy(replica)).toBe('replica'))
    expect(await notes(replica)).toEqual(['a', 'b'])
    // Without later writes there is no lag.
    replica.catchUp()
    await shows(async () => expect(await readBy(replica)).toBe('replica'))
    await replica.stop()
  })

  it('is skipped while it is away, and used again afterwards', async () => {
    const replica = await opened()
    await standby.close()
    await pair.stop('replica')
    for (let read = 0; read < 20; read += 1) expect(await readBy(replica)).toBe('primary')
    expect(replica.state()).toEqual({ state: 'away', behindMs: null })
    const late = await openReplica(
      primary.pool,
      { connectionString: pair.replicaUrl },
      { warn: () => {} },
    )
    expect(await readBy(late)).toBe('primary')
    await pair.start('replica')
    standby = openDatabase({ connectionString: pair.replicaUrl }, () => {})
    await shows(async () => expect(await readBy(replica)).toBe('replica'))
    await shows(async () => expect(await readBy(late)).toBe('replica'))
    await replica.stop()
    await late.stop()
  })

  it('serves reads only', async () => {
    const replica = await opened()
    await expect(replica.db.transaction((tx) => tx.execute(sql`select 1`))).rejects.toThrow('begin')
    await replica.stop()
  })

  it('must be a replica of this database: otherwise the start is refused with a message', async () => {
    await using other = await testDatabase()
    for (const connectionString of [pair.primaryUrl, other.url]) {
      await expect(
        openReplica(primary.pool, { connectionString }, { warn: () => {} }),
      ).rejects.toThrow('DATABASE_READ_URL must lead to a streaming replica')
    }
    // A replica of another database.
    await expect(
      openReplica(other.pool, { connectionString: pair.replicaUrl }, { warn: () => {} }),
    ).rejects.toThrow('DATABASE_READ_URL must lead to a streaming replica')
  })

  it('hides no correction after it stops replaying', async () => {
    const replica = await opened()
    const { db: readDb, catchUp } = replica
    await using base = testKit(pair.primaryUrl)
    const kit = { ...base, readDb, catchUp }
    const site = await openSite(kit, testPorts(kit), { busy: { afterMs: 0, sampleMs: 5_000 } })
    site.start()
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
    await site.imports.predictions(JSON.stringify([entry('a')]))
    await site.record.refresh()
    const admin = await signedIn({ ...site, database: primary })
    await shows(async () => expect(await readBy(replica)).toBe('replica'))
    await replay('pause')
    const answer = await admin.call('POST', '/api/v1/admin/predictions/a/withdraw', {
      version: 0,
      reason: 'He never said it',
    })
    expect(answer.status).toBe(200)
    for (const url of ['/api/v1/predictions/a', '/corrections.json']) {
      expect((await site.app.inject(url)).body).toContain('He never said it')
    }
    await replay('resume')
    await site.stop({ linger: () => Promise.resolve() })
    await replica.stop()
  })

  it('keeps answering while the primary is away', async () => {
    const replica = await opened()
    await primary.close()
    await pair.stop('primary')
    await shows(async () => expect(await notes(replica)).toEqual(['a', 'b']))
    replica.catchUp()
    await shows(async () => expect(await notes(replica)).toEqual(['a', 'b']))
    await replica.stop()
    await pair.start('primary')
    primary = openDatabase({ connectionString: pair.primaryUrl }, () => {})
  })
})

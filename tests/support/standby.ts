import { openClient } from '#server/kit/db.ts'
import {
  connectionStringOf,
  startEmbedded,
  type Embedded,
} from '#server/database/embedded/embedded-postgres.ts'
import { temporaryFolders } from '#tests/support/throw-away-postgres.ts'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'

const silent = { info() {}, warn() {}, error() {} }
/** Its number, what it was started with, and its socket. */
const OF_ONE_SERVER = /^(postmaster\.|\.s\.PGSQL)/

/** A primary and a streaming replica, both with the same empty database; removed at the end of the scope. */
export async function startPair(database: string) {
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

import { mkdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startEmbedded } from '#server/database/embedded/embedded-postgres.ts'
import { holdsDatabase } from '#server/database/embedded/place.ts'
import { backup } from '#server/database/export-tables.ts'
import { expectEqual, runServer, temporaryFolder } from '#tests/support/databases.ts'
import { programOf } from '#tests/support/programs.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { waitingForLocks, shows } from '#tests/support/waiting.ts'

const CLI = await programOf('cli')

describe('a backup', () => {
  it('a restore killed halfway leaves an empty database, and can be repeated', async () => {
    await using database = await testDatabase()
    await using other = await testDatabase()
    await using files = await temporaryFolder()
    await database.sql(`insert into facts (name, value) values ('secret', '"kept"')`)
    await database.sql(
      `insert into audit_log (at, username, action, subject_kind) values (now(), 'x', 'x', 'x')`,
    )
    const file = files.in('site.tar.gz')
    const { tables } = await backup(database.pool, file)
    const order = tables.map(({ name }) => name)
    // The last one waits until it is released, so that the others are in by then.
    const [first, last] = ['facts', 'audit_log'].toSorted(
      (one, two) => order.indexOf(one) - order.indexOf(two),
    )
    await other.sql(
      `create function wait() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
       create trigger wait before insert on ${String(last)} execute function wait()`,
    )
    const gate = await other.pool.connect()
    await gate.query('select pg_advisory_lock(7)')
    const child = runServer(CLI, ['restore', file], other)
    try {
      const early = child.ended.then(({ said: message }) =>
        Promise.reject(new Error(`it ended: ${message}`)),
      )
      await Promise.race([shows(async () => expect(await waitingForLocks(gate)).toBe(1)), early])
    } finally {
      child.process.kill('SIGKILL')
      await child.ended
      await gate.query('select pg_advisory_unlock(7)')
      gate.release()
    }
    // Waits until the server notices that the client is gone.
    await shows(async () => {
      const others = await other.sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(others.length).toBe(0)
    })
    expect((await other.sql(`select from ${String(first)}`)).length).toBe(0)
    await other.sql(`drop trigger wait on ${String(last)}`)
    expect(await runServer(CLI, ['restore', file], other).ended).toEqual({ said: '', status: 0 })
    await expectEqual(other, database)
  })

  it('requires a database at the given place', async () => {
    await using files = await temporaryFolder()
    const site = await startEmbedded({
      dataDir: files.in('site'),
      log: { info() {}, warn() {}, error() {} },
      durable: false,
    })
    await site.stop()
    await mkdir(files.in('bare'))
    expect(['site', 'bare', 'nowhere'].map((name) => holdsDatabase(files.in(name)))).toEqual([
      true,
      false,
      false,
    ])
  })
})

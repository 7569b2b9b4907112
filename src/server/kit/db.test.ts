import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { testDatabase } from '#tests/support/test-app.ts'
import { waitingForLocks, until } from '#tests/support/waiting.ts'
import { acquireLock } from './db.ts'

it('a transaction waits for the lock of another', async () => {
  await using database = await testDatabase()
  const { db, pool } = database
  const gate = Promise.withResolvers<void>()
  const began: string[] = []
  const turn = (name: string, ends: Promise<void>): Promise<void> =>
    db.transaction(async (tx) => {
      await acquireLock(tx, 'a test')
      began.push(name)
      await ends
    })
  const first = turn('first', gate.promise)
  await until(() => began.length === 1)
  const second = turn('second', Promise.resolve())
  await until(async () => (await waitingForLocks(pool)) === 1)
  expect(began).toEqual(['first'])
  gate.resolve()
  await Promise.all([first, second])
  expect(began).toEqual(['first', 'second'])
})

it("waiting for a lock times out after ten seconds, and leaves the connection's own timeout unchanged", async () => {
  await using database = await testDatabase()
  const limit = sql`show lock_timeout`
  await database.db.transaction(async (tx) => {
    await acquireLock(tx, 'a test')
    expect(await tx.execute(limit)).toMatchObject({ rows: [{ lock_timeout: '10s' }] })
  })
  expect(await database.db.execute(limit)).toMatchObject({ rows: [{ lock_timeout: '0' }] })
})

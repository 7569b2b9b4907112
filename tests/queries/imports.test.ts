import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { importService } from '#server/predictions/imports.service.ts'
import { entry } from '#tests/support/builders.ts'
import { testDatabase } from '#tests/support/test-app.ts'

it('lets a payment refer to a prediction while an import has not ended', async () => {
  await using database = await testDatabase()
  const { db } = database
  const clock = { now: () => Date.parse('2026-11-20T12:00:00Z') }
  const predict = (summary: string) => JSON.stringify([entry('a', { summary }), entry('b')])
  await importService({ db, clock }).predictions(predict('Said so.'))
  await db.transaction(async (tx) => {
    await importService({ db: tx, clock }).predictions(predict('Said so again.'))
    // As the foreign key of a payment does.
    const rows = sql`select id from predictions order by id for key share skip locked`
    expect((await db.execute(rows)).rows).toEqual([{ id: 'a' }, { id: 'b' }])
  })
})

import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { openDatabase, type Db } from '#server/kit/db.ts'
import { testDatabase } from './test-app.ts'

/** Shared by all files of a worker, each of which loads our modules again. */
const shared = globalThis as { queriesDatabase?: Promise<{ readonly url: string }> }

class RolledBack extends Error {}

/**
 * Runs a test of queries in a transaction of the worker's own database and rolls it back: no site, no HTTP, and an
 * empty record every time. Code that needs commits or LISTEN uses `testDatabase` instead.
 */
export async function rolledBack(test: (db: Db) => Promise<void>): Promise<void> {
  shared.queriesDatabase ??= testDatabase()
  const { url } = await shared.queriesDatabase
  const { db, close } = openDatabase({ connectionString: url, max: 1 }, () => {})
  try {
    await db.transaction(async (tx) => {
      await test(tx)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  } finally {
    await close()
  }
}

/** Adds a person with the prediction `a`. @returns the person's id */
export async function onRecord(db: Db): Promise<number> {
  const named = { name: 'Expert A', slug: 'expert-a' }
  const [{ id } = { id: 0 }] = await db.insert(influencers).values(named).returning()
  const made = { made: '2024-01-01', madePrecision: 'day' } as const
  const by = { targetDate: '2024-01-10', targetPrecision: 'day' } as const
  const message = {
    asset: 'btc',
    type: 'target',
    priceTarget: 150,
    timing: 'by',
    ...made,
    ...by,
  } as const
  await db.insert(predictions).values({ id: 'a', influencerId: id, ...message })
  return id
}

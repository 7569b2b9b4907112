import { join } from 'node:path'
import { migrateDatabase, openDatabase, type Database } from '#server/kit/db.ts'
import { startThrowAway } from '#tests/support/throw-away-postgres.ts'

/** A PostgreSQL for one benchmark, with the site's tables. */
export type BenchDatabase = Database & { readonly url: string; readonly stop: () => Promise<void> }

export async function startDatabase(): Promise<BenchDatabase> {
  const server = await startThrowAway()
  const url = server.connectionString('postgres')
  const database = openDatabase({ connectionString: url }, () => {})
  await migrateDatabase(database, join(import.meta.dirname, '..', '..', 'migrations'))
  const stop = async (): Promise<void> => {
    await database.close()
    await server.stop()
  }
  return { ...database, url, stop }
}

import pg from 'pg'
import { type TestDatabase } from './test-app.ts'

/** Closes every connection to a database and refuses new ones, as during a restart. */
export async function closedDatabase(database: Pick<TestDatabase, 'url'>) {
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const admin = new pg.Client({ connectionString: database.url.replace(name, 'postgres') })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  const open = async (): Promise<void> => {
    await admin.query(`alter database ${name} with allow_connections true`)
  }
  return {
    open,
    [Symbol.asyncDispose]: async () => {
      await open()
      await admin.end()
    },
  }
}

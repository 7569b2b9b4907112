import { migrateDatabase, openDatabase } from '#server/kit/db.ts'
import { startThrowAway } from '#server/database/embedded/throw-away-postgres.ts'
import { type TestProject } from 'vitest/node'

export const TEMPLATE = 'proof_of_price_template'

declare module 'vitest' {
  // Vitest finds what a setup provides by declaration merging, which needs an interface.
  export interface ProvidedContext {
    /** How to reach a database of the test server; `{database}` is replaced by its name. */
    databaseUrl: string
  }
}

/** One server for all test files, with a migrated template that each test clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startThrowAway()
  const admin = openDatabase({ connectionString: server.connectionString('postgres') }, () => {})
  await admin.pool.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.pool.query(`create database ${TEMPLATE}`)
  await admin.close()
  const template = openDatabase({ connectionString: server.connectionString(TEMPLATE) }, () => {})
  await migrateDatabase(template, `${project.config.root}/migrations`)
  await template.close()
  project.provide('databaseUrl', server.connectionString('{database}'))
  return () => server.stop()
}

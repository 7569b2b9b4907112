import { type TestProject } from 'vitest/node'
import { migrateDatabase, openDatabase } from '#server/kit/db.ts'
import { openSite } from '#server/site.ts'
import { startThrowAway } from '#tests/support/throw-away-postgres.ts'
import { testKit, testPorts } from './test-site.ts'

export const TEMPLATE = 'proof_of_price_template'

declare module 'vitest' {
  // Vitest finds what a setup provides by declaration merging, which needs an interface.
  export interface ProvidedContext {
    /** How to reach a database of the test server; `{database}` is replaced by its name. */
    databaseUrl: string
  }
}

/** One server for all test files, with a template that each test clones: migrated, with the queues of a site. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startThrowAway()
  const admin = openDatabase({ connectionString: server.connectionString('postgres') }, () => {})
  await admin.pool.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.pool.query(`create database ${TEMPLATE}`)
  await admin.close()
  const template = openDatabase({ connectionString: server.connectionString(TEMPLATE) }, () => {})
  await migrateDatabase(template, `${project.config.root}/migrations`)
  await template.close()
  // Otherwise each site would create pg-boss's schema, the most expensive part of its start.
  await using kit = testKit(server.connectionString(TEMPLATE))
  const site = await openSite(kit, testPorts(kit))
  await site.stop({ linger: () => Promise.resolve() })
  await kit.pool.query('delete from facts')
  project.provide('databaseUrl', server.connectionString('{database}'))
  return () => server.stop()
}

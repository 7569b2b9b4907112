import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#server/kit/db.ts'
import { openSite, type Site } from '#server/site.ts'
import { rememberedScores, testApp, urlOf, type TestApp } from './test-app.ts'
import { testKit, testPorts } from './test-site.ts'
import { TEMPLATE } from './throw-away-database.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export function starterFile(name: string): string {
  return readFileSync(join(ROOT, 'data', 'starter', name), 'utf8')
}

export const STARTER_FILES = {
  prices: { btc: starterFile('btc-daily-close.csv'), mstr: starterFile('mstr-daily-close.csv') },
  predictions: starterFile('predictions.json'),
}

const STARTER = 'proof_of_price_starter'
const SCORED = 'proof_of_price_scored'
/** An arbitrary lock id; the holder of the lock makes the templates. */
const LOCK = 304

/** A site with the shipped record and its scores of the tests' day, computed once for all tests. */
export async function starterSite(overrides: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const world = await newStarterSite({ template: SCORED, ...overrides })
  await compute(world)
  return world
}

export async function newStarterSite(
  overrides: Parameters<typeof testApp>[0] = {},
): Promise<TestApp> {
  await prepare()
  const world = await testApp({ template: STARTER, ...overrides })
  await world.refresh()
  return world
}

/** Computes today's missing scores. */
async function compute({ scores: { service } }: Pick<Site, 'scores'>): Promise<void> {
  for (const mode of ['touch', 'close'] as const) await service.bring(await service.scoreKey(mode))
}

async function prepare(): Promise<void> {
  // The lock belongs to the session: it would be lost if the pool closed an idle client.
  const connection = { connectionString: urlOf('postgres'), max: 1, idleTimeoutMillis: 0 }
  const admin = openDatabase(connection, () => {})
  const copy = (from: string, to: string) =>
    admin.pool.query(`create database ${to} template ${from} strategy file_copy`)
  try {
    await admin.pool.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await admin.pool.query('select from pg_database where datname = $1', [
      SCORED,
    ])
    if (rowCount !== 0) return
    for (const name of [STARTER, 'unfinished']) {
      await admin.pool.query(`drop database if exists ${name}`)
    }
    await copy(TEMPLATE, STARTER)
    await fill(STARTER, (site) => site.imports.starter(STARTER_FILES))
    await copy(STARTER, 'unfinished')
    await fill('unfinished', async (site) => {
      await site.record.refresh()
      await compute(site)
    })
    await admin.pool.query(`alter database unfinished rename to ${SCORED}`)
  } finally {
    await admin.close()
  }
}

async function fill(database: string, work: (site: Site) => Promise<unknown>): Promise<void> {
  await using kit = testKit(urlOf(database))
  const site = await openSite(kit, testPorts(kit), { scores: { worker: rememberedScores } })
  await work(site)
  await site.stop({ linger: () => Promise.resolve() })
}

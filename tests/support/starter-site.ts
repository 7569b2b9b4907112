import { openDatabase } from '#server/kit/db.ts'
import { openSite } from '#server/site.ts'
import { starterFile } from './files.ts'
import { testApp, urlOf, type TestApp } from './test-app.ts'
import { testKit, testPorts } from './test-site.ts'
import { TEMPLATE } from './throw-away-database.ts'

export const STARTER_FILES = {
  prices: { btc: starterFile('btc-daily-close.csv'), mstr: starterFile('mstr-daily-close.csv') },
  predictions: starterFile('predictions.json'),
}

const STARTER = 'proof_of_price_starter'
const UNFINISHED = `${STARTER}_unfinished`
/** Any number: who holds it makes the template. */
const LOCK = 304

/** A site with the record that it ships with, which is read once for all tests. */
export async function starterSite(given: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  await prepare()
  const world = await testApp({ ...given, template: STARTER })
  await world.refresh()
  return world
}

/** The same, with the scores of today: a page does not wait for them longer than some seconds. */
export async function scoredStarterSite(
  given: Parameters<typeof testApp>[0] = {},
): Promise<TestApp> {
  const world = await starterSite(given)
  const { service } = world.scores
  for (const mode of ['touch', 'close'] as const) await service.scores(service.asked(mode))
  return world
}

async function prepare(): Promise<void> {
  const admin = openDatabase({ connectionString: urlOf('postgres'), max: 1 }, () => {})
  try {
    await admin.pool.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await admin.pool.query('select from pg_database where datname = $1', [
      STARTER,
    ])
    if (rowCount !== 0) return
    await admin.pool.query(`create database ${UNFINISHED} template ${TEMPLATE} strategy file_copy`)
    await fill(urlOf(UNFINISHED))
    await admin.pool.query(`alter database ${UNFINISHED} rename to ${STARTER}`)
  } finally {
    await admin.close()
  }
}

async function fill(url: string): Promise<void> {
  await using kit = testKit(url)
  const site = await openSite(kit, testPorts(kit))
  await site.imports.starter(STARTER_FILES)
  await site.stop({ kept: () => Promise.resolve() })
}

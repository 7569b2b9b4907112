// Measures records of 304, 20,000 and 100,000 predictions: import time, time to first answer after a start, uncached lists,
// memory, and answers while scores are computed. Each size has its own embedded PostgreSQL. Needs a built site.
// SIZES=304,20000 npm run bench -- big
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { importService } from '#server/predictions/imports.service.ts'
import { manyEntries, walk } from '../tests/support/many.ts'
import { addBenchAdmin, fillSubmissions, fromElsewhere, signIn } from './lib/administration.ts'
import { aims, type Measured } from './lib/aims.ts'
import { startDatabase } from './lib/database.ts'
import { median, quantile } from './lib/numbers.ts'
import { residentMb, SETTLED_AFTER_MS, startSite } from './lib/site.ts'
import { table } from './lib/table.ts'

const SIZES = (process.env['SIZES'] ?? '304,20000,100000').split(',').map(Number)
const SUBMISSIONS = 2_000
const CALLERS = 20
const ROUNDS = 10
/** Time limit for the scores; those computed by then are counted. */
const LONGEST_SCORES_S = 150
const DASHBOARD = '/api/v1/assets/btc/dashboard'

/** Requests sent at the same time. */
const QUESTIONS: Readonly<Record<string, (n: number, people: readonly string[]) => string>> = {
  dashboard: (n) => `${DASHBOARD}?hpage=${n + 1}`,
  'filtered list': (n) => `${DASHBOARD}?status=miss&hmade=${2014 + (n % 10)}&hpage=${n + 1}`,
  search: (n) => `/api/v1/search?q=${n}th+time`,
  'past day': (n) => `${DASHBOARD}?day=${2018 + (n % 5)}-03-${10 + n}`,
  person: (n, people) => `/api/v1/experts/${people[n % people.length] ?? ''}`,
  board: (n) => `/experts?find=${n}`,
  'review list': (n) => `/api/v1/admin/submissions?status=pending&dir=asc&size=${31 + n}&flags=yes`,
}

type Size = {
  readonly predictions: number
  readonly importS: number
  readonly firstStartS: number
  readonly secondStartS: number
  /** Median milliseconds per question. */
  readonly timings: readonly (readonly [what: string, ms: number])[]
  readonly scoresS: number
  readonly scoresMb: number
  /** The p99 while scores are computed, relative to that afterwards. */
  readonly slower: number
  readonly idleMb: number
  readonly usedMb: number
}

const sizes: Size[] = []
for (const predictions of SIZES) sizes.push(await measure(predictions))

const row = (name: string, of: (size: Size) => number, digits = 1): string[] => [
  name,
  ...sizes.map((size) => of(size).toFixed(digits)),
]
const msOf = (size: Size, what: string): number =>
  size.timings.find(([name]) => name === what)?.[1] ?? Number.NaN
table('Records by their size', [
  row('predictions', (one) => one.predictions, 0),
  row('import, s', (one) => one.importS),
  row('first start, s', (one) => one.firstStartS),
  row('second start, s', (one) => one.secondStartS),
  ...Object.keys(QUESTIONS).map((what) =>
    row(`${what}, ms at ${CALLERS} callers`, (one) => msOf(one, what)),
  ),
  row('scores of a day, s', (one) => one.scoresS),
  row('extra memory meanwhile, MB', (one) => one.scoresMb, 0),
  row('p99 meanwhile, relative to calm', (one) => one.slower),
  row('memory after the start, MB', (one) => one.idleMb, 0),
  row('memory after all requests, MB', (one) => one.usedMb, 0),
])
const small = sizes.at(0)
const large = sizes.at(-1)
if (small && large) {
  const than = (name: string, of: (size: Size) => number, limit: number): Measured => [
    `${name}, relative to the smallest`,
    of(large) / of(small),
    'at most',
    limit,
  ]
  aims([
    ['import of the largest, s', large.importS, 'at most', 90],
    than('second start', (one) => one.secondStartS, 1.3),
    ...Object.keys(QUESTIONS).map((what) => than(what, (one) => msOf(one, what), 3)),
    ['scores of a day, s', large.scoresS, 'at most', 30],
    ['extra memory meanwhile, MB', large.scoresMb, 'at most', 250],
    ['p99 meanwhile, relative to calm', large.slower, 'at most', 3],
    than('memory after the start', (one) => one.idleMb, 1.3),
    than('memory after all requests', (one) => one.usedMb, 1.3),
    ['memory after all requests, MB', large.usedMb, 'at most', 160],
  ])
}

async function measure(predictions: number): Promise<Size> {
  const database = await startDatabase()
  const { pool } = database
  const imports = importService({ db: database.db, clock: { now: Date.now } })
  await imports.prices('btc', walk(), 'walk')
  const text = JSON.stringify(manyEntries(predictions))
  const importS = await seconds(async () => {
    const result = await imports.predictions(text)
    if (!result.ok || result.added !== predictions)
      throw new Error(JSON.stringify(result).slice(0, 500))
  })
  await fillSubmissions(pool, SUBMISSIONS)
  await addBenchAdmin(database.db)
  const began = performance.now()
  const site = await startSite({
    DATABASE_URL: database.url,
    STARTER_DATA: 'off',
    PRICES: 'off',
    LIGHTNING_WALLET: 'off',
    TRUST_PROXY: 'on',
    LOG_LEVEL: 'error',
  })
  const firstStartS = (performance.now() - began) / 1_000
  const light = (n: number) => ask(site.origin, `/api/v1/predictions/many-${n % predictions}`)
  const meanwhile: number[] = []
  // Today and yesterday, in both modes.
  const scoresS = await seconds(async () => {
    while ((await countScores()) < 4 && performance.now() - began < LONGEST_SCORES_S * 1_000) {
      meanwhile.push(await light(meanwhile.length))
      await pause(10)
    }
  })
  const scores = await countScores()
  const mostMb = mostMegabytes(site.pid())
  const calm: number[] = []
  while (calm.length < 200) calm.push(await light(10_000 + calm.length))

  async function countScores(): Promise<number> {
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from scores')
    return rows[0]?.n ?? 0
  }

  // On a site's own server autovacuum does this within a minute; the benchmark's server has none.
  await pool.query('vacuum analyze')
  const secondStartS = (await site.restart()) / 1_000
  const restartedAt = performance.now()
  await ask(site.origin, '/btc')
  await pause(Math.max(0, restartedAt + SETTLED_AFTER_MS - performance.now()))
  const idleMb = residentMb(site.pid())
  const headers = { cookie: await signIn(site.origin) }
  // An ordinary person, so that the work is the same in a record of any size: the reply has all their predictions.
  const { rows: ordinary } = await pool.query<{ slug: string }>(`
    select slug from influencers join predictions on influencer_id = influencers.id
    group by slug having count(*) between 12 and 30 order by slug limit 12`)
  const people = ordinary.map(({ slug }) => slug)
  const timings: [string, number][] = []
  for (const [what, path] of Object.entries(QUESTIONS)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // A new version has nothing cached.
      await pool.query('update record_state set version = version + 1')
      await pool.query("select pg_notify('record', '')")
      await pause(100)
      const callers = Array.from({ length: CALLERS }, (_, n) =>
        ask(site.origin, path(n, people), headers),
      )
      times.push(...(await Promise.all(callers)))
    }
    timings.push([what, median(times)])
  }
  await pause(SETTLED_AFTER_MS)
  const usedMb = residentMb(site.pid())
  await site.stop()
  await database.stop()
  return {
    predictions,
    importS,
    firstStartS,
    secondStartS,
    timings,
    scoresS: scoresS / scores,
    scoresMb: mostMb - idleMb,
    slower: quantile(meanwhile, 0.99) / quantile(calm, 0.99),
    idleMb,
    usedMb,
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

/** @returns milliseconds until the reply */
async function ask(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const began = performance.now()
  const answer = await fetch(origin + path, { headers: { ...headers, ...fromElsewhere() } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return performance.now() - began
}

/** Peak memory of a process, MB. */
function mostMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024
}

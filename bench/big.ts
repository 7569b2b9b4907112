// Records of 304, 20,000 and 100,000 predictions in one run: how long an import takes, how soon a second start answers, what
// an answer of the dashboard costs, how much memory the site holds, and how quick the list of reviewers is. Each size has
// an embedded PostgreSQL of its own. SIZES=304,20000 npm run bench -- big
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { importService } from '#server/predictions/imports.service.ts'
import { manyEntries, walk } from '../tests/support/many.ts'
import { addBenchAdmin, fillSubmissions, fromElsewhere, signIn } from './lib/administration.ts'
import { aims } from './lib/aims.ts'
import { startDatabase } from './lib/database.ts'
import { median, quantile } from './lib/numbers.ts'
import { SETTLED_AFTER_MS, startSite } from './lib/site.ts'
import { table } from './lib/table.ts'

const SIZES = (process.env['SIZES'] ?? '304,20000,100000').split(',').map(Number)
const SUBMISSIONS = 2_000
const DASHBOARD = '/api/v1/assets/btc/dashboard'
const REVIEW = '/api/v1/admin/submissions?status=pending&dir=asc&size=50&flags=yes'

type Size = {
  readonly predictions: number
  readonly importS: number
  readonly firstStartS: number
  readonly secondStartS: number
  readonly dashboardMs: number
  readonly dashboardBytes: number
  readonly reviewMs: number
  readonly idleMb: number
  readonly usedMb: number
  readonly restMb: number
  readonly mostMb: number
}

const sizes: Size[] = []
for (const predictions of SIZES) sizes.push(await measure(predictions))

table('Records by their size', [
  ['predictions', ...sizes.map((one) => String(one.predictions))],
  ['import, s', ...sizes.map((one) => one.importS.toFixed(1))],
  ['first start, s', ...sizes.map((one) => one.firstStartS.toFixed(1))],
  ['second start, s', ...sizes.map((one) => one.secondStartS.toFixed(1))],
  ['dashboard, ms', ...sizes.map((one) => one.dashboardMs.toFixed(2))],
  ['dashboard, kB of brotli', ...sizes.map((one) => (one.dashboardBytes / 1_000).toFixed(1))],
  ['review list, p99 in ms', ...sizes.map((one) => one.reviewMs.toFixed(1))],
  ['memory after the start, MB', ...sizes.map((one) => one.idleMb.toFixed(0))],
  ['memory after all of it, MB', ...sizes.map((one) => one.usedMb.toFixed(0))],
  ['memory a minute later, MB', ...sizes.map((one) => one.restMb.toFixed(0))],
  ['most memory, MB', ...sizes.map((one) => one.mostMb.toFixed(0))],
])
const small = sizes.at(0)
const large = sizes.at(-1)
if (small && large) {
  aims([
    ['import of the largest, s', large.importS, 'at most', 60],
    ['second start, s', large.secondStartS, 'at most', 5],
    ['dashboard, time against the smallest', large.dashboardMs / small.dashboardMs, 'at most', 3],
    [
      'dashboard, bytes against the smallest',
      large.dashboardBytes / small.dashboardBytes,
      'at most',
      3,
    ],
    ['review list, p99 in ms', large.reviewMs, 'at most', 100],
    ['memory after all of it, MB', large.usedMb, 'at most', 400],
  ])
}

async function measure(predictions: number): Promise<Size> {
  const database = await startDatabase()
  const imports = importService({ db: database.db, clock: { now: Date.now } })
  await imports.prices('btc', walk(), 'walk')
  const text = JSON.stringify(manyEntries(predictions))
  const importS = await seconds(async () => {
    const result = await imports.predictions(text)
    if (!result.ok || result.added !== predictions)
      throw new Error(JSON.stringify(result).slice(0, 500))
  })
  await fillSubmissions(database.pool, SUBMISSIONS)
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
  const secondStartS = (await site.restart()) / 1_000
  const restartedAt = performance.now()
  await ask(site.origin, '/btc')
  const idleMb = memoryMb(site.pid())
  const dashboard = await times(200, () => ask(site.origin, DASHBOARD))
  const dashboardBytes = await bytesOf(site.origin + DASHBOARD)
  const cookie = await signIn(site.origin)
  const review = await times(300, () => ask(site.origin, REVIEW, { cookie }))
  for (const path of ['/api/predictions', '/feed.xml', '/sitemap.xml', '/btc']) {
    await ask(site.origin, path).catch((error: unknown) => console.error(String(error)))
  }
  await pause(Math.max(0, restartedAt + SETTLED_AFTER_MS - performance.now()))
  await database.pool.query("select pg_notify('record', '')")
  await pause(5_000)
  const usedMb = memoryMb(site.pid())
  // The thread of the scores has ended by then.
  await pause(60_000)
  const restMb = memoryMb(site.pid())
  const mostMb = memoryMb(site.pid(), 'VmHWM')
  await site.stop()
  await database.stop()
  return {
    predictions,
    importS,
    firstStartS,
    secondStartS,
    dashboardMs: median(dashboard),
    dashboardBytes,
    reviewMs: quantile(review, 0.99),
    idleMb,
    usedMb,
    restMb,
    mostMb,
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

/** The milliseconds of each answer, one after the other; the first tenth is warming up. */
async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < count * 1.1; i += 1) {
    const began = performance.now()
    await work()
    all.push(performance.now() - began)
  }
  return all.slice(-count)
}

async function ask(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(origin + path, { headers: { ...headers, ...fromElsewhere() } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
}

/** How many bytes of brotli an answer is. */
async function bytesOf(url: string): Promise<number> {
  const { request } = await import('node:http')
  const bytes = await new Promise<Buffer>((done, fail) => {
    request(url, { headers: { 'accept-encoding': 'br', ...fromElsewhere() } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => done(Buffer.concat(parts)))
    })
      .on('error', fail)
      .end()
  })
  brotliDecompressSync(bytes)
  return bytes.length
}

/** What the process holds, or has held at the most: megabytes. */
function memoryMb(pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
}

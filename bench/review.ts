// Administrators' lists with many submissions: response time at 20 concurrent requests, against a bare `pg` query of 50
// rows from an index. Runs the sources; needs no built site.
// SUBMISSIONS=50000 SECONDS=10 npm run bench -- review

import pg from 'pg'
import { searchSubmissions } from '#contracts/review.ts'
import { addBenchAdmin, fillSubmissions, fromElsewhere, signIn } from './lib/administration.ts'
import { aims } from './lib/aims.ts'
import { startDatabase } from './lib/database.ts'
import { load } from './lib/load.ts'
import { median, quantile } from './lib/numbers.ts'
import { startSite } from './lib/site.ts'
import { table } from './lib/table.ts'

const SUBMISSIONS = Number(process.env['SUBMISSIONS'] ?? 50_000)
const SECONDS = Number(process.env['SECONDS'] ?? 8)
const AT_ONCE = 20

const database = await startDatabase()
const { db, pool, url } = database
await fillSubmissions(pool, SUBMISSIONS)
await addBenchAdmin(db)

const site = await startSite(
  {
    DATABASE_URL: url,
    STARTER_DATA: 'off',
    PRICES: 'off',
    LIGHTNING_WALLET: 'off',
    // Each request has its own address, to avoid limits by address.
    TRUST_PROXY: 'on',
    LOG_LEVEL: 'error',
  },
  'src/server/main.ts',
)
const cookie = await signIn(site.origin)

/** Sends requests continuously, 20 at once: the milliseconds of each reply. */
async function crowd(ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + SECONDS * 1_000
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now()
      await ask()
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return times
}

const bare = new pg.Pool({ connectionString: url, max: 8 })
const PAGE = `select * from submissions where asset = 'btc' and status = 'pending'
  order by created_at desc, id desc limit 50`
await crowd(() => bare.query(PAGE))
const base = await crowd(() => bare.query(PAGE))
await bare.end()

function loadPaths(paths: readonly string[]): ReturnType<typeof load> {
  return load({
    url: site.origin,
    connections: AT_ONCE,
    duration: SECONDS,
    requests: paths.map((path) => ({
      path: path.startsWith('/') ? path : `/api/v1/admin/submissions?${path}`,
      setupRequest: (request) => {
        return { ...request, headers: { cookie, ...fromElsewhere() } }
      },
    })),
  })
}

/** Cursors of the pages after the first one. */
async function placesOf(query: string, count: number): Promise<string[]> {
  const found: string[] = []
  for (let page = query; found.length < count;) {
    const answer = await fetch(`${site.origin}/api/v1/admin/submissions?${page}`, {
      headers: { cookie },
    })
    const { next } = searchSubmissions.reply.parse(await answer.json())
    if (next === null) throw new Error(`The list ends after ${found.length + 1} pages.`)
    page = `${query}&after=${encodeURIComponent(next)}`
    found.push(page)
  }
  return found
}

const middle = (
  await pool.query<{ id: string; at: string; name: string }>(
    `select id, expert_name as name, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
       from submissions where asset = 'btc' order by created_at offset $1 limit 1`,
    [Math.floor(SUBMISSIONS * 0.45)],
  )
).rows[0]
if (!middle) throw new Error('There are no submissions.')

const FIRST_PAGES = ['pending', 'approved', 'rejected', 'all'].map((status) => `status=${status}`)
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'first pages, each status': FIRST_PAGES,
  'pending ones, with flags': [
    'status=pending&dir=asc&size=50&flags=yes',
    'status=pending&dir=asc&size=50&flags=yes&asset=mstr',
  ],
  'every order, both directions': ['submitted', 'target', 'expert', 'paid'].flatMap((sort) =>
    ['asc', 'desc'].map((dir) => `status=all&sort=${sort}&dir=${dir}`),
  ),
  'pages 2 to 20': await placesOf('status=pending', 19),
  'searches, as typed': [
    'q=jos',
    'q=jose',
    'q=jose%20do',
    'q=user12',
    'q=%2460123',
    'q=60%2C1',
    'q=max%20brown',
    'q=reader45',
    'q=halving%2012',
  ],
  'the most common word': ['q=bitcoin&status=all', 'q=b&status=pending'],
  'the plain list, its newest 250': [
    '/api/admin/prediction_submissions?status=pending',
    '/api/admin/prediction_submissions?status=approved&asset=btc',
  ],
  'from the middle of the list': [
    `status=all&after=${middle.id},${middle.at}`,
    `status=all&sort=expert&dir=asc&after=${middle.id},${encodeURIComponent(middle.name)}`,
    `status=all&before=${middle.id},${middle.at}`,
  ],
}
await loadPaths(FIRST_PAGES)
const rows = [['what', 'median ms', 'p99 ms', 'a second', 'p99 / bare']]
const basis = quantile(base, 0.99)
const row = (what: string, times: readonly number[], rps: number): string[] => {
  const p99 = quantile(times, 0.99)
  return [what, median(times).toFixed(1), p99.toFixed(1), rps.toFixed(0), (p99 / basis).toFixed(2)]
}
rows.push(row('bare query by pg, 50 rows off an index', base, base.length / SECONDS))
const worst = { name: '', ratio: 0, p99: 0 }
for (const [name, paths] of Object.entries(KINDS)) {
  const { times, rps } = await loadPaths(paths)
  const ratio = median(times) / median(base)
  if (ratio > worst.ratio) Object.assign(worst, { name, ratio })
  worst.p99 = Math.max(worst.p99, quantile(times, 0.99))
  rows.push(row(name, times, rps))
}
table(`A page of ${SUBMISSIONS} submissions, ${AT_ONCE} requests at once`, rows)

await site.stop()
await database.stop()
aims([
  ['the slowest p99, ms', worst.p99, 'at most', 100],
  [`the slowest kind (${worst.name}), median against the bare query`, worst.ratio, 'at most', 25],
])

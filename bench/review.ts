// The lists of administrators with many submissions: the time of an answer at 20 requests at once, against 50 rows read
// by a bare query of `pg` off an index, in one run. Runs the sources; needs no built site.
// SUBMISSIONS=50000 SECONDS=10 npm run bench:review
import pg from 'pg'
import { searchSubmissions } from '#contracts/review.ts'
import { addAdmin } from '#server/admins/admins.store.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { aims } from './lib/aims.ts'
import { startDatabase } from './lib/database.ts'
import { load } from './lib/load.ts'
import { median, quantile } from './lib/numbers.ts'
import { startSite } from './lib/site.ts'
import { table } from './lib/table.ts'

const SUBMISSIONS = Number(process.env['SUBMISSIONS'] ?? 50_000)
const SECONDS = Number(process.env['SECONDS'] ?? 8)
const AT_ONCE = 20
const PASSWORD = 'a password of this bench'

const database = await startDatabase()
const { db, pool, url } = database
await pool.query(
  `insert into submissions (id, origin, status, asset, expert_name, twitter_handle, prediction_type, price_prediction,
     price_target, target_time, prediction_made, source_addresses, notes, submitter_email, created_at, paid_sats)
   select gen_random_uuid(), 'admin', (array['pending', 'pending', 'approved', 'rejected'])[1 + i % 4],
     case when i % 20 = 0 then 'mstr' else 'btc' end,
     (array['José', 'Tom', 'Jane', 'Ann', 'Élodie', 'Max', 'Kim', 'Lee'])[1 + i % 8] || ' '
       || (array['Doe', 'Smith', 'Müller', 'Lee', 'Young', 'Garcia', 'Brown'])[1 + i % 7] || ' ' || i % 500,
     '@user' || i % 500, 'target', '$' || 50000 + i, 50000 + i, date '2027-01-01' + i % 900,
     date '2026-01-01' + i % 300, 'https://x.com/user' || i % 500 || '/status/' || 1000000000 + i,
     repeat('Bitcoin will surely rise because of halving ' || i || ' and demand. ', 4),
     case when i % 5 = 0 then 'reader' || i || '@example.org' end,
     timestamptz '2026-01-01' + i * interval '7 minutes', (i * 37) % 5000
   from generate_series(1, $1::int) i`,
  [SUBMISSIONS],
)
await pool.query(
  `insert into sources (submission_id, position, kind, url) select id, 0, 'report', source_addresses from submissions`,
)
await pool.query('vacuum analyze submissions, sources')
const passwordHash = await passwordHasher().hash(PASSWORD)
await addAdmin(db, {
  username: 'bench',
  role: 'administrator',
  passwordHash,
  fromEnvironment: false,
  createdAt: new Date().toISOString(),
})

const site = await startSite(
  {
    DATABASE_URL: url,
    STARTER_DATA: 'off',
    PRICES: 'off',
    LIGHTNING_WALLET: 'off',
    // Each request comes from an address of its own: limits by address are not what is measured.
    TRUST_PROXY: 'on',
    LOG_LEVEL: 'error',
  },
  'src/server/main.ts',
)
const login = await fetch(`${site.origin}/api/admin/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'bench', password: PASSWORD }),
})
if (login.status !== 200) throw new Error(`no session: ${await login.text()}`)
const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Asks without a pause, 20 at once: the milliseconds of each answer. */
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

let address = 0
function loadPaths(paths: readonly string[]): ReturnType<typeof load> {
  return load({
    url: site.origin,
    connections: AT_ONCE,
    duration: SECONDS,
    requests: paths.map((path) => ({
      path: path.startsWith('/') ? path : `/api/v1/admin/submissions?${path}`,
      setupRequest: (request) => {
        address += 1
        const from = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
        return { ...request, headers: { cookie, 'x-forwarded-for': from } }
      },
    })),
  })
}

/** The pages after the first one, each asked for by where the one before it ends. */
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
  'what waits, with its flags': [
    'status=pending&dir=asc&size=50&flags=yes',
    'status=pending&dir=asc&size=50&flags=yes&asset=mstr',
  ],
  'every order, both ways': ['submitted', 'target', 'expert', 'paid'].flatMap((sort) =>
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
  'the commonest word': ['q=bitcoin&status=all', 'q=b&status=pending'],
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

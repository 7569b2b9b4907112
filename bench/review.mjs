// The lists of administrators with many submissions: the time of an answer at 20 requests at once, against 50 rows read
// by a bare query of `pg` off an index, in one run. Runs the sources; needs no built site.
// SUBMISSIONS=50000 SECONDS=10 npm run bench:review
import autocannon from 'autocannon'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { passwordHasher } from '#server/kit/passwords.ts'
import { addAdmin } from '#server/admins/admins.store.ts'
import { openStore } from '#server/database/open.ts'
import { startThrowAway } from '#server/database/embedded/throw-away-postgres.ts'
import { SERVER_ENV, SERVER_FLAGS } from '../bin/lib/run.mjs'
import { aims } from './lib/aims.mjs'
import { withUs } from './lib/limit.mjs'
import { freePort, untilOpen } from './lib/site.mjs'
import { table } from './lib/table.mjs'

const SUBMISSIONS = Number(process.env.SUBMISSIONS ?? 50_000)
const SECONDS = Number(process.env.SECONDS ?? 8)
const AT_ONCE = 20
const PASSWORD = 'a password of this bench'

const root = join(import.meta.dirname, '..')
const postgres = await startThrowAway()
const url = postgres.connectionString('postgres')
const silent = { info() {}, warn() {}, error() {} }
const store = await openStore({
  databaseUrl: url,
  dataDir: '',
  migrationsFolder: join(root, 'migrations'),
  log: silent,
  join: false,
})
const { db, pool } = store.database
await pool.query(
  `insert into submissions (id, origin, status, asset, expert_name, twitter_handle, prediction_type, price_prediction,
     price_target, target_time, prediction_made, source_url, notes, submitter_email, created_at, paid_sats)
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
await pool.query('vacuum analyze submissions')
const passwordHash = await passwordHasher().hash(PASSWORD)
await addAdmin(db, {
  username: 'bench',
  role: 'administrator',
  passwordHash,
  fromEnvironment: false,
  createdAt: new Date().toISOString(),
})

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const site = withUs(
  spawn(process.execPath, [...SERVER_FLAGS, join(root, 'src', 'server', 'main.ts')], {
    cwd: root,
    env: {
      ...SERVER_ENV,
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: url,
      STARTER_DATA: 'off',
      PRICES: 'off',
      LIGHTNING_WALLET: 'off',
      // Each request comes from an address of its own: limits by address are not what is measured.
      TRUST_PROXY: 'on',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  }),
)
await untilOpen(`${origin}/readyz`)
const login = await fetch(`${origin}/api/admin/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'bench', password: PASSWORD }),
})
if (login.status !== 200) throw new Error(`no session: ${await login.text()}`)
const cookie = login.headers.get('set-cookie').split(';')[0]

const p = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]

/** Asks without a pause, 20 at once. @returns the milliseconds of each answer */
async function crowd(ask) {
  const times = []
  const end = performance.now() + SECONDS * 1_000
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      for (let i = n; performance.now() < end; i += AT_ONCE) {
        const began = performance.now()
        await ask(i)
        times.push(performance.now() - began)
      }
    }),
  )
  return times
}

const bare = new pg.Pool({ connectionString: url, max: 8 })
const PAGE = `select * from submissions where asset = 'btc' and status = 'pending'
  order by created_at desc, id desc limit 50`
await crowd(() => bare.query(PAGE))
const base = await crowd(() => bare.query(PAGE))
await bare.end()

let address = 0
async function load(queries) {
  const times = []
  const run = autocannon({
    url: origin,
    connections: AT_ONCE,
    duration: SECONDS,
    requests: queries.map((query) => ({
      path: query.startsWith('/') ? query : `/api/v1/admin/submissions?${query}`,
      setupRequest: (request) => {
        address += 1
        const from = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
        return { ...request, headers: { cookie, 'x-forwarded-for': from } }
      },
    })),
  })
  run.on('response', (_client, _status, _bytes, ms) => times.push(ms))
  const result = await run
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} not 200`)
  return { times, rps: result.requests.average }
}

const KINDS = {
  'first pages, each status': [
    'status=pending',
    'status=approved',
    'status=rejected',
    'status=all',
  ],
  'every order, both ways': ['submitted', 'target', 'expert', 'paid'].flatMap((sort) =>
    ['asc', 'desc'].map((dir) => `status=all&sort=${sort}&dir=${dir}`),
  ),
  'pages 2 to 20': Array.from({ length: 19 }, (_, i) => `status=pending&page=${i + 2}`),
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
  'the very last page': ['status=all&page=900', 'status=all&page=900&sort=expert&dir=asc'],
}
await load(KINDS['first pages, each status'])
const rows = [['what', 'median ms', 'p99 ms', 'a second', 'p99 / bare']]
const basis = p(base, 0.99)
rows.push([
  'bare query by pg, 50 rows off an index',
  p(base, 0.5).toFixed(1),
  basis.toFixed(1),
  (base.length / SECONDS).toFixed(0),
  '1',
])
const worst = { name: '', ratio: 0 }
for (const [name, queries] of Object.entries(KINDS)) {
  const { times, rps } = await load(queries)
  const ratio = p(times, 0.5) / p(base, 0.5)
  if (ratio > worst.ratio) Object.assign(worst, { name, ratio })
  rows.push([
    name,
    p(times, 0.5).toFixed(1),
    p(times, 0.99).toFixed(1),
    rps.toFixed(0),
    (p(times, 0.99) / basis).toFixed(2),
  ])
}
table(`A page of ${SUBMISSIONS} submissions, ${AT_ONCE} requests at once`, rows)

const ended = new Promise((done) => site.once('exit', done))
site.kill('SIGTERM')
await ended
await store.close()
await postgres.stop()
aims([
  [`the slowest kind (${worst.name}), median against the bare query`, worst.ratio, 'at most', 25],
])

// Over 400 lines: serving, live streams and kills, measured against one cluster that stays up.
// The drill: the whole cluster of deploy/ on this machine, under load, while its parts are killed one after the other.
//
//   npm run bench -- cluster          takes about eight minutes; needs Debian's packages postgresql, pgbouncer and nginx
//   ONLY=serve,lines,kills            parts of it
//   LINES=20000 HOLD_SECONDS=60       live lines held over two web processes
//   AWAY_SECONDS=60 SEED=1            how long the origin is away, and at which moments the kills come
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onlyTicker, startTicker, type Ticker } from '#tests/support/stand-ins/tickers.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { aims, type Measured } from './lib/aims.ts'
import { startCluster, type Cluster, type PartName } from './lib/cluster.ts'
import { browserLines, pageReaders, submitters } from './lib/cluster-visitors.ts'
import { crowd } from './lib/crowd.ts'
import { waitFor, within, withUs } from './lib/limit.ts'
import { median } from './lib/numbers.ts'
// As a whole: an import of single types would start the program.
import type { LoadAnswer, LoadOrder } from './lib/raw-load.ts'
import { residentMb, SETTLED_AFTER_MS } from './lib/site.ts'
import { table } from './lib/table.ts'

const ONLY = (process.env['ONLY'] ?? 'serve,lines,kills').split(',')
const LINES = Number(process.env['LINES'] ?? 20_000)
const HOLD_SECONDS = Number(process.env['HOLD_SECONDS'] ?? 60)
const AWAY_SECONDS = Number(process.env['AWAY_SECONDS'] ?? 60)
const SEED = Number(process.env['SEED'] ?? 1)
const ROUNDS = 11
const LOAD_SECONDS = 4
const SERVE_ROUNDS = 3
/** Longer than the least gap between two messages of the site. */
const GAP_MS = 700
/** The reconnecting of pages: five seconds and up to two and a half more (keep-connection.ts), and until the site is there again. */
const BACK_WITHIN_MS = 10_000

const met: Measured[] = []
const root = join(import.meta.dirname, '..')
const lines = readFileSync(join(root, 'data', 'starter', 'btc-daily-close.csv'), 'utf8')
const lastClose = Math.round(Number(lines.trim().split(',').at(-1)))

let random = SEED
/** A moment of this run, between two numbers of milliseconds. */
function someMs(from: number, to: number): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
  return from + (random / 2_147_483_648) * (to - from)
}

/** What the web processes have answered so far. */
async function answered(cluster: Cluster): Promise<number> {
  let sum = 0
  for (const name of ['web1', 'web2'] as const) {
    const answer = await fetch(`http://127.0.0.1:${cluster.parts[name].port}/metrics`, {
      headers: { authorization: `Bearer ${cluster.metricsToken}` },
    })
    const text = await answer.text()
    const counts = text.matchAll(
      /^proof_of_price_http_seconds_count\{route="([^"]*)"[^}]*\} (\d+)/gm,
    )
    for (const [, route, count] of counts)
      if (route !== '/metrics' && route !== '/readyz') sum += Number(count)
  }
  return sum
}

/** Answers a second of one address. */
async function rate(port: number, path: string, connections = 200): Promise<number> {
  const child = withUs(fork(join(root, 'bench', 'lib', 'raw-load.ts')))
  const order: LoadOrder = { port, path, connections, seconds: LOAD_SECONDS }
  child.send(order)
  const answer = await within(
    `the load on ${path} to end`,
    new Promise<LoadAnswer>((done) => {
      child.once('message', (found: LoadAnswer) => done(found))
    }),
  )
  child.kill()
  if (answer.wrong > 0) throw new Error(`${path}: ${answer.wrong} answers were wrong`)
  return answer.answers / answer.seconds
}

async function serve(cluster: Cluster): Promise<void> {
  // The first thousands of answers of a process are slower.
  for (const name of ['web1', 'web2'] as const) await rate(cluster.parts[name].port, '/btc')
  const one = await rate(cluster.parts.web1.port, '/btc')
  const both = await Promise.all([
    rate(cluster.parts.web1.port, '/btc', 100),
    rate(cluster.parts.web2.port, '/btc', 100),
  ])
  const two = both.reduce((sum, rps) => sum + rps, 0)
  table(`One web process and two, on ${cpus().length} cores with the load on them`, [
    ['what', 'answers a second', 'ratio'],
    ['one', one.toFixed(0), '1'],
    ['two', two.toFixed(0), (two / one).toFixed(2)],
  ])
  if (cpus().length >= 4) met.push(['two web processes against one', two / one, 'at least', 1.7])
  else
    console.log(
      '  Fewer than four cores: the load and one process fill two, so a second one has no room.',
    )

  const rows = [['page', 'origin/s', 'cache/s', 'ratio', 'asked of the origin, a second']]
  for (const path of ['/btc', '/api/predictions']) {
    // One after the other, several times: other programs of the machine disturb both alike.
    const rates: Record<'origin' | 'cached' | 'asked', number[]> = {
      origin: [],
      cached: [],
      asked: [],
    }
    for (let i = 0; i < SERVE_ROUNDS; i += 1) {
      rates.origin.push(await rate(cluster.parts.web1.port, path))
      // A page that is read all the time: one that has rested is asked for by each who comes in the same moment.
      await (await fetch(cluster.front + path, { headers: { 'accept-encoding': 'br' } })).text()
      const before = await answered(cluster)
      const began = performance.now()
      rates.cached.push(await rate(cluster.parts.cache.port, path))
      const seconds = (performance.now() - began) / 1_000
      rates.asked.push(((await answered(cluster)) - before) / seconds)
    }
    const [origin, cached] = [median(rates.origin), median(rates.cached)]
    const asked = Math.max(...rates.asked)
    rows.push([
      path,
      origin.toFixed(0),
      cached.toFixed(0),
      (cached / origin).toFixed(1),
      asked.toFixed(2),
    ])
    met.push(
      [`the cache against the origin, ${path}`, cached / origin, 'at least', 5],
      [`questions to the origin a second, ${path}`, asked, 'at most', 1],
    )
  }
  table('The cache in front', rows)
  const before = await answered(cluster)
  for (const packed of [
    'br',
    'gzip, br',
    'gzip, deflate, br',
    'gzip, deflate, br, zstd',
    'br;q=1.0',
  ])
    await (await fetch(`${cluster.front}/about`, { headers: { 'accept-encoding': packed } })).text()
  met.push([
    'requests to the origin for five spellings, of brotli with gzip and without',
    (await answered(cluster)) - before,
    'at most',
    2,
  ])
  const refusing = await fetch(`${cluster.front}/about`, {
    headers: { 'accept-encoding': 'gzip, br;q=0' },
  })
  const isRefused = refusing.headers.get('content-encoding') === 'br'
  met.push(['answers in an encoding that was refused', isRefused ? 1 : 0, 'at most', 0])
}

async function liveLines(cluster: Cluster, ticker: Ticker): Promise<void> {
  const webs = ['web1', 'web2'] as const
  const memory = (): number =>
    webs.reduce((sum, name) => sum + residentMb(cluster.parts[name].pid()), 0)
  const bare = await Promise.all(
    webs.map(async () => {
      const child = withUs(fork(join(root, 'bench', 'lib', 'bare-broadcast.ts'), [ticker.url]))
      const port = await within(
        'a bare loop to open',
        new Promise<number>((done) => {
          child.once('message', ({ port: found }: { port: number }) => done(found))
        }),
      )
      return { child, port }
    }),
  )
  const each = Math.ceil(LINES / 2)
  const ours = webs.map(() => crowd())
  const theirs = webs.map(() => crowd())
  await pause(SETTLED_AFTER_MS)
  const atRest = memory()
  await Promise.all(
    ours.map((one, i) => one.join(cluster.parts[webs[i] ?? 'web1'].port, '/api/v1/live', each)),
  )
  await pause(3_000)
  const full = memory()
  let usd = lastClose
  const began = performance.now()
  const held: number[] = []
  while (performance.now() - began < HOLD_SECONDS * 1_000) {
    await pause(GAP_MS)
    held.push(await round(ours, ticker, (usd += 1)))
  }
  const lost = (await Promise.all(ours.map((one) => one.lost()))).reduce((sum, n) => sum + n, 0)
  await Promise.all(theirs.map((one, i) => one.join(bare[i]?.port ?? 0, '/', each)))
  const times: Record<'site' | 'bare', number[]> = { site: [], bare: [] }
  for (let i = 0; i < ROUNDS; i += 1) {
    for (const [name, who] of [
      ['site', ours],
      ['bare', theirs],
    ] as const) {
      await pause(GAP_MS)
      times[name].push(await round(who, ticker, (usd += 1)))
    }
  }
  const [site, loop] = [median(times.site), median(times.bare)]
  const perLine = ((full - atRest) * 1_024) / (2 * each)
  table(`${2 * each} live lines over two web processes, held for ${HOLD_SECONDS} s`, [
    ['what', 'value'],
    ['lost', String(lost)],
    ['prices that reached every line meanwhile', String(held.length)],
    ['a price at the last line, the other lines away, ms', median(held).toFixed(0)],
    ['the same beside two bare loops with as many, ms', site.toFixed(0)],
    ['the bare loops, ms', loop.toFixed(0)],
    ['memory of one line, KB', perLine.toFixed(1)],
    ['memory of both web processes, MB', full.toFixed(0)],
  ])
  met.push(
    [`lines lost of ${2 * each}`, lost, 'at most', 0],
    ['a price at the last line, against bare loops', site / loop, 'at most', 1.2],
    ['memory of one line, KB', perLine, 'at most', 12],
  )
  for (const one of [...ours, ...theirs]) one.stop()
  for (const { child } of bare) child.kill()
}

/** The milliseconds from the venue's price to the last line of all crowds. */
async function round(
  crowds: readonly ReturnType<typeof crowd>[],
  ticker: Ticker,
  usd: number,
): Promise<number> {
  const dones = await Promise.all(crowds.map((one) => one.expect(`"price":${usd},`)))
  const began = performance.timeOrigin + performance.now()
  ticker.price(usd)
  return Math.max(...(await Promise.all(dones.map(({ last }) => last)))) - began
}

const LEADER = `select pid from pg_locks where locktype = 'advisory' and granted
  and objid::int8 = (hashtext('proof-of-price leader')::int8 & 4294967295)`

async function leaderBackend({ database }: Cluster): Promise<number | null> {
  return (await database.query<{ pid: number }>(LEADER).catch(() => null))?.rows[0]?.pid ?? null
}

/** Of the worker that leads. */
async function leaderPart(cluster: Cluster): Promise<'worker1' | 'worker2'> {
  return waitFor('a worker to lead', async () => {
    const { rows } = await cluster.database.query<{ name: string }>(
      `select application_name as name from pg_stat_activity where pid in (${LEADER})`,
    )
    return (['worker1', 'worker2'] as const).find(
      (name) => rows[0]?.name === `proof-of-price leader ${String(cluster.parts[name].pid())}`,
    )
  })
}

/** What must neither get lost nor change by a kill. */
async function verdictsNow({ database }: Cluster): Promise<string> {
  const { rows } = await database.query<{ text: string }>(
    `select count(*) || ' ' || md5(coalesce(string_agg(v::text, ',' order by v::text), '')) as text from verdicts v`,
  )
  return rows[0]?.text ?? ''
}

async function kills(cluster: Cluster, ticker: Ticker): Promise<void> {
  const wallet = WALLET
  const { parts } = cluster
  const before = await verdictsNow(cluster)
  const readers = pageReaders(cluster.front)
  const open = await browserLines(cluster.front, 300)
  const buyers = submitters(cluster.front, wallet.ledger)
  let usd = lastClose
  const prices = setInterval(() => ticker.price((usd += 1)), 1_000)
  await pause(3_000)

  const rows = [
    [
      'killed',
      'pages read',
      'not served',
      'lines lost',
      'all back, s',
      'most in half a second',
      'leader replaced, ms',
    ],
  ]
  async function drill(name: string, fault: () => Promise<number | null>): Promise<void> {
    await pause(someMs(500, 2_500))
    const reading = readers.phase()
    const losing = open.phase()
    const took = await fault()
    await waitFor(`every line to be back after ${name}`, () => open.count() === 300, {
      limitMs: 30_000,
    })
    await pause(1_000)
    const { read, failed } = reading()
    const { lost, backMs, most } = losing()
    rows.push([
      name,
      String(read),
      String(failed),
      String(lost),
      lost === 0 ? '-' : (backMs / 1_000).toFixed(1),
      lost === 0 ? '-' : `${most} of ${lost}`,
      took === null ? '-' : took.toFixed(0),
    ])
    met.push([`pages not served: ${name}`, failed, 'at most', 0])
    if (lost > 0) {
      met.push(
        [`lines back, ms: ${name}`, backMs, 'at most', BACK_WITHIN_MS],
        [`share of the lines that come in one half second: ${name}`, most / lost, 'at most', 0.35],
      )
    }
    if (took !== null) met.push([`leader replaced, ms: ${name}`, took, 'at most', 1_000])
  }
  const again = (name: PartName, afterMs: number) => async () => {
    await parts[name].kill()
    await pause(afterMs)
    await parts[name].start()
    return null
  }

  await drill('the leader', async () => {
    const leads = await leaderPart(cluster)
    const old = await leaderBackend(cluster)
    const killed = performance.now()
    const dead = parts[leads].kill()
    await waitFor(
      'another leader',
      async () => {
        const now = await leaderBackend(cluster)
        return now !== null && now !== old
      },
      { everyMs: 10 },
    )
    const took = performance.now() - killed
    await dead
    await parts[leads].start()
    return took
  })
  await drill('a web process', again('web1', 4_000))
  await drill('the pooler', again('pooler', 3_000))
  await drill('the replica', again('replica', 3_000))
  await drill('the primary', again('primary', 2_000))
  await drill(`the origin for ${AWAY_SECONDS} s`, async () => {
    const all = ['web1', 'web2', 'worker1', 'worker2'] as const
    await Promise.all(all.map((name) => parts[name].kill()))
    await pause(AWAY_SECONDS * 1_000)
    const webs = [parts.web1.start(), parts.web2.start()]
    await Promise.race(webs)
    // Until now nobody could have taken a line back.
    open.forgive()
    await Promise.all(webs)
    await Promise.all([parts.worker1.start(), parts.worker2.start()])
    return null
  })
  clearInterval(prices)
  readers.stop()
  open.stop()
  table('Killed with SIGKILL, under load', rows)

  const bought = await buyers.stop()
  const found = await waitFor(
    'every payment to be noticed',
    async () => {
      const { rows: paid } = await cluster.database.query<{
        hash: string
        status: string
        submission: string
      }>(
        'select payment_hash as hash, status, submission_id as submission from payments where payment_hash = any($1)',
        [[...bought.paid]],
      )
      return paid.filter(({ status }) => status === 'paid').length >= bought.paid.size ? paid : null
    },
    { limitMs: 120_000, everyMs: 1_000 },
  )
  const { rows: doubled } = await cluster.database.query(
    'select submission_id from payments where status = $1 group by 1 having count(*) > 1',
    ['paid'],
  )
  const after = await verdictsNow(cluster)
  table('What visitors were told, and what is on record', [
    ['what', 'count'],
    ['invoices paid', String(bought.paid.size)],
    ['of those found paid, each once', String(new Set(found.map(({ hash }) => hash)).size)],
    ['submissions of those', String(new Set(found.map(({ submission }) => submission)).size)],
    ['tries to submit that had to be made again', String(bought.again)],
    ['verdicts unchanged', before === after ? 'yes' : 'NO'],
  ])
  met.push(
    ['payments lost', bought.paid.size - new Set(found.map(({ hash }) => hash)).size, 'at most', 0],
    [
      'submissions doubled or lost',
      doubled.length +
        Math.abs(bought.paid.size - new Set(found.map(({ submission }) => submission)).size),
      'at most',
      0,
    ],
    ['verdicts changed by a kill', before === after ? 0 : 1, 'at most', 0],
  )
}

const WALLET = await walletServer('lnbits')
const ticker = await startTicker('kraken', lastClose)
const cluster = await startCluster({
  ...onlyTicker(ticker),
  LIGHTNING_WALLET: 'lnbits',
  LIGHTNING_URL: WALLET.url.origin,
  LIGHTNING_KEY: KEY,
  SOURCE_CHECKS: 'off',
})
console.log(`The cluster runs: ${Object.keys(cluster.parts).join(', ')}.`)
await leaderPart(cluster)
if (ONLY.includes('serve')) await serve(cluster)
if (ONLY.includes('lines')) await liveLines(cluster, ticker)
if (ONLY.includes('kills')) await kills(cluster, ticker)
await cluster.stop()
await ticker[Symbol.asyncDispose]()
await WALLET[Symbol.asyncDispose]()
aims(met)
process.exit(0)

// Failure drill: runs the whole cluster of deploy/ on this machine under load and kills its parts one after the other.
//
//   npm run bench -- cluster          takes about four minutes; needs Debian's packages postgresql, pgbouncer and nginx
//   AWAY_SECONDS=60 SEED=1            downtime of the origin, and the seed for the times of the kills

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onlyTicker, startTicker, type Ticker } from '#tests/support/stand-ins/tickers.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { aims, type Measured } from './lib/aims.ts'
import { browserStreams, pageReaders, submitters } from './lib/cluster-visitors.ts'
import { startCluster, type Cluster, type PartName } from './lib/cluster.ts'
import { waitFor } from './lib/limit.ts'
import { table } from './lib/table.ts'

const AWAY_SECONDS = Number(process.env['AWAY_SECONDS'] ?? 60)
const SEED = Number(process.env['SEED'] ?? 1)
/** Pages reconnect after 5 to 7.5 seconds (http/event-streams.ts), and once the site is back. */
const BACK_WITHIN_MS = 10_000

const met: Measured[] = []
const root = join(import.meta.dirname, '..')
const lines = readFileSync(join(root, 'data', 'starter', 'btc-daily-close.csv'), 'utf8')
const lastClose = Math.round(Number(lines.trim().split(',').at(-1)))

let random = SEED
/** A random delay between two bounds in milliseconds. */
function someMs(from: number, to: number): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
  return from + (random / 2_147_483_648) * (to - from)
}

const LEADER = `select pid from pg_locks where locktype = 'advisory' and granted
  and objid::int8 = (hashtext('proof-of-price leader')::int8 & 4294967295)`

async function leaderBackend({ database }: Cluster): Promise<number | null> {
  return (await database.query<{ pid: number }>(LEADER).catch(() => null))?.rows[0]?.pid ?? null
}

/** The worker that is the leader. */
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

/** The verdicts, which no kill may lose or change. */
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
  const open = await browserStreams(cluster.front, 300)
  const buyers = submitters(cluster.front, wallet.ledger)
  let usd = lastClose
  const prices = setInterval(() => ticker.price((usd += 1)), 1_000)
  await pause(3_000)

  const rows = [
    [
      'killed',
      'pages read',
      'not served',
      'streams lost',
      'all back, s',
      'peak in half a second',
      'leader replaced, ms',
    ],
  ]
  async function drill(name: string, fault: () => Promise<number | null>): Promise<void> {
    await pause(someMs(500, 2_500))
    const reading = readers.phase()
    const losing = open.phase()
    const took = await fault()
    await waitFor(`every stream to be back after ${name}`, () => open.count() === 300, {
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
        [`streams back, ms: ${name}`, backMs, 'at most', BACK_WITHIN_MS],
        [
          `share of the streams that reconnect within one half second: ${name}`,
          most / lost,
          'at most',
          0.35,
        ],
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
    // Until now there was nothing to reconnect to.
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
    ['submissions that had to be retried', String(bought.again)],
    ['verdicts unchanged', before === after ? 'yes' : 'NO'],
  ])
  met.push(
    ['payments lost', bought.paid.size - new Set(found.map(({ hash }) => hash)).size, 'at most', 0],
    [
      'duplicate or lost submissions',
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
await kills(cluster, ticker)
await cluster.stop()
await ticker[Symbol.asyncDispose]()
await WALLET[Symbol.asyncDispose]()
aims(met)
process.exit(0)

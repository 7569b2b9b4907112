// Live prices on this machine: a broadcast to many clients against a bare loop, memory per client, many idle clients, and
// the delay from a bar to a changed verdict on an open page. Needs a built site.
// CLIENTS=5000 HELD=10000 HOLD_SECONDS=30 PENDING=10000 npm run bench -- live
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PredictionList } from '#contracts/predictions.ts'
import { status } from '#contracts/prices.ts'
import { importService } from '#server/predictions/imports.service.ts'
import { quiet } from '#tests/support/builders.ts'
import { startExchanges } from '#tests/support/stand-ins/exchanges.ts'
import { onlyTicker, startTicker, type Ticker } from '#tests/support/stand-ins/tickers.ts'
import { aims, type Measured } from './lib/aims.ts'
import { crowd } from './lib/crowd.ts'
import { startDatabase } from './lib/database.ts'
import { waitFor, within, withUs } from './lib/limit.ts'
import { median } from './lib/numbers.ts'
import { residentMb, SETTLED_AFTER_MS, startSite } from './lib/site.ts'
import { table } from './lib/table.ts'

const CLIENTS = Number(process.env['CLIENTS'] ?? 5_000)
const HELD = Number(process.env['HELD'] ?? 10_000)
const HOLD_SECONDS = Number(process.env['HOLD_SECONDS'] ?? 30)
const PENDING = Number(process.env['PENDING'] ?? 10_000)
const ROUNDS = Number(process.env['ROUNDS'] ?? 15)
/** Longer than the minimum interval between two messages of the site. */
const GAP_MS = 700

const root = join(import.meta.dirname, '..')
const met: Measured[] = []
const clock = () => performance.timeOrigin + performance.now()

/** The site only shows a first price near the last close; one further off waits for a second venue. */
function lastClose(): number {
  const lines = readFileSync(join(root, 'data', 'starter', 'btc-daily-close.csv'), 'utf8')
  return Math.round(Number(lines.trim().split(',').at(-1)))
}

type Crowd = ReturnType<typeof crowd>

/** Milliseconds from the venue's price to the last client. */
async function roundOf(who: Crowd, ticker: Ticker, usd: number): Promise<number> {
  const { last } = await who.expect(`"price":${usd},`)
  const began = clock()
  ticker.price(usd)
  return (await last) - began
}

async function broadcasts(): Promise<void> {
  const first = lastClose()
  const ticker = await startTicker('kraken', first)
  const site = await startSite(onlyTicker(ticker))
  const bare = withUs(fork(join(root, 'bench', 'lib', 'bare-broadcast.ts'), [ticker.url]))
  const barePort = await within(
    'the bare loop to open',
    new Promise<number>((done) => {
      bare.once('message', ({ port }: { port: number }) => done(port))
    }),
  )
  const sitePort = Number(new URL(site.origin).port)
  await waitFor('the site and the bare loop to follow the venue', () => ticker.subscribers() === 2)
  const crowdOfSite = crowd()
  const crowdOfBare = crowd()
  await pause(SETTLED_AFTER_MS)
  const atRest = residentMb(site.pid())

  await crowdOfSite.join(sitePort, '/api/v1/live', CLIENTS)
  await pause(2_000)
  const full = residentMb(site.pid())
  await crowdOfBare.join(barePort, '/', CLIENTS)
  const times: Record<'site' | 'bare', number[]> = { site: [], bare: [] }
  const crowds: readonly [keyof typeof times, Crowd][] = [
    ['site', crowdOfSite],
    ['bare', crowdOfBare],
  ]
  let usd = first
  // In alternation, and sent to both groups, so that both compete for the processor equally.
  for (let i = 0; i < ROUNDS + 3; i += 1) {
    for (const [name, who] of crowds) {
      await pause(GAP_MS)
      const ms = await roundOf(who, ticker, (usd += 1))
      if (i >= 3) times[name].push(ms)
    }
  }
  const [ours, theirs] = [median(times.site), median(times.bare)]
  table(`A price to ${CLIENTS} clients, from the venue's tick, medians of ${ROUNDS}`, [
    ['what', 'last client, ms', 'ratio'],
    ['bare loop', theirs.toFixed(1), '1'],
    ['the site', ours.toFixed(1), (ours / theirs).toFixed(2)],
  ])
  met.push(
    ['a price to all clients, against a bare loop', ours / theirs, 'at most', 1.2],
    ['memory of an idle client, KB', ((full - atRest) * 1024) / CLIENTS, 'at most', 25],
  )
  table('Memory of the site', [
    ['what', 'value'],
    ['at rest, without PostgreSQL', `${atRest.toFixed(0)} MB`],
    [`with ${CLIENTS} idle clients`, `${full.toFixed(0)} MB`],
    ['one idle client', `${(((full - atRest) * 1024) / CLIENTS).toFixed(1)} KB`],
  ])

  await crowdOfBare.leave()
  bare.kill()
  await crowdOfSite.join(sitePort, '/api/v1/live', HELD - CLIENTS)
  const until = clock() + HOLD_SECONDS * 1_000
  const rounds: number[] = []
  while (clock() < until) {
    await pause(GAP_MS)
    rounds.push(await roundOf(crowdOfSite, ticker, (usd += 1)))
  }
  const lost = await crowdOfSite.lost()
  table(`${HELD} clients held for ${HOLD_SECONDS} s`, [
    ['what', 'value'],
    ['still connected', String(HELD - lost)],
    ['lost', String(lost)],
    ['prices that reached every client', `${rounds.length} of ${rounds.length}`],
    ['last client, median', `${median(rounds).toFixed(0)} ms`],
    ['memory of the site', `${residentMb(site.pid()).toFixed(0)} MB`],
  ])
  met.push([`clients lost of ${HELD} held for ${HOLD_SECONDS} s`, lost, 'at most', 0])
  crowdOfSite.stop()
  crowdOfBare.stop()
  await site.stop()
  await ticker[Symbol.asyncDispose]()
}

function isoDaysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

async function verdicts(): Promise<void> {
  const database = await startDatabase()
  const imports = importService({ db: database.db, clock: { now: Date.now } })
  await imports.prices('btc', `date,close\n${isoDaysAgo(5)},100\n`, 'starter')
  const predictions = Array.from({ length: PENDING }, (_, i) => ({
    id: `bench-${i}`,
    expert_name: `Expert ${i % 500}`,
    asset_type: 'btc',
    prediction_type: 'target',
    // One in ten is reached.
    price_target: i % 10 === 0 ? 120 : 150 + i / 100,
    price_min: null,
    price_max: null,
    prediction_made: isoDaysAgo(5),
    target_time: '2030-01-01',
    summary: 'Said so, at some length, as people do when they are sure of something.',
    source_url: 'https://example.org/source',
  }))
  await imports.predictions(JSON.stringify(predictions))

  const exchanges = await startExchanges()
  const ticker = await startTicker('kraken', 100)
  const [from, to] = [isoDaysAgo(8), isoDaysAgo(0)]
  const calm = quiet(from, to)
  for (const name of ['bitstamp', 'kraken']) exchanges.bars.set(name, calm)
  const site = await startSite({
    ...onlyTicker(ticker),
    DATABASE_URL: database.url,
    PRICES_BITSTAMP_URL: exchanges.settings['PRICES_BITSTAMP_URL'] ?? 'off',
    PRICES_KRAKEN_URL: exchanges.settings['PRICES_KRAKEN_URL'] ?? 'off',
  })
  const isSettled = async () => {
    const answer = await fetch(site.origin + status.path)
    const [btc] = status.reply.parse(await answer.json()).assets
    return btc !== undefined && btc.last_bar === btc.expected_bar
  }
  await waitFor('the site to have all daily bars', isSettled, { everyMs: 200 })
  await waitFor('the site to follow the venue', () => ticker.subscribers() > 0)
  await pause(1_000)

  const stream = await fetch(`${site.origin}/api/v1/live`)
  if (!stream.body) throw new Error('The stream has no body.')
  const body = stream.body
  const seen: number[] = []
  const reading = (async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk)).split('\n\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.includes('"hit"')) seen.push(performance.now())
    }
  })().catch(() => {})
  // Today's price rises, and reconnecting to the venue makes the site read the current day.
  const risen = calm.map((one, i) => (i === calm.length - 1 ? { ...one, high: 125 } : one))
  for (const name of ['bitstamp', 'kraken']) exchanges.bars.set(name, risen)
  const calls = exchanges.calls.length
  ticker.dropAll()
  await waitFor('every verdict on the open page', () => seen.length >= PENDING / 10, { everyMs: 5 })
  const read = exchanges.calls.slice(calls).filter((call) => call.at < (seen[0] ?? 0))
  const bar = Math.max(...read.map((call) => call.at))
  const first = (seen[0] ?? Number.NaN) - bar
  const last = (seen.at(-1) ?? Number.NaN) - bar
  const served = await waitFor(
    'the verdict in the list of all predictions',
    async () => {
      const answer = await fetch(`${site.origin}/api/predictions`)
      const list = PredictionList.parse(await answer.json())
      return list.some((row) => row.success_status === 'success') && performance.now() - bar
    },
    { everyMs: 1 },
  )
  table(`From a bar to ${PENDING / 10} changed verdicts among ${PENDING} pending predictions`, [
    ['what', 'ms after the second venue was asked'],
    ['first event on an open page', first.toFixed(0)],
    ['last event on an open page', last.toFixed(0)],
    ['the list of all predictions shows it', served.toFixed(0)],
  ])
  met.push(['from a bar to the last changed verdict on an open page, ms', last, 'at most', 10_000])
  await site.stop()
  await reading
  await ticker[Symbol.asyncDispose]()
  await exchanges[Symbol.asyncDispose]()
  await database.stop()
}

const only = process.argv[2]
if (only !== 'verdicts') await broadcasts()
if (only !== 'broadcasts') await verdicts()
aims(met)

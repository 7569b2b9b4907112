// Requests per second for a page and two lists, against a bare node:http server that sends the same bytes; the time of a
// second start; memory at rest. Needs a built site: run `npm start` once.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Options } from 'autocannon'
import { fromElsewhere } from './lib/administration.ts'
import { aims, type Measured } from './lib/aims.ts'
// Imports the module as a whole: importing single types would start the program.
import type { StoredReply } from './lib/bare-server.ts'
import { withUs } from './lib/limit.ts'
import { load } from './lib/load.ts'
import { median, quantile } from './lib/numbers.ts'
import { freePort, residentMb, startSite, untilOpen } from './lib/site.ts'
import { table } from './lib/table.ts'

const URLS = ['/btc', '/api/prices', '/api/predictions']
const ROUNDS = 5
type Run = Awaited<ReturnType<typeof load>>

const LOAD: Omit<Options, 'url'> = {
  connections: 20,
  duration: 4,
  headers: { 'accept-encoding': 'br' },
  // Pages are rate-limited per visitor.
  requests: [
    { setupRequest: (one) => ({ ...one, headers: { ...one.headers, ...fromElsewhere() } }) },
  ],
}

/** Fetches a reply with its compressed bytes, without connection headers. */
async function keepAnswer(origin: string, url: string): Promise<StoredReply> {
  const response = await new Promise<IncomingMessage>((done, fail) => {
    request(origin + url, { headers: LOAD.headers ?? {} }, done)
      .on('error', fail)
      .end()
  })
  const {
    connection: _c,
    'keep-alive': _k,
    date: _d,
    'transfer-encoding': _t,
    ...headers
  } = response.headers
  return { url, headers, body: (await buffer(response)).toString('base64') }
}

const site = await startSite({ TRUST_PROXY: '127.0.0.1' })
const starts: number[] = []
const resting: number[] = []
for (let i = 0; i < 3; i += 1) {
  starts.push(await site.restart())
  resting.push(residentMb(site.pid()))
}
const atRest = median(resting)

const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-bytes-'))
const files: string[] = []
for (const url of URLS) {
  const file = join(folder, `${files.length}.json`)
  writeFileSync(file, JSON.stringify(await keepAnswer(site.origin, url)))
  files.push(file)
}
const port = await freePort()
const bare = withUs(
  spawn(process.execPath, [
    join(import.meta.dirname, 'lib', 'bare-server.ts'),
    String(port),
    ...files,
  ]),
)
await untilOpen(`http://127.0.0.1:${port}${URLS[0]}`)

const ratios: Measured[] = []
const rows = [['call (brotli)', 'bare rps', 'site rps', 'ratio', 'bare p99 ms', 'site p99 ms']]
for (const url of URLS) {
  const [a, b]: [Run[], Run[]] = [[], []]
  for (let i = 0; i < ROUNDS; i += 1) {
    a.push(await load({ ...LOAD, url: `http://127.0.0.1:${port}${url}` }))
    b.push(await load({ ...LOAD, url: site.origin + url }))
  }
  const rps = (runs: readonly Run[]): number => median(runs.map((run) => run.rps))
  const p99 = (runs: readonly Run[]): string =>
    median(runs.map((run) => quantile(run.times, 0.99))).toFixed(0)
  const ratio = rps(b) / rps(a)
  ratios.push([`${url} against bare node:http`, ratio, 'at least', 0.5])
  rows.push([url, rps(a).toFixed(0), rps(b).toFixed(0), ratio.toFixed(2), p99(a), p99(b)])
}
table(`Cached answers, ${LOAD.connections} connections, medians of ${ROUNDS}`, rows)
table('The process', [
  ['what', 'value'],
  ['second start of the server to the first 200', `${median(starts).toFixed(0)} ms`],
  ['memory at rest without PostgreSQL', `${atRest.toFixed(0)} MB`],
])
bare.kill()
rmSync(folder, { recursive: true, force: true })
await site.stop()
aims([
  ...ratios,
  ['second start, ms', median(starts), 'at most', 1_000],
  ['memory at rest without PostgreSQL, MB', atRest, 'at most', 120],
])

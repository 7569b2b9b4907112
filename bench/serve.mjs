// Requests a second of the hot lists against a bare node:http server that sends the same bytes, in one run; the time of
// a second start; and memory at rest. Needs a built site: run `npm start` once.
import autocannon from 'autocannon'
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { request as get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, median, residentMb, startSite, untilOpen } from './lib/site.mjs'
import { aims } from './lib/aims.mjs'
import { withUs } from './lib/limit.mjs'
import { table } from './lib/table.mjs'

const URLS = ['/api/prices', '/api/predictions']
const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 20

function fetchRaw(url) {
  return new Promise((done, fail) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => done({ headers: response.headers, body: Buffer.concat(chunks) }))
    })
      .on('error', fail)
      .end()
  })
}

async function load(origin, url) {
  const result = await autocannon({
    url: `${origin}${url}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'accept-encoding': 'br' },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} not 200`)
  return { rps: result.requests.average, p99: result.latency.p99 }
}

const site = await startSite()
const atRest = residentMb(site.pid())
const starts = []
for (let i = 0; i < 3; i += 1) starts.push(await site.restart())

const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-bytes-'))
const files = []
for (const url of URLS) {
  const { headers, body } = await fetchRaw(`${site.origin}${url}`)
  const { connection: _c, 'keep-alive': _k, date: _d, 'transfer-encoding': _t, ...kept } = headers
  const file = join(folder, `${files.length}.json`)
  writeFileSync(file, JSON.stringify({ url, headers: kept, body: body.toString('base64') }))
  files.push(file)
}
const port = await freePort()
const bare = withUs(
  spawn(process.execPath, [
    join(import.meta.dirname, 'lib', 'bare-server.mjs'),
    String(port),
    ...files,
  ]),
)
await untilOpen(`http://127.0.0.1:${port}${URLS[0]}`)

const ratios = []
const rows = [['call (brotli)', 'bare rps', 'site rps', 'ratio', 'bare p99 ms', 'site p99 ms']]
for (const url of URLS) {
  const [a, b] = [[], []]
  for (let i = 0; i < ROUNDS; i += 1) {
    a.push(await load(`http://127.0.0.1:${port}`, url))
    b.push(await load(site.origin, url))
  }
  const rps = (runs) => median(runs.map((run) => run.rps))
  const p99 = (runs) => String(median(runs.map((run) => run.p99)))
  ratios.push([url, rps(b) / rps(a)])
  rows.push([
    url,
    rps(a).toFixed(0),
    rps(b).toFixed(0),
    (rps(b) / rps(a)).toFixed(2),
    p99(a),
    p99(b),
  ])
}
table(`Hot lists, ${CONNECTIONS} connections, medians of ${ROUNDS}`, rows)
table('The process', [
  ['what', 'value'],
  ['second start of the server to the first 200', `${median(starts).toFixed(0)} ms`],
  ['memory at rest without PostgreSQL', `${atRest.toFixed(0)} MB`],
])
bare.kill()
await site.stop()
aims([
  ...ratios.map(([url, ratio]) => [`${url} against bare node:http`, ratio, 'at least', 0.5]),
  ['memory at rest without PostgreSQL, MB', atRest, 'at most', 150],
])

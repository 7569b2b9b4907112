// Lighthouse (phone, simulated slow network and processor) and script sizes of the pages that matter. Needs a built
// site: run `npm start` once. `SITE_URL` measures a site that runs already, `CHROMIUM_PATH` names the browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { aims } from './lib/aims.mjs'
import './lib/limit.mjs'
import { freePort, median, startSite } from './lib/site.mjs'
import { table } from './lib/table.mjs'

const PAGES = [
  { name: 'landing', path: '/', budgetKb: 80 },
  { name: 'asset', path: '/btc', budgetKb: 140 },
  { name: 'prediction', path: '/predictions/mcafee-1m-2020', budgetKb: null },
]
const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

const site = process.env.SITE_URL
  ? { origin: process.env.SITE_URL, stop: async () => undefined }
  : await startSite()
const dist = process.env.DIST ?? join(import.meta.dirname, '..', 'dist', 'web')

const met = []
try {
  sizes()
  await measures()
  aims(met)
} finally {
  await site.stop()
}

/** JavaScript that each page loads before anyone touches it, in thousands of bytes. */
function sizes() {
  const chunks = JSON.parse(readFileSync(join(dist, 'page-chunks.json'), 'utf8'))
  const rows = PAGES.map(({ name, budgetKb }) => {
    const bodies = chunks[name].map((file) => readFileSync(join(dist, file)))
    const kb = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1000
    if (budgetKb !== null) met.push([`JavaScript of ${name}, kB gzip`, kb, 'at most', budgetKb])
    return [
      name,
      String(bodies.length),
      kb.toFixed(1),
      budgetKb === null ? '-' : String(budgetKb),
      budgetKb === null ? '-' : (kb / budgetKb).toFixed(2),
    ]
  })
  table('JavaScript of the first view', [['page', 'files', 'gzip kB', 'at most', 'ratio'], ...rows])
}

async function measures() {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  })
  try {
    const rows = []
    for (const { path } of PAGES) {
      const results = []
      for (let run = 0; run < RUNS; run += 1) {
        const { lhr } = await lighthouse(site.origin + path, {
          port,
          onlyCategories: CATEGORIES,
          logLevel: 'silent',
        })
        results.push(lhr)
      }
      const middle = (read) => median(results.map(read))
      const audit = (id) => middle((lhr) => lhr.audits[id].numericValue)
      met.push([
        `${path} in Lighthouse`,
        middle((lhr) => lhr.categories.performance.score) * 100,
        'at least',
        95,
      ])
      rows.push([
        path,
        ...CATEGORIES.map((id) => (middle((lhr) => lhr.categories[id].score) * 100).toFixed(0)),
        (audit('first-contentful-paint') / 1000).toFixed(1),
        (audit('largest-contentful-paint') / 1000).toFixed(1),
        audit('total-blocking-time').toFixed(0),
        audit('cumulative-layout-shift').toFixed(3),
      ])
      tellFaults(results[0])
    }
    const head = ['page', 'perf', 'access', 'practices', 'seo', 'FCP s', 'LCP s', 'TBT ms', 'CLS']
    table(`Lighthouse, phone, simulated, median of ${RUNS}`, [head, ...rows])
  } finally {
    await browser.close()
  }
}

/** What keeps a page from full marks outside of speed. */
function tellFaults(lhr) {
  for (const id of CATEGORIES.slice(1)) {
    for (const { id: audit, weight } of lhr.categories[id].auditRefs) {
      const { score, title, details } = lhr.audits[audit]
      if (weight > 0 && score !== null && score < 1) {
        console.log(`  ${lhr.finalDisplayedUrl} ${id}: ${title}`)
        for (const item of details?.items?.slice(0, 3) ?? []) {
          console.log(`    ${JSON.stringify(item.node?.snippet ?? item.description ?? item)}`)
        }
      }
    }
  }
}

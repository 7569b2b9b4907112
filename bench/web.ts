// Lighthouse (phone, simulated slow network and processor) and script sizes of the main pages. Needs a built site: run
// `npm start` once. `SITE_URL` measures a running site, `CHROMIUM_PATH` sets the browser.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { z } from 'zod'
import { aims, type Measured } from './lib/aims.ts'
import './lib/limit.ts'
import { median } from './lib/numbers.ts'
import { freePort, startSite } from './lib/site.ts'
import { table } from './lib/table.ts'

const PAGES = [
  { name: 'landing', path: '/', budgetKb: 78 },
  { name: 'asset', path: '/btc', budgetKb: 115 },
  { name: 'prediction', path: '/predictions/mcafee-1m-2020', budgetKb: null },
  { name: 'experts', path: '/experts', budgetKb: 128 },
  { name: 'expert', path: '/experts/planb', budgetKb: null },
  { name: 'methodology', path: '/methodology', budgetKb: null },
]
const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

/** Installed by `npm run bench` into its own folder, as it is 130 MB. */
const LIGHTHOUSE = join(import.meta.dirname, 'lighthouse/node_modules/lighthouse/cli/index.js')
const Result = z.object({
  finalDisplayedUrl: z.string(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      numericValue: z.number().optional(),
      details: z.looseObject({ type: z.string(), items: z.unknown().optional() }).optional(),
    }),
  ),
})
type Result = z.infer<typeof Result>

const siteUrl = process.env['SITE_URL']
const site = siteUrl ? { origin: siteUrl, stop: async () => {} } : await startSite()
const dist = process.env['DIST'] ?? join(import.meta.dirname, '..', 'dist', 'web')

const met: Measured[] = []
try {
  sizes()
  await measures()
  aims(met)
} finally {
  await site.stop()
}

/** JavaScript that each page loads before any interaction, in thousands of bytes. */
function sizes(): void {
  const text = readFileSync(join(dist, 'page-chunks.json'), 'utf8')
  const chunks = JSON.parse(text) as Readonly<Record<string, readonly string[]>>
  const rows = PAGES.map(({ name, budgetKb }) => {
    // Brotli, as browsers get them.
    const bodies = (chunks[name] ?? []).map((file) => readFileSync(join(dist, `${file}.br`)))
    const kb = bodies.reduce((sum, body) => sum + body.length, 0) / 1000
    if (budgetKb !== null) met.push([`JavaScript of ${name}, kB brotli`, kb, 'at most', budgetKb])
    return [
      name,
      String(bodies.length),
      kb.toFixed(1),
      budgetKb === null ? '-' : String(budgetKb),
      budgetKb === null ? '-' : (kb / budgetKb).toFixed(2),
    ]
  })
  table('JavaScript of the first view', [
    ['page', 'files', 'brotli kB', 'at most', 'ratio'],
    ...rows,
  ])
}

async function measures(): Promise<void> {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  })
  try {
    const rows: string[][] = []
    for (const { path } of PAGES) {
      const results: Result[] = []
      for (let run = 0; run < RUNS; run += 1) {
        results.push(await lighthouse(site.origin + path, port))
      }
      const score = (category: string): number =>
        100 * median(results.map((lhr) => lhr.categories[category]?.score ?? 0))
      const audit = (id: string): number =>
        median(results.map((lhr) => lhr.audits[id]?.numericValue ?? Number.NaN))
      met.push([`${path} in Lighthouse`, score('performance'), 'at least', 95])
      rows.push([
        path,
        ...CATEGORIES.map((id) => score(id).toFixed(0)),
        (audit('first-contentful-paint') / 1000).toFixed(1),
        (audit('largest-contentful-paint') / 1000).toFixed(1),
        audit('total-blocking-time').toFixed(0),
        audit('cumulative-layout-shift').toFixed(3),
      ])
      for (const lhr of results.slice(0, 1)) printFaults(lhr)
    }
    const head = ['page', 'perf', 'access', 'practices', 'seo', 'FCP s', 'LCP s', 'TBT ms', 'CLS']
    table(`Lighthouse, phone, simulated, median of ${RUNS}`, [head, ...rows])
  } finally {
    await browser.close()
  }
}

/** @param port of a running Chromium */
async function lighthouse(url: string, port: number): Promise<Result> {
  const words = [
    url,
    `--port=${port}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    '--quiet',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, ...words], {
    maxBuffer: 64e6,
  })
  return Result.parse(JSON.parse(stdout))
}

/** Prints the failed audits other than performance. */
function printFaults(lhr: Result): void {
  for (const id of CATEGORIES.slice(1)) {
    for (const { id: audit, weight } of lhr.categories[id]?.auditRefs ?? []) {
      const found = lhr.audits[audit]
      if (!found || weight === 0 || found.score === null || found.score === 1) continue
      console.log(`  ${lhr.finalDisplayedUrl} ${id}: ${found.title}`)
      const { details } = found
      if (details?.type !== 'table' || !Array.isArray(details.items)) continue
      for (const item of details.items.slice(0, 3)) console.log(`    ${JSON.stringify(item)}`)
    }
  }
}

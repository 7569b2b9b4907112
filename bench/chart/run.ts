// Compares the chart with its bare line and with lightweight-charts, in one run:
//   node bench/chart/run.ts [repetitions, 4] [device pixel ratio, 1]
// FULL=on also draws 50 and 2,000 predictions, which takes eight minutes instead of three.
// CHROMIUM_PATH sets the browser, by default /usr/bin/chromium.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type CDPSession } from '@playwright/test'
import { build, preview } from 'vite'
import { aims } from '../lib/aims.ts'
import '../lib/limit.ts'
import { median, quantile } from '../lib/numbers.ts'
import { cpuOfTree } from './cpu.ts'
import { sizeConfig, trialConfig } from './vite-config.ts'

const repetitions = Math.max(4, Number(process.argv[2] ?? 4))
const dpr = Number(process.argv[3] ?? 1)
const COUNTS = process.env['FULL'] === 'on' ? [0, 50, 500, 2_000] : [0, 500]
/** Unmeasured warm-up: compiles the code and draws every word for the first time. */
const WARM_MS = 1_000
const RUN_MS = 3_000
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--force-device-scale-factor=${String(dpr)}`,
]

type Task = {
  readonly lib: 'engine' | 'lightweight' | 'shell'
  readonly n: number
  readonly threads: boolean
  readonly kind: 'frames' | 'first' | 'idle'
}
/** Milliseconds; values that a kind does not measure are missing. */
type Result = Task & {
  readonly firstMs: number
  readonly cpuMs?: number
  readonly p95?: number
  readonly idleMs?: number
}

const outDir = mkdtempSync(join(tmpdir(), 'chart-bench-'))
const sizes = await measureSize()
await build(trialConfig(join(outDir, 'page')))
const site = await preview({
  ...trialConfig(join(outDir, 'page')),
  preview: { port: 5198, strictPort: true },
})
const server = await chromium.launchServer({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: FLAGS,
})
const browser = await chromium.connect(server.wsEndpoint())

try {
  const once: readonly Task[] = [
    ...COUNTS.flatMap((n): Task[] => [
      { lib: 'engine', n, threads: false, kind: 'frames' },
      { lib: 'lightweight', n, threads: false, kind: 'frames' },
      { lib: 'shell', n, threads: true, kind: 'first' },
    ]),
    { lib: 'engine', n: 500, threads: true, kind: 'frames' },
    { lib: 'lightweight', n: 500, threads: true, kind: 'frames' },
    { lib: 'shell', n: 50, threads: true, kind: 'idle' },
  ]
  const tasks = shuffled(Array.from({ length: repetitions }, () => once).flat())
  const results: Result[] = []
  for (const [i, task] of tasks.entries()) {
    process.stderr.write(
      `\r${String(i + 1)}/${String(tasks.length)} ${task.lib} ${String(task.n)}        `,
    )
    results.push(await measure(task))
  }
  process.stderr.write('\n')
  report(results)
} finally {
  await browser.close()
  await server.close()
  await new Promise((done) => {
    site.httpServer.close(() => done(null))
  })
  rmSync(outDir, { recursive: true, force: true })
}

async function measure(task: Task): Promise<Result> {
  const { lib, n, threads, kind } = task
  const context = await browser.newContext({ viewport: null })
  try {
    const page = await context.newPage()
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(
      `http://localhost:5198/bench.html?lib=${lib}&n=${String(n)}&threads=${threads ? 'on' : 'off'}`,
    )
    await page.waitForSelector('html[data-loaded]')
    const { firstMs } = await page.evaluate(() => window.bench.ready)
    await page.waitForTimeout(700)
    if (kind === 'first') return { ...task, firstMs }
    if (kind === 'idle') {
      const session = await context.newCDPSession(page)
      await session.send('Performance.enable')
      const before = await taskSeconds(session)
      await page.waitForTimeout(4_000)
      return { ...task, firstMs, idleMs: ((await taskSeconds(session)) - before) * 250 }
    }
    await page.evaluate((ms) => window.bench.run(ms), WARM_MS)
    await page.waitForTimeout(500)
    const pid = server.process().pid ?? 0
    const before = cpuOfTree(pid)
    const frames = await page.evaluate((ms) => window.bench.run(ms), RUN_MS)
    const cpuMs = (cpuOfTree(pid) - before) / frames.length
    const gaps = frames.slice(1).map((at, i) => at - (frames[i] ?? at))
    return { ...task, firstMs, cpuMs, p95: quantile(gaps, 0.95) }
  } finally {
    await context.close()
  }
}

/** Busy time of the page's main thread, seconds. */
async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/** Gzip kB of the engine (geometry, drawing, gestures) and of the whole component, as loaded before any interaction. */
async function measureSize(): Promise<{ engine: number; whole: number }> {
  const sizeOf = async (entry: string): Promise<number> => {
    const built = await build(sizeConfig(join(outDir, 'size'), entry))
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
      'output' in one ? one.output : [],
    )
    const chunks = outputs.filter((one) => one.type === 'chunk')
    const entries = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
    for (const name of entries) {
      for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) {
        entries.add(next)
      }
    }
    return chunks
      .filter(({ fileName }) => entries.has(fileName))
      .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  }
  return {
    engine: (await sizeOf('./page/engine-only.ts')) / 1_000,
    whole: (await sizeOf('../../src/web/chart-canvas/price-chart.tsx')) / 1_000,
  }
}

function report(results: readonly Result[]): void {
  const of = (
    lib: Task['lib'],
    n: number,
    kind: Task['kind'],
    field: 'firstMs' | 'cpuMs' | 'p95' | 'idleMs',
    threads = kind !== 'frames',
  ): number =>
    median(
      results
        .filter(
          (one) => one.lib === lib && one.n === n && one.kind === kind && one.threads === threads,
        )
        .map((one) => one[field] ?? Number.NaN),
    )
  const bare = of('engine', 0, 'frames', 'cpuMs')
  console.log(
    `\nmedians of ${String(repetitions)}, device pixel ratio ${String(dpr)}, 1280 x 720, one browser, shuffled, each after one run unmeasured\n`,
  )
  console.table(
    COUNTS.map((n) => {
      const own = of('engine', n, 'frames', 'cpuMs')
      const other = of('lightweight', n, 'frames', 'cpuMs')
      return {
        predictions: n,
        'cpu/frame ms': own.toFixed(1),
        'x bare': (own / bare).toFixed(2),
        'lightweight ms': other.toFixed(1),
        'x lightweight': (own / other).toFixed(2),
        'p95 frame ms': of('engine', n, 'frames', 'p95').toFixed(1),
        'lightweight p95': of('lightweight', n, 'frames', 'p95').toFixed(1),
        'first render ms': of('shell', n, 'first', 'firstMs').toFixed(0),
        'lightweight first': of('lightweight', n, 'frames', 'firstMs').toFixed(0),
      }
    }),
  )
  aims([
    [
      '500 predictions against the bare line',
      of('engine', 500, 'frames', 'cpuMs') / bare,
      'at most',
      1.35,
    ],
    [
      '500 predictions against lightweight-charts',
      of('engine', 500, 'frames', 'cpuMs') / of('lightweight', 500, 'frames', 'cpuMs'),
      'at most',
      0.78,
    ],
    [
      '500 predictions with threads against lightweight-charts drawing the same',
      of('engine', 500, 'frames', 'cpuMs', true) / of('lightweight', 500, 'frames', 'cpuMs', true),
      'at most',
      1,
    ],
    [
      '500 predictions with threads against the bare line',
      of('engine', 500, 'frames', 'cpuMs', true) / bare,
      'at most',
      1.5,
    ],
    ['p95 frame at 500, ms', of('engine', 500, 'frames', 'p95'), 'at most', 16.8],
    ['first render at 500, ms', of('shell', 500, 'first', 'firstMs'), 'at most', 70],
    [
      'idle with the live pulse, ms of main thread a second',
      of('shell', 50, 'idle', 'idleMs'),
      'at most',
      5,
    ],
    ['chart engine: geometry, drawing, gestures, kB gzip', sizes.engine, 'at most', 16],
    ['with toolbar, tooltip, list and picture, kB gzip', sizes.whole, 'at most', 18],
  ])
}

/** Seeded, so that every run uses the same order. */
function shuffled(items: readonly Task[]): Task[] {
  let state = 11
  const keyed = items.map((item) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return { item, key: state }
  })
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}

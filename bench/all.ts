// `npm run bench`: runs all benchmarks, or the named ones, one after the other, and prints one table of their aims.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { AIMS_MARK, aimRow, type Aim } from './lib/aims.ts'
import { table } from './lib/table.ts'

/** For a benchmark that hangs; all others end earlier by themselves. */
const LIMIT_MS = 240_000

const BENCHES: Readonly<Record<string, string>> = {
  extract: 'extract.ts',
  judge: 'judge.ts',
  scoring: 'scoring.ts',
  serve: 'serve.ts',
  review: 'review.ts',
  live: 'live.ts',
  chart: 'chart/run.ts',
  web: 'web.ts',
  big: 'big.ts',
  cluster: 'cluster.ts',
}

/** Run only if named: the drill needs system programs, and both take longer. */
const LONG: readonly string[] = ['big', 'cluster']
const LONG_LIMIT_MS = 900_000

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  const known = Object.keys(BENCHES).join(', ')
  console.error(`There is no benchmark ${unknown.join(', ')}. The benchmarks are ${known}.`)
  process.exit(1)
}

const rows: [bench: string, aim: Aim][] = []
for (const [name, file] of Object.entries(BENCHES)) {
  if (names.length > 0 ? !names.includes(name) : LONG.includes(name)) continue
  console.log(`\n== ${name} ==`)
  const { aims, status } = await run(name, file)
  for (const aim of aims) rows.push([name, aim])
  if (status !== 0) {
    rows.push([name, { aim: 'runs to its end', measured: null, target: 'yes', met: false }])
  }
}
table('All aims', [
  ['bench', 'aim', 'measured', 'target', 'met'],
  ...rows.map(([name, aim]) => [name, ...aimRow(aim)]),
])
if (rows.some(([, { met }]) => !met)) process.exitCode = 1

function run(name: string, file: string): Promise<{ aims: Aim[]; status: number }> {
  const limitMs = LONG.includes(name) ? LONG_LIMIT_MS : LIMIT_MS
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { ...process.env, BENCH_AIMS: 'on', ...(LONG.includes(name) && { FULL: 'on' }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const limit = setTimeout(() => {
    console.error(`It timed out after ${limitMs / 1000} s.`)
    child.kill('SIGKILL')
  }, limitMs)
  const aims: Aim[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith(AIMS_MARK))
      aims.push(...(JSON.parse(line.slice(AIMS_MARK.length)) as Aim[]))
    else console.log(line)
  })
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(error.message)
      done({ aims, status: 1 })
    })
    child.once('close', (status) => {
      clearTimeout(limit)
      done({ aims, status: status ?? 1 })
    })
  })
}

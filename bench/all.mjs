// npm run bench: every bench, one after the other, and one table of their aims. `npm run bench -- judge web` runs those.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { ensureBuilt } from '../bin/lib/build.mjs'
import { ensureChromium } from '../bin/lib/chromium.mjs'
import { ensureInstalled } from '../bin/lib/install.mjs'
import { inProject, Refusal, runScript } from '../bin/lib/project.mjs'
import { AIMS_MARK, metWord, short } from './lib/aims.mjs'
import { table } from './lib/table.mjs'

/** A bench ends by itself before that. */
const LIMIT_MS = 240_000

const BENCHES = {
  extract: 'extract.mjs',
  judge: 'judge.mjs',
  serve: 'serve.mjs',
  review: 'review.mjs',
  live: 'live.mjs',
  chart: join('chart', 'run.mjs'),
  web: 'web.mjs',
}

await runScript(async () => {
  const names = process.argv.slice(2)
  const unknown = names.filter((name) => !(name in BENCHES))
  if (unknown.length > 0) {
    const known = Object.keys(BENCHES).join(', ')
    throw new Refusal(`There is no bench ${unknown.join(', ')}. The benches are ${known}.`)
  }
  const node = await ensureInstalled(console.log)
  await ensureBuilt(node, console.log)
  const chromium = await ensureChromium(node, console.log)
  const rows = []
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    console.log(`\n== ${name} ==`)
    const { aims, status } = await run(node, BENCHES[name], chromium)
    rows.push(...aims.map((aim) => [name, aim.aim, aim.measured, aim.wanted, aim.met]))
    if (status !== 0) rows.push([name, 'it runs to its end', null, 'yes', false])
  }
  show(rows)
  if (rows.some(([, , , , met]) => !met)) process.exitCode = 1
})

/** @returns {Promise<{ aims: { aim: string, measured: number, wanted: string, met: boolean }[], status: number }>} */
function run(node, file, chromium) {
  const child = spawn(node, [inProject('bench', file)], {
    env: { ...process.env, BENCH_AIMS: 'on', CHROMIUM_PATH: chromium },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const limit = setTimeout(() => {
    console.error(`It was not done after ${LIMIT_MS / 1000} s.`)
    child.kill('SIGKILL')
  }, LIMIT_MS)
  const aims = []
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith(AIMS_MARK)) aims.push(...JSON.parse(line.slice(AIMS_MARK.length)))
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

function show(rows) {
  table('All aims', [
    ['bench', 'aim', 'measured', 'wanted', 'met'],
    ...rows.map(([name, aim, measured, wanted, met]) => [
      name,
      aim,
      measured === null ? '-' : short(measured),
      wanted,
      metWord(met),
    ]),
  ])
}

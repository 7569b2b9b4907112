// Judges synthetic predictions over 16 years of daily bars, against a plain scan of the same bars. Prints a table.
import { randomInt } from 'node:crypto'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { naiveJudge } from '#tests/support/naive-judge.ts'
import { aims } from './lib/aims.mjs'
import './lib/limit.mjs'
import { table } from './lib/table.mjs'

const BARS = 5_900
const PREDICTIONS = Number(process.argv[2] ?? 1_000_000)
/** The scan is too slow for all of them; its time a prediction is the same for a sample. */
const SAMPLE = 2_000

/** A seeded generator (mulberry32), so that every run judges the same. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function walk(random) {
  const bars = []
  let close = 5
  for (let day = 0; day < BARS; day += 1) {
    const open = close
    close *= Math.exp((random() - 0.4985) * 0.08)
    const high = Math.max(open, close) * (1 + random() * 0.02)
    const low = Math.min(open, close) * (1 - random() * 0.02)
    bars.push({ day, open, high, low, close, source: 'walk', loneHigh: null, loneLow: null })
  }
  return bars
}

function statements(random, bars, count) {
  const types = ['target', 'range', 'by-date', 'top', 'bottom']
  return Array.from({ length: count }, () => {
    const made = Math.floor(random() * (BARS - 30))
    const by = made + 1 + Math.floor(random() * 1_500)
    const usd = bars[made].close * Math.exp((random() - 0.4) * 2)
    const type = types[Math.floor(random() * types.length)]
    const claim =
      type === 'range'
        ? { type, min: usd, max: usd * 1.3 }
        : type === 'by-date'
          ? { type, usd }
          : { type, usd }
    return { asset: 'btc', claim, made, from: null, by }
  })
}

const random = seeded(Number(process.env.SEED ?? randomInt(1, 1e9)))
const bars = walk(random)
const said = statements(random, bars, PREDICTIONS)
const series = seriesOf('every-day', bars)

const counts = {}
for (const one of said.slice(0, 20_000)) judge(series, one, 'touch', BARS)
let began = performance.now()
for (const one of said) {
  const { outcome } = judge(series, one, 'touch', BARS)
  counts[outcome] = (counts[outcome] ?? 0) + 1
}
const fast = performance.now() - began

began = performance.now()
let differing = 0
for (const one of said.slice(0, SAMPLE)) {
  const naive = naiveJudge('every-day', bars, one, 'touch')
  if (naive.outcome !== judge(series, one, 'touch', BARS).outcome) differing += 1
}
const slow = ((performance.now() - began) / SAMPLE) * PREDICTIONS

began = performance.now()
for (let i = 0; i < 20; i += 1) seriesOf('every-day', bars)
const build = (performance.now() - began) / 20

table(`Judging ${PREDICTIONS.toLocaleString('en')} predictions over ${BARS} bars, one core`, [
  ['what', 'seconds', 'ratio to the scan'],
  ['plain scan (from a sample)', (slow / 1e3).toFixed(1), '1'],
  ['judge', (fast / 1e3).toFixed(2), `${(slow / fast).toFixed(0)}x`],
  ['preparing the bars', (build / 1e3).toFixed(4), ''],
])
console.log(`Outcomes ${JSON.stringify(counts)}; ${differing} of ${SAMPLE} differ from the scan.`)
aims([
  ['judging against a plain scan, times as fast', slow / fast, 'at least', 20],
  ['outcomes that differ from the scan', differing, 'at most', 0],
])

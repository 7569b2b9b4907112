// Judges synthetic predictions over 16 years of daily bars, compared with a plain scan. Prints a table.

import { makeClaim, type ClaimType } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { dayFromNumber } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { seededRandom } from '#tests/support/deep.ts'
import { naiveJudge } from '#tests/support/naive-judge.ts'
import { aims } from './lib/aims.ts'
import './lib/limit.ts'
import { table } from './lib/table.ts'

const BARS = 5_900
const PREDICTIONS = Number(process.argv[2] ?? 1_000_000)
/** The scan is too slow for all predictions; its time per prediction is the same for a sample. */
const SAMPLE = 2_000

const TODAY = dayFromNumber(BARS)

function walk(random: () => number): AgreedBar[] {
  let close = 5
  return Array.from({ length: BARS }, (_, n) => {
    const open = close
    close *= Math.exp((random() - 0.4985) * 0.08)
    const high = Math.max(open, close) * (1 + random() * 0.02)
    const low = Math.min(open, close) * (1 - random() * 0.02)
    const day = dayFromNumber(n)
    return { day, open, high, low, close, source: 'walk', loneHigh: null, loneLow: null }
  })
}

function statement(random: () => number, bars: readonly AgreedBar[]): Statement {
  const types: readonly ClaimType[] = ['target', 'range', 'by-date', 'top', 'bottom']
  const at = Math.floor(random() * (BARS - 30))
  const by = dayFromNumber(at + 1 + Math.floor(random() * 1_500))
  const min = (bars[at]?.close ?? 1) * Math.exp((random() - 0.4) * 2)
  const type = types[Math.floor(random() * types.length)] ?? 'target'
  return {
    asset: 'btc',
    claim: makeClaim(type, { min, max: min * 1.3 }),
    made: dayFromNumber(at),
    from: null,
    by,
  }
}

const random = seededRandom('SEED')('judge')
const bars = walk(random)
const statements = Array.from({ length: PREDICTIONS }, () => statement(random, bars))
const series = seriesOf('every-day', bars)

const counts: Partial<Record<Outcome, number>> = {}
for (const one of statements.slice(0, 20_000)) judge(series, one, 'touch', TODAY)
let began = performance.now()
for (const one of statements) {
  const { outcome } = judge(series, one, 'touch', TODAY)
  counts[outcome] = (counts[outcome] ?? 0) + 1
}
const fast = performance.now() - began

began = performance.now()
let differing = 0
for (const one of statements.slice(0, SAMPLE)) {
  const naive = naiveJudge('every-day', bars, one, 'touch', TODAY)
  if (naive.outcome !== judge(series, one, 'touch', TODAY).outcome) differing += 1
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

// Scores synthetic predictions over 16 years of daily bars. Prints tables.

import { type AssetKey } from '#domain/asset.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { addDays, dayFromNumber, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { computeScores, HISTORIES, type ScoreRequest, type Scores } from '#domain/scoring/scores.ts'
import { seededRandom } from '#tests/support/deep.ts'
import { randomBars, randomCalls } from '#tests/support/random-callers.ts'
import { aims } from './lib/aims.ts'
import './lib/limit.ts'
import { table } from './lib/table.ts'

const DAYS = 5_900
const AS_OF = dayFromNumber(DAYS - 1)
/** Callers who guess, five calls each, four of them in a world of their own. */
const CALLERS = Number(process.argv[2] ?? 10_000)
const IN_A_WORLD = 4

const random = seededRandom('SEED')('scoring')
const bars: Record<AssetKey, AgreedBar[]> = {
  btc: randomBars(random, DAYS),
  mstr: randomBars(random, DAYS).filter((bar) => isTradingDay('new-york', bar.day)),
  naka: [],
}

/** Calls on both assets, about half of them open; one in seven on the stock, as in the real record. */
function calls(callers: number, each: number): ScoredPrediction[] {
  const stated = randomCalls(random, bars.btc, {
    asOf: AS_OF,
    callers,
    each,
    since: dayFromNumber(800),
  })
  const closes = new Map(bars.mstr.map((bar) => [bar.day, bar.close]))
  return stated.map((one, i) => {
    const usd = closes.get(one.made)
    const now = bars.btc[one.made]?.close
    if (i % 7 > 0 || usd === undefined || now === undefined) return one
    return { ...one, asset: 'mstr', claim: scaleClaim(one.claim, usd / now) }
  })
}

function scored(
  predictions: readonly ScoredPrediction[],
  overrides: Partial<ScoreRequest> = {},
): Scores {
  return computeScores({
    predictions,
    bars,
    asOf: AS_OF,
    mode: 'touch',
    rule: 2,
    seed: 'bench',
    histories: 0,
    ...overrides,
  })
}

function timed(run: () => void): number {
  const began = performance.now()
  run()
  return performance.now() - began
}

const some = calls(90, 4).slice(0, 300)
const bothModes = (): void => {
  for (const mode of JUDGE_MODES) scored(some, { mode })
}
const first = timed(bothModes)
// The minimum: other programs on the machine only add time.
const usual = Math.min(...Array.from({ length: 15 }, () => timed(bothModes)))
const ranked = calls(60, 10)
const replayed = timed(() => scored(ranked, { histories: HISTORIES })) - timed(() => scored(ranked))

const many = calls(5_000, 20)
const before = process.memoryUsage.rss()
const scoringMany = timed(() => scored(many))
const megabytes = (process.memoryUsage.rss() - before) / 2 ** 20

table('Scores, one core', [
  ['what', 'ms'],
  ['300 predictions of 90 people, both modes, the first time', first.toFixed(0)],
  ['the same again, the fastest of 15 times', usual.toFixed(0)],
  [`${HISTORIES} histories of ${ranked.length} predictions of 60 people`, replayed.toFixed(0)],
  [`100,000 predictions of 5,000 people`, scoringMany.toFixed(0)],
])

/** Hits of guessing callers in excess of luck, per call: 0 if scores are fair on every day. */
function excess(mode: JudgeMode): { asOf: Day; compared: number; open: number; mean: number }[] {
  const days = [700, 950, 1_199].map(dayFromNumber)
  const sums = days.map((asOf) => ({ asOf, compared: 0, open: 0, all: 0, sum: 0 }))
  for (let world = 0; world < CALLERS / IN_A_WORLD; world += 1) {
    const walk = randomBars(random, 1_200)
    for (const sum of sums) {
      const since = addDays(sum.asOf, -500)
      const calls = randomCalls(random, walk, {
        asOf: sum.asOf,
        callers: IN_A_WORLD,
        each: 5,
        since,
      })
      const { people } = scored(calls, { bars: { btc: walk }, asOf: sum.asOf, mode })
      for (const call of people.flatMap((person) => person.calls)) {
        sum.all += 1
        if (!call.timeIsUp) sum.open += 1
        if (call.observed === null || call.expected === null) continue
        sum.compared += 1
        sum.sum += call.observed - call.expected
      }
    }
  }
  return sums.map(({ asOf, compared, open, all, sum }) => ({
    asOf,
    compared,
    open: open / all,
    mean: sum / compared,
  }))
}

const fair = JUDGE_MODES.flatMap((mode) => excess(mode).map((row) => ({ mode, ...row })))
table(`${CALLERS.toLocaleString('en')} callers who know nothing, with calls of all kinds`, [
  ['mode', 'as of day', 'calls', 'of them open', 'mean of hits minus luck'],
  ...fair.map((row) => [
    row.mode,
    String(row.asOf),
    String(row.compared),
    `${(100 * row.open).toFixed(0)}%`,
    row.mean.toFixed(4),
  ]),
])
aims([
  ['300 predictions of 90 people, both modes, ms', usual, 'at most', 50],
  [`${HISTORIES} histories, s`, replayed / 1e3, 'at most', 3],
  ['100,000 predictions of 5,000 people, s', scoringMany / 1e3, 'at most', 30],
  ['the same, extra MB', megabytes, 'at most', 500],
  [
    'largest mean of hits minus luck',
    Math.max(...fair.map((row) => Math.abs(row.mean))),
    'at most',
    0.02,
  ],
])

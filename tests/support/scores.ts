import { addDays, day, dayFromNumber, type Day } from '#domain/day.ts'
import { scoreCalls } from '#domain/scoring/person-score.ts'
import { priceHistory, type PriceHistories } from '#domain/scoring/price-history.ts'
import { randomOf } from '#domain/scoring/replay.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { computeScores, type ScoreRequest, type Scores } from '#domain/scoring/scores.ts'
import { barsFrom } from './builders.ts'
import { randomBars, randomCalls } from './random-callers.ts'

const START = day('2022-01-01')
export const at = (days: number): Day => addDays(START, days)

/** Two years of closes that move by about 2% a day around 100, and reach 150 on the last days. */
export const BARS = barsFrom(
  '2022-01-01',
  Array.from({ length: 730 }, (_, i) => (i > 720 ? 150 : 100 + 2 * (i % 2))),
)

let count = 0
/** A call for $150 by Ann on day 200, until day 300, recorded long afterwards. */
export function call(
  overrides: Partial<ScoredPrediction> & { who?: string; usd?: number } = {},
): ScoredPrediction {
  const { who = 'Ann', usd = 150, ...rest } = overrides
  count += 1
  return {
    id: `call-${String(count).padStart(4, '0')}`,
    asset: 'btc',
    claim: { type: 'target', usd },
    made: at(200),
    from: null,
    by: at(300),
    expert: { name: who, slug: who.toLowerCase() },
    createdAt: '2030-01-01T00:00:00Z',
    ...rest,
  }
}

/** Scores of these calls on the last day, over `BARS`. Fails if a figure is not a number. */
export function scores(
  predictions: readonly ScoredPrediction[],
  overrides: Partial<ScoreRequest> = {},
): Scores {
  const found = computeScores({
    predictions,
    bars: { btc: BARS },
    asOf: at(729),
    mode: 'touch',
    rule: 2,
    seed: '2024-01-01',
    histories: 0,
    ...overrides,
  })
  const wrong = notNumbers(found)
  if (wrong.length > 0) throw new Error(`no number: ${wrong.join(', ')}`)
  return found
}

/** The paths of NaN and infinite numbers in a value. */
function notNumbers(value: unknown, path = 'scores'): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, part]) => notNumbers(part, `${path}.${key}`))
}

/** Numbers to nine digits: sums in another order differ in the last ones. */
export function rounded<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'number' ? Number(inner.toPrecision(9)) : inner,
    ),
  ) as T
}

/** 2,000 days of random prices, and 400 calls by one person without repeats. */
export function randomRecord(seed: string, callSeed = `calls of ${seed}`) {
  const bars = randomBars(randomOf(seed), 2_000)
  const asOf = dayFromNumber(bars.length - 1)
  const histories: PriceHistories = { btc: priceHistory('btc', bars, asOf) }
  const of = { asOf, callers: 1, each: 400, since: dayFromNumber(800) }
  const stated = randomCalls(randomOf(callSeed), bars, of)
  const scored = scoreCalls(histories, stated, 'touch', asOf)
  return { bars, asOf, histories, calls: scored.map((one) => ({ ...one, repeats: null })) }
}

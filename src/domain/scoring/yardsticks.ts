import { type AssetKey } from '#domain/asset.ts'
import { addYears, isoDay, type Day } from '#domain/day.ts'
import { motionAt, positionAt, yearsBetween, type PriceHistories } from './price-history.ts'
import { randomOf } from './random.ts'
import { type ScoredPrediction } from './scored-call.ts'

/** The standard normal quantile of 75 %: within this many deviations a level is touched in one of two cases. */
const EVEN = 0.674_489_750_196_081_7

/** Callers of the house, who know nothing. */
export const YARDSTICKS = {
  coin: { slug: 'coin-flipper', name: 'Coin-flipper' },
  double: { slug: 'always-double', name: 'Always ×2 in a year' },
} as const

/**
 * What two callers who know nothing would have said on each day of a real call, about the same asset: one flips a coin for
 * up or down, to a level that the price touches within a year in one of two cases; the other always says twice the price
 * within a year.
 */
export function yardstickCalls(
  histories: PriceHistories,
  predictions: readonly ScoredPrediction[],
): { readonly coin: ScoredPrediction[]; readonly double: ScoredPrediction[] } {
  const coin: ScoredPrediction[] = []
  const double: ScoredPrediction[] = []
  const seen = new Set<string>()
  for (const { asset, made } of predictions) {
    const key = `${asset} ${isoDay(made)}`
    if (seen.has(key)) continue
    seen.add(key)
    const known = levelsOn(histories, asset, made, key)
    if (!known) continue
    const said = { asset, made, from: null, by: known.by, createdAt: '1970-01-01T00:00:00Z' }
    coin.push({
      ...said,
      id: `coin ${key}`,
      expert: YARDSTICKS.coin,
      claim: { type: 'target', usd: known.even },
    })
    double.push({
      ...said,
      id: `double ${key}`,
      expert: YARDSTICKS.double,
      claim: { type: 'target', usd: known.twice },
    })
  }
  return { coin, double }
}

function levelsOn(
  histories: PriceHistories,
  asset: AssetKey,
  made: Day,
  key: string,
): { by: Day; even: number; twice: number } | null {
  const history = histories[asset]
  if (!history) return null
  const at = positionAt(history, made)
  const usd = history.series.bars[at]?.close
  const motion = motionAt(histories, history, at)
  if (usd === undefined || !motion) return null
  const by = addYears(made, 1)
  const away = EVEN * motion.sigma * Math.sqrt(yearsBetween(history, made, by))
  const isUp = randomOf(`coin-flipper ${key}`)() < 0.5
  return { by, even: usd * Math.exp(isUp ? away : -away), twice: 2 * usd }
}

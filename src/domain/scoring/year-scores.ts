import { type AssetKey } from '#domain/asset.ts'
import { partsOf } from '#domain/day.ts'
import { LEAST_CALLS } from './least-calls.ts'
import { decidedOf, isDecided, type Decided } from './person-score.ts'
import { type PriceHistories } from './price-history.ts'
import { replay, type Replay } from './replay.ts'
import { type ScoredCall } from './scored-call.ts'

/** The calls of one asset that were due in one year, whose time is up and that have luck. */
export type YearScore = Decided & {
  readonly asset: AssetKey
  readonly year: number
  /** The chance that luck alone does as well in the replayed histories; null below five calls, or without histories. */
  readonly replayed: number | null
}

/**
 * Scores the years in which calls were due. Their calls are replayed together: as they are about one price they come true
 * or fail together, which a chance of independent calls would leave out.
 *
 * @param count of histories; 0 for none
 * @returns newest first
 */
export function yearScores(
  histories: PriceHistories,
  calls: readonly ScoredCall[],
  count: number,
  seed: string,
): readonly YearScore[] {
  const compared = calls.filter(isDecided)
  return [...Map.groupBy(compared, ({ asset }) => asset)]
    .flatMap(([asset, of]) =>
      yearsOf(asset, of, (people) => replay(histories, people, count, seed)),
    )
    .toSorted((a, b) => b.year - a.year || (a.asset < b.asset ? -1 : 1))
}

/** The years of one asset: alone, so that an asset with too little history to be replayed has no chance made of others. */
function yearsOf(
  asset: AssetKey,
  calls: readonly ScoredCall[],
  play: (groups: readonly (readonly ScoredCall[])[]) => Replay | null,
): YearScore[] {
  const years = [...Map.groupBy(calls, ({ window }) => partsOf(window.to).year)]
  const enough = years.filter(([, of]) => of.length >= LEAST_CALLS)
  const ps = play(enough.map(([, of]) => of))?.ps
  const places = new Map(enough.map(([year], i) => [year, i]))
  return years.map(([year, of]) => ({
    asset,
    year,
    ...decidedOf(of),
    replayed: ps?.[places.get(year) ?? -1]?.well ?? null,
  }))
}

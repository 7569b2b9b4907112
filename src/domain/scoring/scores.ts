import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode, type RULE_VERSION } from '#domain/judging/verdict.ts'
import { trueDiscoveries } from './false-discoveries.ts'
import {
  callerOf,
  fitPriors,
  isEnough,
  personScore,
  scoreCalls,
  type CountedCall,
  type PersonScore,
  type Priors,
} from './person-score.ts'
import { priceHistory, type PriceHistories } from './price-history.ts'
import { replay, type Replay } from './replay.ts'
import { type ScoredPrediction } from './scored-call.ts'
import { totalsOf, type Totals } from './totals.ts'
import { yearScores, type YearScore } from './year-scores.ts'
import { yardstickCalls, YARDSTICKS } from './yardsticks.ts'

/** Histories that everybody is replayed on, every night. */
export const HISTORIES = 2_000
/** People with enough calls recorded before their outcome, from which on they can be ranked by those alone. */
const LEAST_RECORDED_BEFORE = 5

/** What scores are computed from. The same request gives the same scores. */
export type ScoreRequest = {
  /** Read once. */
  readonly predictions: Iterable<ScoredPrediction>
  /** Bars of each asset, in any order; an asset without bars has no luck. */
  readonly bars: Readonly<Partial<Record<AssetKey, readonly AgreedBar[]>>>
  /** Calls made and bars ended after this day are left out. */
  readonly asOf: Day
  readonly mode: JudgeMode
  readonly rule: typeof RULE_VERSION
  /** Repeats the replayed histories. */
  readonly seed: string
  /** How many histories everybody is replayed on; 0 leaves them out. */
  readonly histories: number
}

/** Everybody's scores as they were on a day. */
export type Scores = {
  readonly asOf: Day
  readonly mode: JudgeMode
  readonly rule: number
  /** The last day with a complete bar of each asset that was called; null without any. Scores hold as of then. */
  readonly pricesThrough: Readonly<Partial<Record<AssetKey, Day | null>>>
  /** Ranked people first, by the 5 % quantile of their skill; then the others, by name. */
  readonly people: readonly PersonScore[]
  /** Callers who know nothing, on the same days: never ranked. */
  readonly yardsticks: readonly PersonScore[]
  /** All assets together, then each that was called. */
  readonly totals: readonly Totals[]
  /** The years in which decided calls were due, newest first. */
  readonly years: readonly YearScore[]
  readonly priors: Priors
  /** null without histories, ranked people or enough prices. */
  readonly replay: Omit<Replay, 'ps'> | null
  /** The slugs of people whom luck does not explain (Benjamini–Hochberg at 10 %); null without a replay. */
  readonly beyondDoubt: readonly string[] | null
  /** Enough people have five votes recorded before their outcome to be ranked by those alone. */
  readonly canRankRecordedBefore: boolean
}

/** Computes everybody's scores. */
export function computeScores(request: ScoreRequest): Scores {
  const { asOf, mode, rule, seed } = request
  const { histories, called, callers, yardsticks } = callersOf(request)
  const priors = fitPriors(callers)
  const scored = callers.map((caller) => personScore(caller, priors))
  const ranked = scored.filter(({ isRanked }) => isRanked)
  const played = replay(
    histories,
    ranked.map(({ againstLuck, calls }) => ({ z: againstLuck.z ?? 0, calls })),
    ranked.length === 0 ? 0 : request.histories,
    seed,
  )
  const found = played && trueDiscoveries(played.ps)
  const places = new Map(ranked.map(({ slug }, i) => [slug, i]))
  const withReplay = scored.map((person) => {
    const place = places.get(person.slug)
    return { ...person, replayed: place === undefined ? null : (played?.ps[place] ?? null) }
  })
  const calls = callers.flatMap((caller) => caller.calls)
  return {
    asOf,
    mode,
    rule,
    pricesThrough: Object.fromEntries(
      called.map((key) => [key, histories[key]?.series.finalThrough ?? null]),
    ),
    people: withReplay.toSorted(byRank),
    yardsticks: yardsticks.map((caller) => ({ ...personScore(caller, priors), isRanked: false })),
    totals: [null, ...called].map((asset) => totalsOf(asset, calls)),
    years: yearScores(histories, calls, request.histories, seed),
    priors,
    replay: played && {
      histories: played.histories,
      seed: played.seed,
      people: played.people,
      luckiest: played.luckiest,
    },
    beyondDoubt: found && ranked.filter((_, i) => found[i]).map(({ slug }) => slug),
    canRankRecordedBefore:
      scored.filter(({ recorded }) => isEnough(recorded.before.timeIsUp.n)).length >=
      LEAST_RECORDED_BEFORE,
  }
}

/** Everybody's calls scored, and what is left to do for them: predictions are not needed from here on. */
function callersOf({ predictions, bars, asOf, mode }: ScoreRequest) {
  // By id within a day: which of two statements of a day came first must not depend on the order they arrive in.
  const made = [...predictions]
    .filter((prediction) => prediction.made <= asOf)
    .toSorted((a, b) => a.made - b.made || (a.id < b.id ? -1 : 1))
  const called = ASSET_KEYS.filter((key) => made.some(({ asset }) => asset === key))
  const histories = historiesOf(called, bars, asOf)
  const scored = (predictions: readonly ScoredPrediction[]) =>
    scoreCalls(histories, predictions, mode, asOf)
  const callers = [...Map.groupBy(made, ({ expert }) => expert.slug)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([slug, of]) => callerOf({ slug, name: of[0]?.expert.name ?? slug }, scored(of)))
  const calls = yardstickCalls(histories, made)
  const yardsticks = (['coin', 'double'] as const)
    .filter((key) => calls[key].length > 0)
    .map((key) => callerOf(YARDSTICKS[key], scored(calls[key])))
  return { histories, called, callers, yardsticks }
}

/** Histories of the assets that were called, and of those that they follow; an asset without bars has an empty one. */
function historiesOf(
  called: readonly AssetKey[],
  bars: ScoreRequest['bars'],
  asOf: Day,
): PriceHistories {
  if (called.length === 0) return {}
  return Object.fromEntries(
    ASSET_KEYS.filter((key) => called.includes(key) || (bars[key]?.length ?? 0) > 0).map((key) => [
      key,
      priceHistory(key, bars[key] ?? [], asOf),
    ]),
  )
}

/** Ranked people first, by the 5 % quantile of their skill; then the others, by name. */
export function byRank(a: PersonScore<CountedCall>, b: PersonScore<CountedCall>): number {
  if (a.isRanked !== b.isRanked) return a.isRanked ? -1 : 1
  const skill = a.isRanked && a.skill && b.skill ? compareSkill(a.skill, b.skill) : 0
  return skill || a.name.localeCompare(b.name, 'en') || (a.slug < b.slug ? -1 : 1)
}

function compareSkill(a: { low: number; mean: number }, b: { low: number; mean: number }): number {
  return b.low - a.low || b.mean - a.mean
}

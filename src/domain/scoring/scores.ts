import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode, type RULE_VERSION } from '#domain/judging/verdict.ts'
import { BANDS } from './band.ts'
import { trueDiscoveries } from './false-discoveries.ts'
import { LEAST_CALLS } from './least-calls.ts'
import {
  callerOf,
  fitPriors,
  isDecided,
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
/** So many people with enough calls recorded before their outcome, and these are shown first. */
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
  /** By band, then those with more decided calls, then by name. */
  readonly people: readonly PersonScore[]
  /** Callers who know nothing, on the same days: never ranked. */
  readonly yardsticks: readonly PersonScore[]
  /** All assets together, then each that was called. */
  readonly totals: readonly Totals[]
  /** The years in which decided calls were due, newest first. */
  readonly years: readonly YearScore[]
  readonly priors: Priors
  /** Enough people have five decided calls that were recorded before their outcome. */
  readonly hasRecordedBefore: boolean
  /** The day on which the first call was recorded here, where calls were made before it; else null. */
  readonly recordedSince: Day | null
}

/** Computes everybody's scores. */
export function computeScores(request: ScoreRequest): Scores {
  const { asOf, mode, rule, seed } = request
  const { histories, called, callers, yardsticks, recordedSince } = callersOf(request)
  const priors = fitPriors(callers)
  const scored = callers.map((caller) => personScore(caller, priors))
  const calls = callers.flatMap((caller) => caller.calls)
  const played = replay(
    histories,
    scored.map((person) => person.calls.filter(isDecided)),
    request.histories,
    seed,
  )
  const people = played ? withBands(scored, played) : scored
  return {
    asOf,
    mode,
    rule,
    pricesThrough: Object.fromEntries(
      called.map((key) => [key, histories[key]?.series.finalThrough ?? null]),
    ),
    people: people.toSorted(byBand),
    yardsticks: yardsticks.map((caller) => ({ ...personScore(caller, priors), band: null })),
    totals: [null, ...called].map((asset) => totalsOf(asset, calls, played?.hits.get(asset))),
    years: yearScores(histories, calls, request.histories, seed),
    priors,
    hasRecordedBefore:
      scored.filter(({ recorded }) => recorded.before.timeIsUp.n >= LEAST_CALLS).length >=
      LEAST_RECORDED_BEFORE,
    recordedSince,
  }
}

/** Says of whom luck alone does not do as well, or as badly (Benjamini–Hochberg at 10 %), and skill is as sure. */
function withBands(people: readonly PersonScore[], { ps }: Replay): PersonScore[] {
  const tested = (way: 'well' | 'badly') =>
    trueDiscoveries(people.map(({ band }, i) => (band ? (ps[i]?.[way] ?? null) : null)))
  const [above, below] = [tested('well'), tested('badly')]
  return people.map((person, i) => {
    const { band, skill } = person
    if (!band) return person
    const isAbove = above[i] && skill && skill.low > 0
    const isBelow = below[i] && skill && skill.high < 0
    return {
      ...person,
      band: isAbove ? 'above' : isBelow ? 'below' : 'unclear',
      replayed: ps[i]?.well ?? null,
    }
  })
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
  const first = made.reduce((day, { createdAt }) => Math.min(day, Date.parse(createdAt)), Infinity)
  const since = Number.isFinite(first) ? dayOfTime(first) : null
  const recordedSince = since !== null && (made[0]?.made ?? since) < since ? since : null
  return { histories, called, callers, yardsticks, recordedSince }
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

/** By band, then those with more decided calls, then by name. */
export function byBand(a: PersonScore<CountedCall>, b: PersonScore<CountedCall>): number {
  return (
    placeOf(a) - placeOf(b) ||
    (a.band ? b.decided.calls - a.decided.calls : 0) ||
    a.name.localeCompare(b.name, 'en') ||
    (a.slug < b.slug ? -1 : 1)
  )
}

function placeOf({ band }: PersonScore<CountedCall>): number {
  return band ? BANDS.indexOf(band) : BANDS.length
}

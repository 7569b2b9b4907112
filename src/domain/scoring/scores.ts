import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, type Day, addYears, isoDay, partsOf } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode, type RULE_VERSION } from '#domain/judging/verdict.ts'
import { BANDS, LEAST_CALLS, type CallFilter } from './call-filter.ts'
import {
  callerOf,
  fitPriors,
  isDecided,
  personScore,
  scoreCalls,
  type CountedCall,
  type PersonScore,
  decidedOf,
  type Decided,
  sinceRecorded,
} from './person-score.ts'
import {
  priceHistory,
  type PriceHistories,
  motionAt,
  positionAt,
  yearsBetween,
} from './price-history.ts'
import { sideOf } from './repeats.ts'
import { randomOf, replay, type Replay, type Margin } from './replay.ts'
import { type ScoredPrediction, type ScoredCall } from './scored-call.ts'

export const HISTORIES = 2_000
/** If this many people have enough calls recorded before their outcome, these are shown first. */
const LEAST_RECORDED_BEFORE = 5

export type ScoreRequest = {
  /** Iterated once. */
  readonly predictions: Iterable<ScoredPrediction>
  /** Bars of each asset, in any order; an asset without bars has no luck. */
  readonly bars: Readonly<Partial<Record<AssetKey, readonly AgreedBar[]>>>
  readonly asOf: Day
  readonly mode: JudgeMode
  readonly rule: typeof RULE_VERSION
  readonly seed: string
  readonly histories: number
}

export type Scores = {
  readonly asOf: Day
  readonly mode: JudgeMode
  readonly rule: number
  /** The last day with complete bars of each called asset; scores are as of then. */
  readonly pricesThrough: Readonly<Partial<Record<AssetKey, Day | null>>>
  /** By band, then those with more decided calls, then by name. */
  readonly people: readonly PersonScore[]
  /** Guessing callers on the same days, never ranked. */
  readonly yardsticks: readonly PersonScore[]
  readonly totals: readonly Totals[]
  /** Years in which decided calls were due, newest first. */
  readonly years: readonly YearScore[]
  readonly hasRecordedBefore: boolean
  /** The day of the first call recorded here, if earlier calls were collected afterwards. */
  readonly recordedSince: Day | null
}

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
    hasRecordedBefore:
      scored.filter(({ recorded }) => recorded.before.timeIsUp.n >= LEAST_CALLS).length >=
      LEAST_RECORDED_BEFORE,
    recordedSince,
  }
}

/** Assigns bands: luck rarely does as well, or as badly (Benjamini–Hochberg at 10%), and the skill interval agrees. */
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

/** Scored calls and data for later steps, which don't need the predictions. */
function callersOf({ predictions, bars, asOf, mode }: ScoreRequest) {
  // By id within a day, so that the input order does not matter.
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
  const yardsticks = (['guess', 'double'] as const)
    .filter((key) => calls[key].length > 0)
    .map((key) => callerOf(YARDSTICKS[key], scored(calls[key])))
  const first = made.reduce((day, { createdAt }) => Math.min(day, Date.parse(createdAt)), Infinity)
  const since = Number.isFinite(first) ? dayOfTime(first) : null
  const recordedSince = since !== null && (made[0]?.made ?? since) < since ? since : null
  return { histories, called, callers, yardsticks, recordedSince }
}

/** Histories of the called assets and of those they follow; empty without bars. */
function historiesOf(called: readonly AssetKey[], bars: ScoreRequest['bars'], asOf: Day) {
  if (called.length === 0) return {}
  return Object.fromEntries(
    ASSET_KEYS.filter((key) => called.includes(key) || (bars[key]?.length ?? 0) > 0).map((key) => [
      key,
      priceHistory(key, bars[key] ?? [], asOf),
    ]),
  )
}

/** By band, then those with more decided calls, then by name. */
function byBand(a: PersonScore<CountedCall>, b: PersonScore<CountedCall>): number {
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

/** Accepted share of false discoveries among people said to beat luck. */
const FALSE_DISCOVERIES = 0.1

/**
 * Which tests remain significant at this false discovery rate.
 *
 * @param ps null if not tested
 * @see Benjamini and Hochberg, "Controlling the false discovery rate" (1995)
 */
export function trueDiscoveries(ps: readonly (number | null)[]) {
  const rising = ps.filter((p) => p !== null).toSorted((a, b) => a - b)
  const limit = rising.findLast((p, i) => p <= (FALSE_DISCOVERIES * (i + 1)) / rising.length) ?? -1
  return ps.map((p) => p !== null && p <= limit)
}

/** Calls with luck from `from` to below `from` + 0.1. */
type LuckBin = Decided & { readonly from: number }

export type Totals = Decided & {
  /** null for all assets together. */
  readonly asset: AssetKey | null
  /** Ended calls, including those without luck. */
  readonly timeIsUp: number
  /** Margin of luck's hits; null without replays. */
  readonly margin: Margin | null
  readonly bins: readonly LuckBin[]
}

function totalsOf(
  asset: AssetKey | null,
  all: readonly CountedCall[],
  margin: Margin | null = null,
): Totals {
  const own = all.filter((call) => !asset || call.asset === asset)
  const calls = own.filter(isDecided)
  const bins = Array.from({ length: 10 }, (_, i): LuckBin => {
    const these = calls.filter(({ luck }) => Math.floor((luck ?? 0) * 10) === i)
    return { from: i / 10, ...decidedOf(these) }
  })
  const timeIsUp = own.filter(({ timeIsUp: isUp, repeats }) => isUp && repeats === null).length
  return { asset, timeIsUp, ...decidedOf(calls), margin, bins }
}

/** The standard normal quantile of 75%: a level this many deviations away is touched in half of all cases. */
const EVEN = 0.674_489_750_196_081_7

const YARDSTICKS = {
  guess: { slug: 'random-guesser', name: 'Random guesser' },
  double: { slug: 'always-double', name: 'Always ×2 in a year' },
} as const

/**
 * Calls of two baselines on each day with a real call, for the same asset: one guesses up or down, to a level touched
 * within a year in half of all cases; the other always predicts twice the price within a year.
 */
function yardstickCalls(histories: PriceHistories, predictions: readonly ScoredPrediction[]) {
  const guess: ScoredPrediction[] = []
  const double: ScoredPrediction[] = []
  const seen = new Set<string>()
  for (const { asset, made } of predictions) {
    const key = `${asset} ${isoDay(made)}`
    if (seen.has(key)) continue
    seen.add(key)
    const known = levelsOn(histories, asset, made, key)
    if (!known) continue
    const statement = { asset, made, from: null, by: known.by, createdAt: '1970-01-01T00:00:00Z' }
    guess.push({
      ...statement,
      id: `guess ${key}`,
      expert: YARDSTICKS.guess,
      claim: { type: 'target', usd: known.even },
    })
    double.push({
      ...statement,
      id: `double ${key}`,
      expert: YARDSTICKS.double,
      claim: { type: 'target', usd: known.twice },
    })
  }
  return { guess, double }
}

function levelsOn(histories: PriceHistories, asset: AssetKey, made: Day, key: string) {
  const history = histories[asset]
  if (!history) return null
  const at = positionAt(history, made)
  const usd = history.series.bars[at]?.close
  const motion = motionAt(histories, history, at)
  if (usd === undefined || !motion) return null
  const by = addYears(made, 1)
  const away = EVEN * motion.sigma * Math.sqrt(yearsBetween(history, made, by))
  const isUp = randomOf(`guess ${key}`)() < 0.5
  return { by, even: usd * Math.exp(isUp ? away : -away), twice: 2 * usd }
}

/** Ended calls with luck of one asset that were due in one year. */
export type YearScore = Decided & {
  readonly asset: AssetKey
  readonly year: number
  /** Chance that luck does as well in the replayed histories; null below five calls, or without histories. */
  readonly replayed: number | null
}

/**
 * Scores the years in which calls were due. Their calls are replayed together: they depend on the same price, so
 * treating them as independent would be wrong.
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

/** The years of one asset, replayed alone, so that an asset with too little history has no chance from others. */
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

/** People whose calls are compared. */
export type Narrowed<Call extends CountedCall> = {
  readonly people: readonly PersonScore<Call>[]
  readonly totals: Totals
}

export function narrow<Call extends CountedCall>(
  people: readonly {
    readonly slug: string
    readonly name: string
    readonly calls: readonly Call[]
  }[],
  filter: CallFilter,
): Narrowed<Call> {
  const callers = people.flatMap((person) => {
    const matching = person.calls.filter((call) => matchesFilter(call, filter))
    const calls = filter.recorded === 'before' ? sinceRecorded(matching) : matching
    return calls.length === 0 ? [] : [callerOf(person, calls)]
  })
  const priors = fitPriors(callers)
  return {
    people: callers
      .map((caller) => personScore(caller, priors))
      // Histories are replayed for all calls only.
      .map((person) => (person.band ? { ...person, band: 'untested' as const } : person))
      .toSorted(byBand),
    totals: totalsOf(
      filter.asset,
      callers.flatMap(({ calls }) => calls),
    ),
  }
}

function matchesFilter(call: CountedCall, filter: CallFilter): boolean {
  const { year } = partsOf(call.made)
  return (
    (filter.asset === null || call.asset === filter.asset) &&
    (filter.fromYear === null || year >= filter.fromYear) &&
    (filter.toYear === null || year <= filter.toYear) &&
    (filter.side === null || sideOf(call) === filter.side) &&
    (filter.recorded === null || (filter.recorded === 'before') === (call.sinceRecorded !== null))
  )
}

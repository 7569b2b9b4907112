import { type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Band, LEAST_CALLS } from './call-filter.ts'
import { yearsBetween, type PriceHistories } from './price-history.ts'
import { repeatsOf } from './repeats.ts'
import {
  logLevelOf,
  scoreCall,
  type Course,
  type ScoredCall,
  type ScoredPrediction,
} from './scored-call.ts'
import {
  fitRatePrior,
  shrunkenRate,
  type RatePrior,
  type ShrunkenRate,
  fitSkillPrior,
  likelihoodOf,
  skillOf,
  type Skill,
  type SkillPrior,
} from './skill.ts'

/** Limits the payout: luck counts as at least 2%. */
const LEAST_LUCK_PAID = 0.02

/** Ended calls; the 95% Wilson interval is null without any. */
type TimeIsUp = {
  readonly hits: number
  readonly n: number
  readonly low: number | null
  readonly high: number | null
}

/** Ended calls with luck: number, hits and expected hits. */
export type Decided = {
  readonly calls: number
  readonly hits: number
  readonly expected: number
}

export type Undated = { readonly calls: number; readonly low: number; readonly high: number }

type AgainstLuck = {
  readonly calls: number
  readonly observed: number
  readonly expected: number
  readonly variance: number
  readonly excess: number
  /** The excess in standard deviations; null without calls. */
  readonly z: number | null
}

export type CountedCall = Course &
  Pick<ScoredCall, 'asset' | 'repeats' | 'sinceRecorded'> &
  Partial<Pick<ScoredCall, 'span'>>

export type PersonScore<Call extends CountedCall = ScoredCall> = {
  readonly slug: string
  readonly name: string
  /** null with fewer than five decided calls that have luck. */
  readonly band: Band | null
  readonly timeIsUp: TimeIsUp
  readonly decided: Decided
  /** Calls dated to a month or year only, and the expected hits over their possible days. */
  readonly undated: Undated
  readonly againstLuck: AgainstLuck
  /** null without comparable calls. */
  readonly skill: Skill | null
  /** Shrunken rate of `timeIsUp`; null without ended calls. */
  readonly shrunken: ShrunkenRate | null
  /**
   * Calls whose window has not ended; `hits` came true already and count from their deadline. `expected` is what luck
   * said on the day they were made.
   */
  readonly open: Decided
  /** 1 less the mean luck of all calls, 0 to 1; null without luck. */
  readonly boldness: number | null
  /** Days from a call to its hit, over ended calls. */
  readonly medianDaysToHit: number | null
  /** Result of betting 100 sats per call at luck's odds; luck yields at most 100. Null without decided calls. */
  readonly sats: number | null
  /** Chance that luck does as well in the replayed histories; null without a band or histories. */
  readonly replayed: number | null
  /** Calls that were open when recorded here, scored from that day; and those recorded afterwards. */
  readonly recorded: { readonly before: Tally; readonly after: Tally }
  readonly lastCall: Day | null
  readonly calls: readonly Call[]
}

type Tally = Pick<AgainstLuck, 'calls' | 'observed' | 'expected'> & { readonly timeIsUp: TimeIsUp }

export type Priors = { readonly skill: SkillPrior; readonly rate: RatePrior }

/** The calls of one person, in the order they were made. */
export function scoreCalls(
  histories: PriceHistories,
  predictions: readonly ScoredPrediction[],
  mode: JudgeMode,
  asOf: Day,
): ScoredCall[] {
  const scored = predictions.flatMap((prediction) => {
    const history = histories[prediction.asset]
    return history ? [{ history, call: scoreCall(histories, history, prediction, mode, asOf) }] : []
  })
  scored.sort((a, b) => a.call.made - b.call.made || (a.call.id < b.call.id ? -1 : 1))
  const repeats = repeatsOf(
    scored
      .filter(({ call }) => call.noLuck !== 'void')
      .map(({ history, call }) => ({
        ...call,
        logLevel: logLevelOf(call),
        spread:
          call.motion &&
          call.motion.sigma * Math.sqrt(yearsBetween(history, call.made, call.window.to)),
      })),
  )
  return scored.map(({ call }) => ({ ...call, repeats: repeats.get(call.id) ?? null }))
}

export type Caller<Call extends CountedCall = ScoredCall> = {
  readonly slug: string
  readonly name: string
  readonly calls: readonly Call[]
  readonly timeIsUp: TimeIsUp
  /** Likelihood of its calls at each skill; null without comparable calls. */
  readonly likelihood: Float64Array | null
}

export function callerOf<Call extends CountedCall>(
  { slug, name }: { readonly slug: string; readonly name: string },
  calls: readonly Call[],
): Caller<Call> {
  const compared = calls.filter(isCompared)
  const likelihood = compared.length === 0 ? null : likelihoodOf(compared)
  return { slug, name, calls, timeIsUp: timeIsUpOf(calls), likelihood }
}

export function fitPriors(callers: readonly Caller<CountedCall>[]): Priors {
  const records = callers.map(({ timeIsUp }) => timeIsUp).filter(({ n }) => n > 0)
  return {
    skill: fitSkillPrior(callers.map(({ likelihood }) => likelihood).filter((one) => one !== null)),
    rate: fitRatePrior(records),
  }
}

export function personScore<Call extends CountedCall>(
  caller: Caller<Call>,
  priors: Priors,
): PersonScore<Call> {
  const { slug, name, calls, timeIsUp, likelihood } = caller
  const decided = calls.filter(isDecided)
  const hits = decided.filter(
    ({ outcome, direction }) => outcome === 'hit' && (direction === 'up' || direction === 'down'),
  )
  const days = hits.map(({ decided: day, made }) => (day ?? made) - made).toSorted((a, b) => a - b)
  const withLuck = calls.filter(({ luck, repeats }) => luck !== null && repeats === null)
  const tally = (these: readonly CountedCall[]): Tally => {
    const { calls: count, observed, expected } = againstLuckOf(these)
    return { timeIsUp: timeIsUpOf(these), calls: count, observed, expected }
  }
  return {
    slug,
    name,
    band: decided.length >= LEAST_CALLS ? 'unclear' : null,
    timeIsUp,
    decided: decidedOf(decided),
    undated: undatedOf(decided),
    againstLuck: againstLuckOf(calls),
    skill: likelihood && skillOf(likelihood, priors.skill),
    shrunken: timeIsUp.n === 0 ? null : shrunkenRate(timeIsUp, priors.rate),
    open: decidedOf(withLuck.filter(isOpen)),
    boldness: meanOf(withLuck, ({ luck }) => 1 - (luck ?? 0)),
    medianDaysToHit: days[Math.ceil(days.length / 2) - 1] ?? null,
    sats: satsOf(decided),
    replayed: null,
    recorded: {
      before: tally(sinceRecorded(calls)),
      after: tally(calls.filter((call) => call.sinceRecorded === null)),
    },
    lastCall: calls.at(-1)?.made ?? null,
    calls,
  }
}

/** Calls that were open when they were recorded here, as of that day. */
export function sinceRecorded<Call extends CountedCall>(calls: readonly Call[]): Call[] {
  return calls.flatMap((call) => (call.sinceRecorded ? [{ ...call, ...call.sinceRecorded }] : []))
}

type ComparedCall = CountedCall & { readonly observed: 0 | 1; readonly expected: number }

function isCompared<Call extends CountedCall>(call: Call): call is Call & ComparedCall {
  return call.repeats === null && call.observed !== null && call.expected !== null
}

export function isDecided({
  timeIsUp,
  luck,
  repeats,
}: Pick<CountedCall, 'timeIsUp' | 'luck' | 'repeats'>): boolean {
  return timeIsUp && luck !== null && repeats === null
}

export function decidedOf(calls: readonly Pick<CountedCall, 'outcome' | 'luck'>[]): Decided {
  return {
    calls: calls.length,
    hits: calls.filter(({ outcome }) => outcome === 'hit').length,
    expected: sum(calls, ({ luck }) => luck ?? 0),
  }
}

function undatedOf(calls: readonly Pick<CountedCall, 'luck' | 'span'>[]): Undated {
  return {
    calls: calls.filter(({ span }) => span).length,
    low: sum(calls, ({ luck, span }) => span?.low ?? luck ?? 0),
    high: sum(calls, ({ luck, span }) => span?.high ?? luck ?? 0),
  }
}

function timeIsUpOf(calls: readonly CountedCall[]): TimeIsUp {
  const up = calls.filter(({ timeIsUp, repeats }) => timeIsUp && repeats === null)
  const [n, { hits }] = [up.length, decidedOf(up)]
  return { hits, n, ...(n > 0 ? wilsonInterval(hits, n) : { low: null, high: null }) }
}

function againstLuckOf(calls: readonly CountedCall[]): AgainstLuck {
  const compared = calls.filter(isCompared)
  const observed = sum(compared, (call) => call.observed)
  const expected = sum(compared, (call) => call.expected)
  const variance = sum(compared, (call) => call.expected * (1 - call.expected))
  const excess = observed - expected
  const z = variance > 0 ? excess / Math.sqrt(variance) : null
  return { calls: compared.length, observed, expected, variance, excess, z }
}

function satsOf(calls: readonly CountedCall[]): number | null {
  return meanOf(calls, ({ outcome, luck }) => {
    const won = outcome === 'hit' ? 1 / Math.max(luck ?? 1, LEAST_LUCK_PAID) : 0
    return 100 * (0.5 + 0.5 * won)
  })
}

function isOpen({ observed, outcome, timeIsUp }: CountedCall): boolean {
  return !timeIsUp && (outcome === 'pending' || observed !== null)
}

/** null without calls. */
function meanOf<Call extends CountedCall>(calls: readonly Call[], valueOf: (call: Call) => number) {
  return calls.length === 0 ? null : sum(calls, valueOf) / calls.length
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  let total = 0
  for (const item of items) total += valueOf(item)
  return total
}

/** The standard normal quantile of 97.5%. */
const Z = 1.959963984540054

/**
 * The Wilson score interval of a share: unlike the normal one it stays within 0 to 1 and is sound for few trials.
 *
 * @param trials more than 0
 */
function wilsonInterval(hits: number, trials: number): { low: number; high: number } {
  const share = hits / trials
  const z2 = Z * Z
  const middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
  const half =
    (Z * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials))) / (1 + z2 / trials)
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

import { type Day } from '#domain/day.ts'
import { LEAST_VOTES } from './least-votes.ts'
import { upperMidP, type Vote } from './poisson-binomial.ts'
import { fitRatePrior, shrunkenRate, type RatePrior, type ShrunkenRate } from './shrunken-rate.ts'
import { logLevelOf, scoreCall, type ScoredCall, type ScoredPrediction } from './scored-call.ts'
import { fitSkillPrior, likelihoodOf, skillOf, type Skill, type SkillPrior } from './skill.ts'
import { wilsonInterval } from './wilson-interval.ts'
import { groupRepeated, votesOf } from './votes.ts'
import { yearsBetween, type PriceHistories } from './price-history.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'

/** Thirds and sevenths of votes do not add up to whole ones exactly. */
const ROUNDING = 1e-9
/** The luckiest call pays no more than this: its luck is taken as at least 2 %. */
const LEAST_LUCK_PAID = 0.02

/** Calls whose window has ended. Votes, so that hits and n may be parts of one; the 95 % Wilson interval, null for none. */
type TimeIsUp = {
  readonly hits: number
  readonly n: number
  readonly low: number | null
  readonly high: number | null
}

/** Hits up to today, or the deadline, against what the market line expected up to the same day; in votes. */
export type AgainstLuck = {
  readonly votes: number
  readonly observed: number
  readonly expected: number
  readonly variance: number
  readonly excess: number
  /** The excess in standard deviations; null without calls. */
  readonly z: number | null
  /** The chance that luck does as well (upper mid-p); null below five votes: too few. */
  readonly p: number | null
}

/** What a person's figures need of a call. */
export type CountedCall = Pick<
  ScoredCall,
  | 'asset'
  | 'direction'
  | 'made'
  | 'outcome'
  | 'decided'
  | 'votes'
  | 'group'
  | 'luck'
  | 'noLuck'
  | 'observed'
  | 'expected'
  | 'timeIsUp'
  | 'recorded'
>

export type PersonScore<Call extends CountedCall = ScoredCall> = {
  readonly slug: string
  readonly name: string
  /** At least five votes whose time is up; others have no place. */
  readonly isRanked: boolean
  readonly timeIsUp: TimeIsUp
  readonly againstLuck: AgainstLuck
  /** null without a call that can be compared with luck. */
  readonly skill: Skill | null
  /** The rate of `timeIsUp`; null when no time is up. */
  readonly shrunken: ShrunkenRate | null
  /**
   * Calls whose window has not ended, in votes; `hits` came true already and count from their deadline. `expected` is
   * what luck said on the day they were made.
   */
  readonly open: { readonly n: number; readonly hits: number; readonly expected: number }
  /** 1 less the mean luck of all calls, 0 to 1; null without luck. */
  readonly boldness: number | null
  /** From the day a call was made to its hit, days; of calls whose time is up; null without one. */
  readonly medianDaysToHit: number | null
  /** What 100 sats a call at luck's odds became; luck makes at most 100 of them. null when no time is up. */
  readonly sats: number | null
  /** The chance that luck does as well in the replayed histories; null when not ranked, or without histories. */
  readonly replayed: number | null
  /** The same figures of calls recorded here before and after their outcome. */
  readonly recorded: { readonly before: Tally; readonly after: Tally }
  /** The last day on which a call was made. */
  readonly lastCall: Day | null
  readonly calls: readonly Call[]
}

/** Decided calls and what luck expects, in votes. */
type Tally = {
  readonly timeIsUp: TimeIsUp
  readonly votes: number
  readonly observed: number
  readonly expected: number
}

/** How skill and rates are spread among all people. */
export type Priors = { readonly skill: SkillPrior; readonly rate: RatePrior }

/** The calls of one person, in the order they were made, with their votes. */
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
  const counted = scored.filter(({ call }) => call.noLuck !== 'void')
  const groups = groupRepeated(
    counted.map(({ history, call }) => ({
      ...call,
      logLevel: logLevelOf(call),
      spread:
        call.motion &&
        call.motion.sigma * Math.sqrt(yearsBetween(history, call.made, call.window.to)),
    })),
  )
  const votes = votesOf(groups)
  const places = new Map(counted.map(({ call }, i) => [call, i]))
  return scored
    .map(({ call }): ScoredCall => {
      const place = places.get(call)
      return place === undefined
        ? { ...call, votes: 0, group: null }
        : { ...call, votes: votes[place] ?? 0, group: groups[place] ?? null }
    })
    .toSorted((a, b) => a.made - b.made || (a.id < b.id ? -1 : 1))
}

/** A person with its calls, before it is compared with others. */
export type Caller<Call extends CountedCall = ScoredCall> = {
  readonly slug: string
  readonly name: string
  readonly calls: readonly Call[]
  readonly timeIsUp: TimeIsUp
  /** How likely its calls are at each skill; null without a call that can be compared with luck. */
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
  const open = calls.filter(
    (call) => !call.timeIsUp && call.luck && call.noLuck === null && isOpen(call),
  )
  const paid = calls.filter((call) => call.timeIsUp && call.luck)
  const withLuck = calls.filter((call) => call.luck)
  const hits = paid.filter(({ outcome, direction }) => outcome === 'hit' && isReached(direction))
  const tally = (when: CountedCall['recorded']): Tally => {
    const these = calls.filter(({ recorded }) => recorded === when)
    const { votes, observed, expected } = sumsOf(these)
    return { timeIsUp: timeIsUpOf(these), votes, observed, expected }
  }
  return {
    slug,
    name,
    isRanked: isEnough(timeIsUp.n) && likelihood !== null,
    timeIsUp,
    againstLuck: againstLuckOf(calls),
    skill: likelihood && skillOf(likelihood, priors.skill),
    shrunken: timeIsUp.n === 0 ? null : shrunkenRate(timeIsUp, priors.rate),
    open: {
      n: sum(open, ({ votes }) => votes),
      hits: sum(open, ({ votes, outcome }) => (outcome === 'hit' ? votes : 0)),
      expected: sum(open, ({ votes, luck }) => votes * (luck ?? 0)),
    },
    boldness: meanOf(withLuck, ({ luck }) => 1 - (luck ?? 0)),
    medianDaysToHit: medianOf(hits),
    sats: satsOf(paid),
    replayed: null,
    recorded: { before: tally('before'), after: tally('after') },
    lastCall: calls.at(-1)?.made ?? null,
    calls,
  }
}

export function isEnough(votes: number): boolean {
  return votes >= LEAST_VOTES - ROUNDING
}

/** A call that can be compared with luck as of today. */
type ComparedCall = CountedCall & { readonly observed: 0 | 1; readonly expected: number }

function isCompared<Call extends CountedCall>(call: Call): call is Call & ComparedCall {
  return call.observed !== null && call.expected !== null
}

function timeIsUpOf(calls: readonly CountedCall[]): TimeIsUp {
  const up = calls.filter((call) => call.timeIsUp)
  const n = sum(up, ({ votes }) => votes)
  const hits = Math.min(
    n,
    sum(up, ({ votes, outcome }) => (outcome === 'hit' ? votes : 0)),
  )
  return { hits, n, ...(n > 0 ? wilsonInterval(hits, n) : { low: null, high: null }) }
}

function sumsOf(calls: readonly CountedCall[]) {
  const compared = calls.filter(isCompared)
  return {
    votes: sum(compared, ({ votes }) => votes),
    observed: sum(compared, ({ votes, observed }) => votes * observed),
    expected: sum(compared, ({ votes, expected }) => votes * expected),
    variance: sum(compared, ({ votes, expected }) => votes * expected * (1 - expected)),
  }
}

export function againstLuckOf(calls: readonly CountedCall[]): AgainstLuck {
  const sums = sumsOf(calls)
  const excess = sums.observed - sums.expected
  return {
    ...sums,
    excess,
    z: sums.variance > 0 ? excess / Math.sqrt(sums.variance) : null,
    p: isEnough(sums.votes) ? upperMidP(votesWithin(calls)) : null,
  }
}

function votesWithin(calls: readonly CountedCall[]): Vote[] {
  const groups = new Map<number | null, Vote[number][]>()
  for (const { group, votes, expected, observed } of calls.filter(isCompared)) {
    const vote = groups.get(group)
    const call = { share: votes, expected, observed }
    if (vote) vote.push(call)
    else groups.set(group, [call])
  }
  return [...groups.values()]
}

/** Sats that 100 become when half is kept and half is bet on the call, at the odds of luck, whatever the calls share. */
function satsOf(calls: readonly CountedCall[]): number | null {
  return meanOf(calls, ({ outcome, luck }) => {
    const won = outcome === 'hit' ? 1 / Math.max(luck ?? 1, LEAST_LUCK_PAID) : 0
    return 100 * (0.5 + 0.5 * won)
  })
}

function medianOf(hits: readonly CountedCall[]): number | null {
  const days = hits
    .flatMap(({ decided, made, votes }) =>
      decided === null ? [] : [{ days: decided - made, votes }],
    )
    .toSorted((a, b) => a.days - b.days)
  const half = sum(days, ({ votes }) => votes) / 2
  let seen = 0
  for (const { days: count, votes } of days) {
    seen += votes
    if (seen >= half - ROUNDING) return count
  }
  return null
}

function isOpen({ observed, outcome, timeIsUp }: CountedCall): boolean {
  return !timeIsUp && (outcome === 'pending' || observed !== null)
}

function isReached(direction: CountedCall['direction']): boolean {
  return direction === 'up' || direction === 'down'
}

/** The mean by votes; null without calls. */
function meanOf<Call extends CountedCall>(
  calls: readonly Call[],
  valueOf: (call: Call) => number,
): number | null {
  const votes = sum(calls, (call) => call.votes)
  return votes === 0 ? null : sum(calls, (call) => call.votes * valueOf(call)) / votes
}

export function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  let total = 0
  for (const item of items) total += valueOf(item)
  return total
}

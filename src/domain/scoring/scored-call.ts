import { type AssetKey } from '#domain/asset.ts'
import { levelsOf, makeClaim, type Claim } from '#domain/claim/claim.ts'
import { type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import {
  decidesAtEnd,
  goalOf,
  mustHold,
  type Direction,
  type JudgeMode,
  type Outcome,
  type Verdict,
} from '#domain/judging/verdict.ts'
import { luckWhenMade, meanLuck, type Span } from './call-odds.ts'
import { luckOf } from './luck.ts'
import { type PriceHistories, type PriceHistory } from './price-history.ts'
import { sideOf } from './repeats.ts'
import { type Motion, type NoLuck } from './touch.ts'

/** The fields of a prediction that scores need. */
export type ScoredPrediction = Statement & {
  readonly id: string
  readonly expert: { readonly name: string; readonly slug: string }
  readonly createdAt: string
  readonly verdicts?: Prediction['verdicts']
}

/** A call with its odds. */
export type ScoredCall = {
  readonly id: string
  readonly asset: AssetKey
  readonly claim: Claim
  readonly direction: Direction
  readonly made: Day
  readonly window: Verdict['window']
  /** The price when it was made, USD. */
  readonly usd: number | null
  readonly outcome: Outcome
  /** The deciding day; null while pending. */
  readonly decided: Day | null
  /** The id of the first statement of the same thesis, which is scored instead of this one. */
  readonly repeats: string | null
  /** Per year, from closes up to the day it was made; null with too few. */
  readonly motion: Motion | null
  /** Chance over the whole window; null if it cannot be computed, with the reason in `noLuck`. */
  readonly luck: number | null
  readonly noLuck: NoLuck | null
  /** Lowest and highest luck over its possible days; null if the day is known. */
  readonly span: Span | null
  /** 1 if it came true by the as-of day or its deadline, whichever is earlier; null if not comparable yet. */
  readonly observed: 0 | 1 | null
  readonly expected: number | null
  readonly expectedAsDated: number | null
  /** The price is seen only once a day. */
  readonly seenOnce: boolean
  readonly timeIsUp: boolean
  /**
   * The odds as of the day it was recorded here, if it was open then; unchanged for a call recorded at once. Null if it was
   * recorded after its outcome or after the as-of day.
   */
  readonly sinceRecorded: Course | null
}

/** How a call goes from a day on. */
export type Course = Pick<
  ScoredCall,
  | 'direction'
  | 'made'
  | 'outcome'
  | 'decided'
  | 'luck'
  | 'noLuck'
  | 'observed'
  | 'expected'
  | 'timeIsUp'
>

/**
 * Scores the calls of one person up to a day.
 *
 * @param histories up to the as-of day
 */
export function scoreCall(
  histories: PriceHistories,
  history: PriceHistory,
  prediction: ScoredPrediction,
  mode: JudgeMode,
  asOf: Day,
): Omit<ScoredCall, 'repeats'> {
  const call = courseOf(histories, history, prediction, mode, asOf)
  const recorded = dayOfTime(Date.parse(prediction.createdAt))
  if (recorded <= call.made) return { ...call, sinceRecorded: call }
  const isOpen = call.outcome === 'pending' || (call.decided ?? call.window.to) > recorded
  if (call.outcome === 'void' || !isOpen || recorded >= call.window.to || recorded > asOf) {
    return { ...call, sinceRecorded: null }
  }
  const { madePrecision: _day, ...statement } = prediction
  const claim = directedClaim(prediction.claim, call.direction)
  const later = { ...statement, claim, made: recorded }
  const sinceRecorded = courseOf(histories, history, later, mode, asOf)
  return { ...call, sinceRecorded }
}

function directedClaim(claim: Claim, direction: Direction): Claim {
  if (claim.type !== 'target') return claim
  const isBear = sideOf({ direction }) === 'bear'
  if (!decidesAtEnd(direction)) return { ...claim, direction: isBear ? 'down' : 'up' }
  return makeClaim(isBear ? 'top' : 'by-date', levelsOf(claim), { timing: 'at_end' })
}

function courseOf(
  histories: PriceHistories,
  history: PriceHistory,
  prediction: ScoredPrediction,
  mode: JudgeMode,
  asOf: Day,
): Omit<ScoredCall, 'repeats' | 'sinceRecorded'> {
  const { series } = history
  const verdict = judge(series, prediction, mode, asOf)
  const { window, direction, reference } = verdict
  const stored = prediction.verdicts?.[mode]
  const ruling = stored?.reason === 'overridden' ? stored : null
  const outcome = ruling?.outcome ?? verdict.outcome
  const decided = ruling ? ruling.day : verdict.day
  const end = series.finalThrough
  const isOver = end !== null && end >= series.lastSession(window.to)
  const isComplete = series.isComplete(window.from, isOver || end === null ? window.to : end)
  const timeIsUp = isOver && isComplete && (outcome === 'hit' || outcome === 'miss')
  const call = {
    id: prediction.id,
    asset: prediction.asset,
    claim: prediction.claim,
    direction,
    made: prediction.made,
    window,
    usd: reference?.usd ?? null,
    outcome,
    decided,
    timeIsUp,
  }
  const judged = { outcome, window, direction, reference }
  const found = luckWhenMade(histories, history, prediction, judged, mode)
  const notCompared = { observed: null, expected: null, expectedAsDated: null }
  if (found.noLuck !== null) {
    const { noLuck, motion } = found
    return { ...call, ...notCompared, noLuck, motion, luck: null, span: null, seenOnce: false }
  }
  const { luck, span, motion, noLuck, attempt, possible } = found
  const whole = { ...call, motion, luck, span, noLuck, seenOnce: attempt.seenOnce }
  const hasBegun = (series.bars.at(-1)?.day ?? -Infinity) >= window.from
  const isCompared = isComplete && (isOver || (!ruling && !decidesAtEnd(direction) && hasBegun))
  // By closes it was not reached, and luck is asked about closes: excluding near misses would favour everybody.
  const isOutOfReach = verdict.reason === 'needs-range' && !ruling
  if (!isCompared || end === null || (isOver && !timeIsUp && !isOutOfReach)) {
    return { ...whole, ...notCompared }
  }
  const through = isOver ? attempt.through : end
  const isTrueSoFar = mustHold(direction) ? outcome !== 'miss' : outcome === 'hit'
  return {
    ...whole,
    observed: isTrueSoFar ? 1 : 0,
    expected: isOver ? luck : meanLuck(history, possible, end).luck,
    expectedAsDated: luckOf(history, { ...attempt, through }, motion),
  }
}

export function logLevelOf({ claim, direction }: Pick<ScoredCall, 'claim' | 'direction'>): number {
  const { min, max } = goalOf(direction, levelsOf(claim))
  if (min === 0) return Math.log(max)
  return max === Infinity ? Math.log(min) : (Math.log(min) + Math.log(max)) / 2
}

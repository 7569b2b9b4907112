import { type AssetKey } from '#domain/asset.ts'
import { levelsOf, type Claim } from '#domain/claim/claim.ts'
import { type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { sessionOf } from '#domain/judging/session.ts'
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
import { luckOf } from './luck.ts'
import { type NoLuck } from './odds.ts'
import { luckWhenMade, meanLuck, type Span } from './call-odds.ts'
import { type PriceHistories, type PriceHistory } from './price-history.ts'
import { type Motion } from './touch.ts'

/** What scores need of a prediction; a published `Prediction` is one. */
export type ScoredPrediction = Statement & {
  readonly id: string
  readonly expert: { readonly name: string; readonly slug: string }
  /** When it was recorded here. */
  readonly createdAt: string
  /** The published verdicts: only those that an administrator set by hand are read. */
  readonly verdicts?: Prediction['verdicts']
}

/** One call with what luck would have made of it. */
export type ScoredCall = {
  readonly id: string
  readonly asset: AssetKey
  readonly claim: Claim
  readonly direction: Direction
  readonly made: Day
  readonly window: Verdict['window']
  /** The price when it was made, USD; null when it is not known. */
  readonly usd: number | null
  readonly outcome: Outcome
  /** The day that decided it; null while pending. */
  readonly decided: Day | null
  /** The id of the first statement that says the same: it counts, and this call counts nowhere. null for a first one. */
  readonly repeats: string | null
  /** A year, from closes up to the day it was made; null without luck. */
  readonly motion: Motion | null
  /** The chance of the whole window; null when it cannot be computed: `noLuck` says why. */
  readonly luck: number | null
  readonly noLuck: NoLuck | null
  /** The lowest and highest luck over the days on which it may have been made; null where that day is known. */
  readonly span: Span | null
  /** 1 when it came true up to the as-of day or its deadline, what comes first; null when that cannot be compared yet. */
  readonly observed: 0 | 1 | null
  /** What luck expected up to the same day. */
  readonly expected: number | null
  /** The same as if it had been made on the day it carries, which is what histories replay. */
  readonly expectedAsDated: number | null
  /** The price is taken as seen once a day. */
  readonly seenOnce: boolean
  /** Its window has ended, with all its prices, and it was decided. */
  readonly timeIsUp: boolean
  /** Whether the record here is older than the bar that decided it. */
  readonly recorded: 'before' | 'after'
  /**
   * How it did against luck from the day on which it was recorded here, as if it had been made then; null unless it was
   * recorded before its outcome and can be compared.
   */
  readonly sinceRecorded: {
    readonly observed: 0 | 1
    readonly expected: number
    readonly timeIsUp: boolean
  } | null
}

type AsMade = Omit<ScoredCall, 'repeats' | 'sinceRecorded'>

/**
 * Scores one call up to a day.
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
  const call = scoreAsMade(histories, history, prediction, mode, asOf)
  const { made, by, createdAt } = prediction
  const day = dayOfTime(Date.parse(createdAt))
  const isKnown = call.recorded === 'before' && call.outcome !== 'void' && day < by
  // Judged from its own day, hits from before the recording would be missing, and with them what luck expects of those days.
  const since = !isKnown
    ? null
    : day <= made
      ? call
      : scoreAsMade(
          histories,
          history,
          { ...prediction, made: day, madePrecision: 'day' },
          mode,
          asOf,
        )
  return {
    ...call,
    sinceRecorded:
      since === null || since.observed === null || since.expected === null
        ? null
        : { observed: since.observed, expected: since.expected, timeIsUp: since.timeIsUp },
  }
}

function scoreAsMade(
  histories: PriceHistories,
  history: PriceHistory,
  prediction: ScoredPrediction,
  mode: JudgeMode,
  asOf: Day,
): AsMade {
  const { series } = history
  const verdict = judge(series, prediction, mode, asOf)
  const { window, direction, reference } = verdict
  const ruling = rulingOf(prediction, mode)
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
    recorded: recordedOf(history, prediction, outcome, decided ?? window.to, asOf),
  }
  const judged = { outcome, window, direction, reference }
  const found = luckWhenMade(histories, history, prediction, judged, mode)
  if (found.noLuck !== null) {
    const none = {
      motion: null,
      luck: null,
      span: null,
      observed: null,
      expected: null,
      expectedAsDated: null,
      seenOnce: false,
    }
    return { ...call, ...none, noLuck: found.noLuck }
  }
  const { luck, span, motion, noLuck, attempt, possible } = found
  const whole = { ...call, motion, luck, span, noLuck, seenOnce: attempt.seenOnce }
  const isCompared =
    isComplete &&
    (ruling ? isOver : isOver || (!decidesAtEnd(direction) && hasBegun(history, window.from)))
  // By closes alone it was not reached, which is what luck is asked then: to leave near misses out would favour everybody.
  const isOutOfReach = verdict.reason === 'needs-range' && !ruling
  if (!isCompared || end === null || (isOver && !timeIsUp && !isOutOfReach)) {
    return { ...whole, observed: null, expected: null, expectedAsDated: null }
  }
  const through = isOver ? attempt.through : end
  return {
    ...whole,
    observed: isTrueSoFar(outcome, direction) ? 1 : 0,
    expected: isOver ? luck : meanLuck(history, possible, end).luck,
    expectedAsDated: luckOf(history, { ...attempt, through }, motion),
  }
}

/** What an administrator set by hand, which no price changes. */
function rulingOf({ verdicts }: ScoredPrediction, mode: JudgeMode): Verdict | null {
  const verdict = verdicts?.[mode]
  return verdict?.reason === 'overridden' ? verdict : null
}

function isTrueSoFar(outcome: Outcome, direction: Direction): boolean {
  return mustHold(direction) ? outcome !== 'miss' : outcome === 'hit'
}

function hasBegun({ series }: PriceHistory, from: Day): boolean {
  const last = series.bars.at(-1)
  return last !== undefined && last.day >= from
}

/** A call that is open counts as recorded before its outcome if it was here by the as-of day. */
function recordedOf(
  { series }: PriceHistory,
  { createdAt }: ScoredPrediction,
  outcome: Outcome,
  deciding: Day,
  asOf: Day,
): 'before' | 'after' {
  const at = outcome === 'pending' ? ((asOf + 1) as Day) : series.lastSession(deciding)
  const begin = sessionOf(series.calendar, at)?.begin ?? at * 86_400_000
  return Date.parse(createdAt) < begin ? 'before' : 'after'
}

/** ln of the level that decides; of a range that the price was in, its middle. */
export function logLevelOf({ claim, direction }: Pick<ScoredCall, 'claim' | 'direction'>): number {
  const { min, max } = goalOf(direction, levelsOf(claim))
  if (min === 0) return Math.log(max)
  return max === Infinity ? Math.log(min) : (Math.log(min) + Math.log(max)) / 2
}

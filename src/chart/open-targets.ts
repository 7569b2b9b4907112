import { levelsOf } from '#domain/claim/claim.ts'
import { dueDay, type Prediction, type Drawn } from '#domain/claim/prediction.ts'
import { startOfPrecision, type Day, addYears } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { median } from '#domain/level-figures.ts'
import { chartName, drawnClaim } from './marks.ts'
import { type Span, axisUsd } from './scale.ts'
import { FRAME_YEARS, type TimeFrame, type ViewState } from './view-state.ts'

export type OpenTarget = {
  readonly name: string
  readonly votes: number
  readonly days: Span
  /** USD; both ends are equal for a single level. */
  readonly prices: Span
}

export type OpenTargets = {
  readonly targets: readonly OpenTarget[]
  /** Number of open tops and bottoms, which are limits and not included as targets. */
  readonly limits: number
  /** Total number of open calls with a target, if `targets` is truncated. */
  readonly total?: number
}

export function openTargets(predictions: readonly Prediction[], mode: JudgeMode, today: Day) {
  const targets: OpenTarget[] = []
  let limits = 0
  for (const prediction of predictions) {
    if (prediction.excludeFromChart || prediction.verdicts[mode].outcome !== 'pending') continue
    const claim = drawnClaim(prediction)
    if (claim.type === 'top' || claim.type === 'bottom') {
      limits += 1
      continue
    }
    const { min, max } = levelsOf(claim)
    const days = periodOf(prediction, today)
    // Ignore levels that are not above zero.
    if (min > 0 && max >= min && [max, ...days].every(Number.isFinite)) {
      const { voteScore: votes } = prediction
      targets.push({ name: chartName(prediction), votes, days, prices: [min, max] })
    }
  }
  return { targets, limits }
}

function periodOf(prediction: Prediction, today: Day): Span {
  const { claim, from, by, byPrecision, deadlineAssumed } = prediction
  const due = dueDay(prediction)
  const known = deadlineAssumed ? by : startOfPrecision(by, byPrecision)
  const start = from !== null && claim.type !== 'target' ? from : known
  return [Math.min(due, Math.max(start, today)), due]
}

export type MedianTarget = {
  readonly usd: number
  readonly count: number
  readonly days: Span
  readonly label: string
}

const MEDIAN_YEARS = 10

/**
 * The median level of drawn pending predictions due within the time frame, counted from today; ALL means ten years. A
 * range counts as its middle. Tops and bottoms are limits, not targets, and are ignored.
 *
 * @returns null if there are none
 * @see public-site.md §9, "Time frames"
 */
export function medianTarget(
  predictions: readonly Drawn[],
  mode: JudgeMode,
  frame: TimeFrame | null,
  today: Day,
): MedianTarget | null {
  const until = addYears(today, (frame && FRAME_YEARS[frame]) ?? MEDIAN_YEARS)
  const levels: number[] = []
  for (const prediction of predictions) {
    const { claim, verdicts } = prediction
    if (prediction.excludeFromChart || verdicts[mode].outcome !== 'pending') continue
    if (claim.type === 'top' || claim.type === 'bottom') continue
    const due = dueDay(prediction)
    const { min, max } = levelsOf(claim)
    const middle = (min + max) / 2
    if (due >= today && due <= until && Number.isFinite(middle)) levels.push(middle)
  }
  const usd = median(levels)
  if (usd === null) return null
  return {
    usd,
    count: levels.length,
    days: [today, until],
    label: `median target ${axisUsd(usd)}`,
  }
}

export type BeforeTargets = {
  /** The requested view; null once applied. */
  view: ViewState | null
  back: (now: ViewState) => ViewState
}

import { dueDay } from '#domain/claim/due-day.ts'
import { dayOf, partsOf, type DatePrecision, type Day } from '#domain/day.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { chartName, drawnClaim } from './marks.ts'
import { type Span } from './scale.ts'

/** Where a call that is still open aims. */
export type OpenTarget = {
  /** Whose call it is. */
  readonly name: string
  /** Sats that support it. */
  readonly votes: number
  /** The period of its deadline, or of a window that was named. */
  readonly days: Span
  /** USD; equal for one level. */
  readonly prices: Span
}

/** The open calls of an asset that aim at a price. */
export type OpenTargets = {
  readonly targets: readonly OpenTarget[]
  /** How many open tops and bottoms there are: they are limits, not targets, and left out. */
  readonly limits: number
  /** How many open calls aim at a price, where not all of them are in `targets`. */
  readonly total?: number
}

/** Where the open calls aim: at their deadline, or in the month or year of it where no more of it is known. */
export function openTargets(
  predictions: readonly Prediction[],
  mode: JudgeMode,
  today: Day,
): OpenTargets {
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
    // Nothing aims at a price that is not above zero.
    if (min > 0 && max >= min && [max, ...days].every(Number.isFinite)) {
      const { voteScore: votes } = prediction
      targets.push({ name: chartName(prediction), votes, days, prices: [min, max] })
    }
  }
  return { targets, limits }
}

/** What is over of a period is left out. */
function periodOf(prediction: Prediction, today: Day): Span {
  const { claim, from, by, byPrecision, deadlineAssumed } = prediction
  const due = dueDay(prediction)
  const known = deadlineAssumed ? by : startOfPrecision(by, byPrecision)
  const start = from !== null && claim.type !== 'target' ? from : known
  return [Math.min(due, Math.max(start, today)), due]
}

function startOfPrecision(day: Day, precision: DatePrecision): Day {
  const { year, month } = partsOf(day)
  switch (precision) {
    case 'day':
      return day
    case 'month':
      return dayOf(year, month, 1)
    case 'year':
      return dayOf(year, 1, 1)
  }
}

import { dueDay } from '#domain/claim/due-day.ts'
import { addYears, type Day } from '#domain/day.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { median } from '#domain/median.ts'
import { type Span } from './scale.ts'
import { axisUsd } from './usd.ts'
import { type TimeFrame } from './view-state.ts'

/** The middle level of pending predictions, drawn from today to the end of the time frame. */
export type MedianTarget = {
  readonly usd: number
  readonly count: number
  readonly days: Span
  readonly label: string
}

const YEARS_AHEAD: Readonly<Record<TimeFrame, number>> = {
  ALL: 10,
  '1Y': 1,
  '2Y': 2,
  '3Y': 3,
  '5Y': 5,
}

/**
 * The median level of the drawn pending predictions that end within the time frame from today on; ALL means ten years
 * ahead. A range counts as its middle. Tops and bottoms are limits, not targets, and do not count.
 *
 * @returns null when no such prediction is drawn
 * @see public-site.md §9, "Time frames"
 */
export function medianTarget(
  predictions: readonly Drawn[],
  mode: JudgeMode,
  frame: TimeFrame | null,
  today: Day,
): MedianTarget | null {
  const until = addYears(today, YEARS_AHEAD[frame ?? 'ALL'])
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

import { dueDay } from '#domain/claim/due-day.ts'
import { showDay, type DatePrecision, type Day } from '#domain/day.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { claimText, typeLabel } from '#domain/claim/text.ts'
import { splitNote } from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { chartName, drawnClaim, type MarkKind } from './marks.ts'

/** The words of the chart itself; cards say SUCCESS (public-site.md §4). */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  hit: 'HIT',
  miss: 'MISS',
  pending: 'PENDING',
  void: 'VOID',
}

/** What a tooltip says about a prediction besides its verdict. */
export type Facts = {
  readonly name: string
  readonly type: string
  readonly outcome: Outcome
  readonly level: string
  /** `said $1,800 = $180 today` after a split; or that the drawn level is not the claimed one. */
  readonly levelNote: string | null
  readonly made: string
  readonly due: string
  /** What the source did not say about its dates. */
  readonly dueNote: string | null
}

/** The facts of a prediction in words, dates no more precise than they are known. */
export function factsOf(prediction: Drawn, mode: JudgeMode): Facts {
  const { claim, made, madePrecision, by, byPrecision, from, verdicts } = prediction
  return {
    name: chartName(prediction),
    type: typeLabel(claim.type),
    outcome: verdicts[mode].outcome,
    level: claimText(claim),
    levelNote: levelNote(prediction),
    made: showDay(made, madePrecision),
    due:
      from === null ? showDay(by, byPrecision) : `${showDay(from)} – ${showDay(by, byPrecision)}`,
    dueNote: dueNote(prediction, byPrecision),
  }
}

/** A mark in one line for screen readers: `Tom Lee, target $25,000 by 31/12/2018, MISS`. */
export function spokenMark(
  prediction: Drawn,
  kind: MarkKind,
  days: readonly [number, number],
  mode: JudgeMode,
): string {
  const { name, type, outcome, level, due } = factsOf(prediction, mode)
  const claim = `${name}, ${type.toLowerCase()} ${level}, ${due}`
  const on = showDay(days[0] as Day)
  switch (kind) {
    case 'success':
      return `${claim}: came true on ${on}, ${OUTCOME_WORDS[outcome]}`
    case 'break':
      return `${claim}: broken on ${on}, ${OUTCOME_WORDS[outcome]}`
    case 'ahead':
      return `${claim}: made ${String(days[1] - days[0])} days ahead`
    case 'target':
    case 'range':
    case 'by-date':
    case 'top':
    case 'bottom':
      return `${claim}, ${OUTCOME_WORDS[outcome]}`
  }
}

function levelNote(prediction: Drawn): string | null {
  if (prediction.chartValue !== null) return `drawn at ${claimText(drawnClaim(prediction))}`
  return splitNote(prediction)
}

function dueNote(prediction: Drawn, precision: DatePrecision): string | null {
  if (prediction.deadlineAssumed)
    return `no deadline was named; ${showDay(dueDay(prediction))} is customary`
  switch (precision) {
    case 'day':
      return null
    case 'month':
      return `the source only says ${showDay(prediction.by, 'month')}; judged on ${showDay(dueDay(prediction))}`
    case 'year':
      return `the source only says ${showDay(prediction.by, 'year')}; judged on ${showDay(dueDay(prediction))}`
  }
}

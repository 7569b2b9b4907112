import { MODE_PRICES, outcomeOn } from '#domain/judging/verdict-text.ts'
import { setByHand } from '#domain/judging/set-by-hand.ts'
import { JUDGE_MODES, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { type AuditState } from '#server/kit/audit.ts'
import { type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { type NewVerdict } from '#server/judging/verdicts.rows.ts'
import { isSame } from '#domain/judging/same-verdict.ts'
import { restated, type JudgedOne } from '#server/judging/judging.service.ts'

export const FROZEN =
  'This prediction is frozen: its verdicts stay as they are. Unfreeze it first, then change it.'

/** What the site shows: what is on record, or the rule's word where nothing is yet. */
export function shownOf({ inForce, byRule }: JudgedOne): Record<JudgeMode, Verdict> {
  const shown = (mode: JudgeMode): Verdict => {
    const current = inForce[mode]
    // How near the price has come is computed again while a verdict is pending, and never recorded.
    if (!current || (current.change !== 'override' && isSame(current.verdict, byRule[mode]))) {
      return byRule[mode]
    }
    return current.verdict
  }
  return { touch: shown('touch'), close: shown('close') }
}

/** The verdicts once a statement was edited: an override goes on with the new level. */
export function followOf(before: JudgedOne, then: JudgedOne): Record<JudgeMode, Verdict> {
  const follow = (mode: JudgeMode): Verdict => {
    const current = before.inForce[mode]
    return current?.change === 'override'
      ? setByHand(then.byRule[mode], current.verdict.outcome)
      : then.byRule[mode]
  }
  return { touch: follow('touch'), close: follow('close') }
}

export function afterEdit(predictionId: string, before: JudgedOne, then: JudgedOne): NewVerdict[] {
  const follow = followOf(before, then)
  return JUDGE_MODES.flatMap((mode): NewVerdict[] => {
    const [current, verdict] = [before.inForce[mode], follow[mode]]
    if (current?.change === 'override') {
      const event = `Still set by an administrator, by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}.`
      return [{ predictionId, change: 'override', verdict, event }]
    }
    if (current && isSame(current.verdict, verdict)) return []
    return [restated(predictionId, current?.verdict ?? null, verdict)]
  })
}

export function outcomesOf(judged: JudgedOne, fresh: readonly NewVerdict[]): AuditState {
  return Object.fromEntries(
    fresh.map(({ verdict: { mode } }) => [mode, judged.inForce[mode]?.verdict.outcome ?? null]),
  )
}

export function warningsOf(
  stored: StoredPrediction,
  judged: JudgedOne,
  after: Record<JudgeMode, Verdict>,
  isStatement: boolean,
): string[] {
  const warnings: string[] = []
  const set = JUDGE_MODES.filter((mode) => judged.inForce[mode]?.change === 'override')
  if (isStatement && stored.frozenAt !== null) warnings.push(FROZEN)
  if (isStatement && set.length > 0) {
    warnings.push(
      `The verdict by ${set.map((mode) => MODE_PRICES[mode]).join(' and by ')} is set by hand and stays that way.`,
    )
  }
  if (after.touch.outcome === 'void') {
    warnings.push(
      'By intraday prices this would be void: the price was already there when it was said.',
    )
  }
  if (stored.withdrawn) warnings.push('This prediction is withdrawn; only its page shows it.')
  return warnings
}

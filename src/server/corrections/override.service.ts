import { MODE_PRICES, outcomeOn } from '#domain/judging/verdict-text.ts'
import { addVerdicts, type NewVerdict } from '#server/judging/verdicts.rows.ts'
import {
  type CorrectionKit,
  type Asked,
  changePublished,
  needReason,
} from './change-published.service.ts'
import { today } from '#server/kit/now.ts'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { reasonText } from '#domain/correction.ts'
import { JUDGE_MODES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { setByHand } from '#domain/judging/set-by-hand.ts'
import { FROZEN, outcomesOf } from './verdicts-after.ts'
import { judgeOne, type JudgedOne } from '#server/judging/judging.service.ts'

type AskedModes = Asked & { readonly mode: JudgeMode | 'both' }
type Decision = Pick<NewVerdict, 'verdict' | 'event'>

/** Writes the verdicts that are decided for each mode that is asked for. @throws AppError `conflict` while frozen */
function decide(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  { mode, ...asked }: AskedModes,
  change: 'override' | 'lift',
  decision: (judged: JudgedOne, mode: JudgeMode) => Decision | null,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    needReason(asked.reason, 'Please say why: the reason is shown in its public history.')
    if (stored.frozenAt !== null) throw failure('conflict', FROZEN)
    const judged = await judgeOne(tx, stored, today(kit))
    const fresh = (mode === 'both' ? JUDGE_MODES : [mode]).flatMap((one): NewVerdict[] => {
      const decided = decision(judged, one)
      if (!decided) return []
      const event = `${decided.event}.${reasonText(asked.reason)}`
      return [{ predictionId: id, change, verdict: decided.verdict, event }]
    })
    if (fresh.length === 0) throw failure('conflict', 'None of its verdicts was set by hand.')
    await addVerdicts(tx, fresh)
    return {
      action: change === 'override' ? 'verdict overridden' : 'override lifted',
      before: outcomesOf(judged, fresh),
      after: Object.fromEntries(fresh.map(({ verdict }) => [verdict.mode, verdict.outcome])),
      set: {},
    }
  })
}

export function override(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  { outcome, ...asked }: AskedModes & { readonly outcome: Outcome },
): Promise<AdminPrediction> {
  return decide(kit, admin, id, asked, 'override', (judged, mode) => {
    const verdict = setByHand(judged.byRule[mode], outcome)
    const before = judged.inForce[mode]?.verdict
    const was = before ? `, before ${outcomeOn(before)}` : ''
    return {
      verdict,
      event: `Set by an administrator, by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}${was}`,
    }
  })
}

export function lift(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  asked: AskedModes,
): Promise<AdminPrediction> {
  return decide(kit, admin, id, asked, 'lift', (judged, mode) => {
    const verdict = judged.byRule[mode]
    const event = `The rule decides again, by ${MODE_PRICES[mode]}: ${outcomeOn(verdict)}`
    return judged.inForce[mode]?.change === 'override' ? { verdict, event } : null
  })
}

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
import { FROZEN, outcomesOf, setByHand } from './verdicts-after.ts'
import { describe, judgeOne } from '#server/judging/judging.service.ts'

type Modes = JudgeMode | 'both'

function modesOf(mode: Modes): readonly JudgeMode[] {
  return mode === 'both' ? JUDGE_MODES : [mode]
}

export function override(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  { mode, outcome, ...asked }: Asked & { mode: Modes; outcome: Outcome },
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    needReason(asked.reason, 'Please say why: the reason is shown in its public history.')
    if (stored.frozenAt !== null) throw failure('conflict', FROZEN)
    const judged = await judgeOne(tx, stored, today(kit))
    const fresh = modesOf(mode).map((one): NewVerdict => {
      const verdict = setByHand(judged.byRule[one], outcome)
      const before = judged.inForce[one]?.verdict
      const was = before ? `, before ${describe(before)}` : ''
      return {
        predictionId: id,
        change: 'override',
        verdict,
        event: `Set by an administrator by ${one}: ${describe(verdict)}${was}.${reasonText(asked.reason)}`,
      }
    })
    await addVerdicts(tx, fresh)
    return {
      action: 'verdict overridden',
      before: outcomesOf(judged, fresh),
      after: Object.fromEntries(fresh.map(({ verdict }) => [verdict.mode, verdict.outcome])),
      set: {},
    }
  })
}

export function lift(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  { mode, ...asked }: Asked & { mode: Modes },
) {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    needReason(asked.reason, 'Please say why: the reason is shown in its public history.')
    if (stored.frozenAt !== null) throw failure('conflict', FROZEN)
    const judged = await judgeOne(tx, stored, today(kit))
    const set = modesOf(mode).filter((one) => judged.inForce[one]?.change === 'override')
    if (set.length === 0) throw failure('conflict', 'No verdict of this is set by hand.')
    const fresh = set.map((one): NewVerdict => {
      const verdict = judged.byRule[one]
      return {
        predictionId: id,
        change: 'rules',
        verdict,
        event: `The rule decides again by ${one}: ${describe(verdict)}.${reasonText(asked.reason)}`,
      }
    })
    await addVerdicts(tx, fresh)
    return {
      action: 'override lifted',
      before: outcomesOf(judged, fresh),
      after: Object.fromEntries(fresh.map(({ verdict }) => [verdict.mode, verdict.outcome])),
      set: {},
    }
  })
}

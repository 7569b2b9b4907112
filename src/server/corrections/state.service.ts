import {
  type CorrectionKit,
  type Asked,
  changePublished,
  needReason,
  catchUp,
  FROZEN,
  outcomesOf,
} from './change-published.service.ts'
import { isoNow, today } from '#server/kit/now.ts'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { reasonText } from '#domain/correction.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { addEvents, addVerdicts, type NewVerdict } from '#server/judging/verdicts.rows.ts'
import { MODE_PRICES, outcomeOn } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { setByHand } from '#domain/judging/same-verdict.ts'
import { judgeOne, type JudgedOne } from '#server/judging/judging.service.ts'

/** The two states that an administrator puts a prediction in and takes it out of; taking it out needs no reason. */
const CHANGES = {
  frozen: {
    state: 'frozen',
    reasonNeeded: 'Please say why: the reason is shown in its public history.',
    refusal: 'This prediction is already frozen.',
    text: 'Frozen: its verdicts stay as they are, whatever prices come.',
  },
  thawed: {
    state: 'frozen',
    reasonNeeded: null,
    refusal: 'This prediction is not frozen.',
    text: 'No longer frozen: its verdicts follow the prices again.',
  },
  withdrawn: {
    state: 'withdrawn',
    reasonNeeded: 'Please say why: the reason is shown on its page.',
    refusal: 'This prediction is already withdrawn.',
    text: 'Withdrawn from lists, charts and track records.',
  },
  restored: {
    state: 'withdrawn',
    reasonNeeded: null,
    refusal: 'This prediction is not withdrawn.',
    text: 'Back on lists, charts and track records.',
  },
} as const

/** Freezes or withdraws, or ends either; verdicts then follow the prices of the time between. @throws AppError `conflict` where it is so already */
export function changeState(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  asked: Asked,
  kind: keyof typeof CHANGES,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    const { state, reasonNeeded, refusal, text } = CHANGES[kind]
    const isOn = state === kind
    if (reasonNeeded !== null) needReason(asked.reason, reasonNeeded)
    const wasOn = (state === 'frozen' ? stored.frozenAt : stored.withdrawn) !== null
    if (wasOn === isOn) throw failure('conflict', refusal)
    // Prices up to now still count.
    if (kind === 'frozen') await catchUp(kit, tx, stored)
    await addEvents(tx, [{ predictionId: id, kind, text: `${text}${reasonText(asked.reason)}` }])
    if (kind === 'thawed') await catchUp(kit, tx, { ...stored, frozenAt: null })
    if (kind === 'restored') await catchUp(kit, tx, { ...stored, withdrawn: null })
    const at = isOn ? isoNow(kit) : null
    return {
      action: `prediction ${kind}`,
      before: { [state]: wasOn },
      after: { [state]: isOn },
      set:
        state === 'frozen'
          ? { frozenAt: at }
          : { withdrawnAt: at, withdrawnReason: isOn ? asked.reason : null },
    }
  })
}

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

import {
  type CorrectionKit,
  type Asked,
  changePublished,
  needReason,
  catchUp,
} from './change-published.service.ts'
import { isoNow } from '#server/kit/now.ts'
import { type AdminPrediction } from '#contracts/corrections.ts'
import { reasonText } from '#domain/correction.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { addEvents } from '#server/judging/verdicts.rows.ts'

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

/**
 * Freezes the verdicts of a prediction or takes it off lists, charts and track records, or ends either; verdicts then
 * follow the prices of the time between, too. @throws AppError `conflict` where it is so already
 */
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
    // What the prices say up to now still counts.
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

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

/** Keeps the verdicts of a prediction as they are, whatever prices come. @throws AppError `conflict` */
export function freeze(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  asked: Asked,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    needReason(asked.reason, 'Please say why: the reason is shown in its public history.')
    if (stored.frozenAt !== null) throw failure('conflict', 'This prediction is frozen already.')
    // What the prices say up to now still counts.
    await catchUp(kit, tx, stored)
    const text = `Frozen: its verdicts stay as they are, whatever prices come.${reasonText(asked.reason)}`
    await addEvents(tx, [{ predictionId: id, kind: 'frozen', text }])
    return {
      action: 'prediction frozen',
      before: { frozen: false },
      after: { frozen: true },
      set: { frozenAt: isoNow(kit) },
    }
  })
}

/** Lets the verdicts follow the prices again, also those of the time between. @throws AppError `conflict` */
export function thaw(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  asked: Asked,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    if (stored.frozenAt === null) throw failure('conflict', 'This prediction is not frozen.')
    const text = `No longer frozen: its verdicts follow the prices again.${reasonText(asked.reason)}`
    await addEvents(tx, [{ predictionId: id, kind: 'thawed', text }])
    await catchUp(kit, tx, { ...stored, frozenAt: null })
    return {
      action: 'prediction thawed',
      before: { frozen: true },
      after: { frozen: false },
      set: { frozenAt: null },
    }
  })
}

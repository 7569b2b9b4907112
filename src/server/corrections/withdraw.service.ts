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

/** Takes a prediction off lists, charts and track records; its page stays and says why. @throws AppError `conflict` */
export function withdraw(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  asked: Asked,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    needReason(asked.reason, 'Please say why: the reason is shown on its page.')
    if (stored.withdrawn) throw failure('conflict', 'This prediction is withdrawn already.')
    const text = `Withdrawn from lists, charts and track records.${reasonText(asked.reason)}`
    await addEvents(tx, [{ predictionId: id, kind: 'withdrawn', text }])
    return {
      action: 'prediction withdrawn',
      before: { withdrawn: false },
      after: { withdrawn: true },
      set: { withdrawnAt: isoNow(kit), withdrawnReason: asked.reason },
    }
  })
}

/** Puts a withdrawn prediction back, with the verdicts of the time between. @throws AppError `conflict` */
export function restore(
  kit: CorrectionKit,
  admin: Admin,
  id: string,
  asked: Asked,
): Promise<AdminPrediction> {
  return changePublished(kit, admin, id, asked, async (tx, stored) => {
    if (!stored.withdrawn) throw failure('conflict', 'This prediction is not withdrawn.')
    const text = `Back on lists, charts and track records.${reasonText(asked.reason)}`
    await addEvents(tx, [{ predictionId: id, kind: 'restored', text }])
    await catchUp(kit, tx, { ...stored, withdrawn: null })
    return {
      action: 'prediction restored',
      before: { withdrawn: true },
      after: { withdrawn: false },
      set: { withdrawnAt: null, withdrawnReason: null },
    }
  })
}

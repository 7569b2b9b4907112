import { failure } from '#server/kit/failure.ts'
import { type Db } from '#server/kit/db.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { predictionById, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { orderPayment, type Caller, type InvoiceAnswer } from './order-payment.service.ts'
import { type PaymentsKit } from './payments-kit.ts'

const WITHDRAWN =
  'This prediction has been withdrawn, so it cannot be boosted. Nothing was charged.'

/** Makes an invoice whose sats support a published prediction. */
export function orderBoost(
  kit: PaymentsKit,
  predictionId: string,
  amount: unknown,
  by: Caller,
): Promise<InvoiceAnswer> {
  const fingerprint = sha256(JSON.stringify(['boost', predictionId, String(amount).trim()]))
  const prepare = async () => {
    const { id } = await boosted(kit.db, predictionId)
    return (_: Db, add: (of: { purpose: 'boost'; predictionId: string }) => Promise<boolean>) =>
      add({ purpose: 'boost', predictionId: id })
  }
  return orderPayment(kit, { amount, fingerprint, prepare }, by)
}

/** @throws AppError when there is none, and when it takes no support */
export async function boosted(db: Db, id: string): Promise<StoredPrediction> {
  const found = await predictionById(db, id)
  if (!found) throw failure('not_found', 'There is no such prediction.')
  if (found.withdrawn) throw failure('conflict', WITHDRAWN)
  return found
}

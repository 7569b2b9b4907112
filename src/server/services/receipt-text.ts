import { dayOfTime, showDay } from '#domain/day.ts'
import { type Payment } from '#server/store/payments.ts'
import { type StoredSubmission } from '#server/store/submissions.ts'

/** A prediction that was live and is no longer. */
export const WITHDRAWN =
  'The submission was approved, and the prediction has been withdrawn since; its page says why.'

/** How a submission stands, for whoever reads its receipt. */
export function stateSentence(
  row: Pick<StoredSubmission, 'status' | 'paymentId' | 'predictionId'>,
  tries: readonly Pick<Payment, 'status'>[],
): string {
  switch (row.status) {
    case 'unpaid':
      return unpaidSentence(tries)
    case 'pending':
      return 'Payment received. The submission will be reviewed before going live.'
    case 'approved':
      return row.predictionId === null
        ? 'The submission has been approved and goes live shortly.'
        : 'The submission has been approved and is live.'
    case 'rejected':
      return 'The submission has been reviewed and was not published.'
  }
}

function unpaidSentence(tries: readonly Pick<Payment, 'status'>[]): string {
  const last = tries.at(-1)?.status
  if (last === 'pending') {
    return 'Waiting for the payment. You may close this page: the payment is noticed without it.'
  }
  if (last === 'expired') {
    return 'Not paid. The invoice has expired; should the payment still arrive, it counts.'
  }
  if (last === 'cancelled') {
    return 'Not paid. The payment was cancelled; should it still arrive, it counts.'
  }
  return 'Not paid yet.'
}

/** What to do about an odd case; null when there is none. */
export function hintOf(
  row: Pick<StoredSubmission, 'status' | 'paidSats'>,
  tries: readonly Pick<Payment, 'status' | 'lastError' | 'id' | 'watchUntil'>[],
  overpaidSats: number,
): string | null {
  if (overpaidSats > 0) {
    return `${String(overpaidSats)} sats arrived in addition, from another try to pay. They are noted for the administrator to give back: please write to us with the address of this receipt.`
  }
  const late = tries.find((one) => one.status === 'paid_late')
  if (late) return 'The payment arrived after the invoice had expired. It counts all the same.'
  const stuck = tries.find((one) => one.status === 'pending' && one.lastError !== null)
  if (stuck) {
    return 'The wallet does not answer at the moment, so the payment cannot be checked. It is checked again and again; nothing is lost.'
  }
  const until = tries
    .filter((one) => one.status === 'expired')
    .map((one) => (one.watchUntil === null ? 0 : Date.parse(one.watchUntil)))
  if (row.status === 'unpaid' && until.length > 0) {
    const day = showDay(dayOfTime(Math.max(...until)))
    return `Has your wallet paid? Payments can take a while to arrive, and this one is watched until ${day}. If it still shows as unpaid then, please write to us with the address of this receipt.`
  }
  return null
}

import { arrivalOf, mayBePaid, showMsat } from '#domain/money/invoice.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import { OTHER_WALLET } from './check-invoice.service.ts'
import { type Payment } from './payments.rows.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'

/** A prediction that was live and is no longer. */
export const WITHDRAWN =
  'The submission was approved, and the prediction has been withdrawn since; its page says why.'

/** The state of a submission, for readers of its receipt. */
export function stateSentence(
  row: Pick<StoredSubmission, 'status' | 'paymentId' | 'predictionId'>,
  tries: readonly Pick<Payment, 'status' | 'lastError'>[],
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

function unpaidSentence(tries: readonly Pick<Payment, 'status' | 'lastError'>[]): string {
  const latest = tries.at(-1)
  const last = latest?.status
  if (latest && isStranded(latest)) {
    return 'The payment cannot be checked at the moment. Please do not pay this invoice now.'
  }
  if (last === 'pending') {
    return 'Waiting for the payment. You may close this page: we notice the payment without it.'
  }
  if (last === 'expired') {
    return 'Not paid. The invoice has expired; if the payment still arrives, it counts.'
  }
  if (last === 'cancelled') {
    return 'Not paid. The payment was cancelled; if it still arrives, it counts.'
  }
  return 'Not paid yet.'
}

/** What to do about odd cases; null when there is none. @param paying the try that brought it into review */
export function hintOf(
  row: Pick<StoredSubmission, 'status' | 'paidSats'>,
  tries: readonly Pick<Payment, 'status' | 'lastError' | 'id' | 'watchUntil'>[],
  {
    paying,
    overpaidSats,
  }: {
    paying: Pick<Payment, 'status' | 'sats' | 'receivedMsat'> | null
    overpaidSats: number
  },
): string | null {
  const arrived = [
    paying && amountHint(paying),
    overpaidSats > 0
      ? `${satsOf(overpaidSats * 1_000)} arrived in addition, from another attempt to pay. They are noted for the administrator to give back: please write to us with the address of this receipt.`
      : null,
    tries.some((one) => one.status === 'paid_late')
      ? 'The payment arrived after the invoice had expired. It still counts.'
      : null,
  ].filter((hint) => hint !== null)
  if (arrived.length > 0) return arrived.join(' ')
  if (row.status === 'unpaid' && tries.some(isStranded)) {
    return 'The site has changed its wallet since this invoice was made, so the payment cannot be checked at the moment. If you have paid, please write to us with the address of this receipt: we can look in the former wallet.'
  }
  const stuck = tries.find((one) => one.status === 'pending' && one.lastError !== null)
  if (stuck) {
    return 'The wallet does not answer at the moment, so the payment cannot be checked. We keep checking; nothing is lost.'
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

/** Whether sats may have arrived for it in a wallet that is no longer in use; also after its end, as it could not be checked. */
function isStranded({ status, lastError }: Pick<Payment, 'status' | 'lastError'>): boolean {
  return mayBePaid(status) && lastError === OTHER_WALLET
}

/** Where another amount arrived than was asked for; null where it is the same, or the wallet does not say. */
function amountHint({ sats, receivedMsat }: Pick<Payment, 'sats' | 'receivedMsat'>): string | null {
  const {
    receivedMsat: arrivedMsat,
    missingMsat,
    extraMsat,
    countedSats,
  } = arrivalOf(sats, receivedMsat)
  if (arrivedMsat === null) return null
  if (missingMsat > 0) {
    return `Our wallet says that ${showMsat(arrivedMsat)} of ${satsOf(sats * 1_000)} arrived: ${satsOf(missingMsat)} less than was asked. The submission is still reviewed, and counts with ${satsOf(countedSats * 1_000)}. This is noted for the administrator; if you have paid the whole amount, please write to us with the address of this receipt.`
  }
  if (extraMsat > 0) {
    return `Our wallet says that ${satsOf(arrivedMsat)} arrived: ${satsOf(extraMsat)} more than was asked. The submission counts with ${satsOf(sats * 1_000)}; to get the rest back, please write to us with the address of this receipt.`
  }
  return null
}

/** `1 sat`, `20.999 sats` */
function satsOf(msat: number): string {
  return `${showMsat(msat)} ${msat === 1_000 ? 'sat' : 'sats'}`
}

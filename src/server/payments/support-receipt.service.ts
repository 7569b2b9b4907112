import { receiptPath } from '#contracts/receipt.ts'
import { type SupportReceipt } from '#contracts/boost.ts'
import { claimText } from '#domain/claim/text.ts'
import { ASSETS } from '#domain/asset.ts'
import { DEMONSTRATION, isPaid } from '#domain/money/invoice.ts'
import { failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { predictionById } from '#server/predictions/predictions.rows.ts'
import { checkUnlessFresh, OTHER_WALLET } from './check-invoice.service.ts'
import { type Payment } from './payments.rows.ts'
import { paymentByChecking } from './payments.store.ts'
import { type PaymentsKit } from './payments-kit.ts'

const NO_RECEIPT =
  'There is no receipt at this address. What is never paid is removed after 30 days, together with its receipt.'

/** A boost, a zap or a payment to the site, for who has its token. It is checked while it is unpaid. */
export async function supportReceipt(
  { db, clock, tokens, checks }: PaymentsKit,
  token: string,
): Promise<SupportReceipt> {
  const found = await paymentByChecking(db, tokens.hash(token))
  // A submission has a receipt of its own, which shows more; this token opens no other page.
  if (!found || found.submissionId !== null) throw failure('not_found', NO_RECEIPT)
  const { payment } = await checkUnlessFresh(checks, found)
  const { predictionId, status } = payment
  const of = predictionId === null ? null : await predictionById(db, predictionId)
  const isStranded = payment.lastError === OTHER_WALLET
  const isOver = payment.expiresAt !== null && Date.parse(payment.expiresAt) <= clock.now()
  return {
    path: receiptPath(token),
    purpose: payment.purpose,
    status,
    sats: payment.sats,
    demonstration: payment.wallet === DEMONSTRATION,
    created_at: iso(payment.createdAt),
    paid_at: isoOrNull(payment.paidAt),
    bolt11: payment.bolt11,
    open: status === 'pending' && !isStranded && !isOver,
    checking_id: token,
    payment_hash: payment.paymentHash,
    preimage: isPaid(status) ? payment.preimage : null,
    credited_sats: payment.creditedSats ?? 0,
    prediction: of && {
      path: `/predictions/${encodeURIComponent(of.id)}`,
      text: `${of.expert.name}: ${ASSETS[of.asset].symbol} ${claimText(of.said)}`,
    },
    report: payment.reportNumber,
    state: isStranded && !isPaid(status) ? STRANDED : stateOf(payment),
  }
}

const STRANDED = 'The payment cannot be checked at the moment. Please do not pay this invoice now.'

/** The state in a sentence or two. */
function stateOf({ status, predictionId, reportNumber, creditedSats }: Payment): string {
  switch (status) {
    case 'creating':
    case 'failed':
      return 'Not paid: no invoice could be made.'
    case 'pending':
      return 'Waiting for the payment. You may close this page: we notice the payment without it.'
    case 'expired':
      return 'Not paid. The invoice has expired; if the payment still arrives, it counts.'
    case 'cancelled':
      return 'Not paid. The payment was cancelled; if it still arrives, it counts.'
    case 'overpaid':
      return 'Payment received, but the deposit of this report had been paid already. Please write to us: it should be sent back.'
    case 'paid':
    case 'paid_late':
      if (reportNumber !== null)
        return `Payment received. Report ${String(reportNumber)} is with the administrators.`
      if (predictionId === null) return 'Payment received. Thank you for supporting this site.'
      return creditedSats === null
        ? 'Payment received, but the prediction had been withdrawn before it came, so it counts nowhere. Please write to us: it should be sent back.'
        : 'Payment received. The sats count in support of the prediction. Thank you!'
  }
}

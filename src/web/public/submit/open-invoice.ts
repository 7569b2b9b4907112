import { type NewInvoice } from '#web/api/payments.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'

/** An invoice just made, with its end by the clock of this machine. */
export function openInvoice(made: NewInvoice): OpenInvoice {
  return {
    bolt11: made.invoice.payment_request,
    checkingId: made.invoice.checking_id,
    sats: made.sats,
    endsAt: Date.now() + made.expires_in_ms,
    demonstration: made.demonstration,
    token: made.receipt.token,
  }
}

import { CallError } from '#web/api/call.ts'
import { fetchReceipt, type Receipt } from '#web/api/payments.ts'
import { LEAST_LEFT_MS, type OpenInvoice } from '#web/api/own-submissions.ts'

/** What became of a payment that was left in the middle. */
export type LeftOpen =
  | { readonly state: 'paid'; readonly what: string }
  | { readonly state: 'open'; readonly invoice: OpenInvoice }
  | { readonly state: 'unpaid' }
  /** The server knows nothing of it. */
  | { readonly state: 'gone' }

/** Looks up, by its receipt, a payment that a reload or a closed dialog interrupted. */
export async function leftOpen(token: string, signal: AbortSignal): Promise<LeftOpen> {
  const receipt = await fetchReceipt(token, signal).catch((error: unknown) => {
    if (error instanceof CallError && error.code === 'not_found') return null
    throw error
  })
  if (!receipt) return { state: 'gone' }
  if (receipt.payment.paid) return { state: 'paid', what: whatOf(receipt) }
  const last = receipt.payment.tries.findLast((one) => one.payment_request !== null)
  const leftMs = last?.expires_in_ms ?? 0
  if (!last || last.payment_request === null || leftMs < LEAST_LEFT_MS) return { state: 'unpaid' }
  return {
    state: 'open',
    invoice: {
      bolt11: last.payment_request,
      checkingId: last.checking_id,
      sats: last.sats,
      endsAt: Date.now() + leftMs,
      demonstration: last.demonstration,
      token,
    },
  }
}

function whatOf({ submission }: Receipt): string {
  return `${submission.expert_name}: ${submission.price_prediction}`
}

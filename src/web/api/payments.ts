import { type z } from 'zod'
import { receiptPath } from '#contracts/paths.ts'
import {
  type checkPayment,
  type createInvoice,
  getReceipt,
  IDEMPOTENCY_HEADER,
  paymentOptions,
  Receipt,
} from '#contracts/payments.ts'
import { previewSubmission } from '#contracts/submissions.ts'
import { call, type CallInput } from './call.ts'
import { ownSubmissions } from './own-submissions.ts'
import { follow } from './page-stream.ts'

export type PaymentOptions = z.infer<typeof paymentOptions.reply>
export type NewInvoice = z.infer<typeof createInvoice.reply>
export type PaymentState = z.infer<typeof checkPayment.reply>
export type SubmissionPreview = z.infer<typeof previewSubmission.reply>
export { type SupportReceipt } from '#contracts/payments.ts'
export { type Receipt } from '#contracts/payments.ts'

export const WALLET_PATIENCE = { patienceMs: 30_000 } as const

export function fetchOptions(signal?: AbortSignal): Promise<PaymentOptions> {
  return call(paymentOptions, signal ? { signal } : {})
}

/** Options of a call for an invoice: for the same key (see `newKey`) and input, the server creates a single one. */
export const ordered = (key: string) => ({
  headers: { [IDEMPOTENCY_HEADER]: key },
  ...WALLET_PATIENCE,
})

export function fetchReceipt(token: string, signal?: AbortSignal): Promise<Receipt> {
  return call(getReceipt, { params: { token }, ...(signal && { signal }) })
}

/** Server-side check of the form, marking similar submissions from this browser. */
export function fetchPreview(
  submissionData: NonNullable<CallInput<typeof previewSubmission>['body']>['submissionData'],
  signal: AbortSignal,
): Promise<SubmissionPreview> {
  const receipts = ownSubmissions().map(({ token }) => token)
  return call(previewSubmission, { body: { submissionData, receipts }, signal })
}

/**
 * Subscribes to a receipt.
 *
 * @returns a function that unsubscribes
 */
export function followReceipt(token: string, onReceipt: (receipt: Receipt) => void): () => void {
  return follow({
    receipt: token,
    on: {
      receipt: (data) => {
        const receipt = Receipt.safeParse(data)
        if (receipt.success && receipt.data.path === receiptPath(token)) onReceipt(receipt.data)
      },
    },
  })
}

import { receiptPath } from '#contracts/paths.ts'
import {
  boostPrediction,
  getSupportReceipt,
  type SupportReceipt,
  cancelPayment,
  checkPayment,
  createInvoice,
  IDEMPOTENCY_HEADER,
  paymentOptions,
  payWithDemonstration,
  getReceipt,
  payReceipt,
  Receipt,
  setReceiptContact,
  unsubscribe,
} from '#contracts/payments.ts'
import { confirmMail, refuseMail } from '#contracts/following.ts'
import { listExperts, previewSubmission } from '#contracts/submissions.ts'
import { type z } from 'zod'
import { call, type CallInput } from './call.ts'
import { ownSubmissions } from './own-submissions.ts'
import { follow } from './page-stream.ts'

export type PaymentOptions = z.infer<typeof paymentOptions.reply>
export type NewInvoice = z.infer<typeof createInvoice.reply>
export type PaymentState = z.infer<typeof checkPayment.reply>
export type SubmissionPreview = z.infer<typeof previewSubmission.reply>
export type KnownExpert = z.infer<typeof listExperts.reply>[number]
export { type SupportReceipt } from '#contracts/payments.ts'
export { type Receipt } from '#contracts/payments.ts'

const WALLET_PATIENCE_MS = 30_000

export function fetchOptions(signal?: AbortSignal): Promise<PaymentOptions> {
  return call(paymentOptions, signal ? { signal } : {})
}

export type InvoiceAsk = NonNullable<CallInput<typeof createInvoice>['body']>

/** For the same key (see `newKey`) and input, the server creates a single invoice. */
const ordered = (key: string) => ({
  headers: { [IDEMPOTENCY_HEADER]: key },
  patienceMs: WALLET_PATIENCE_MS,
})

export function newInvoice(body: InvoiceAsk, key: string): Promise<NewInvoice> {
  return call(createInvoice, { body, ...ordered(key) })
}

export function newBoost(id: string, amount: number, key: string): Promise<NewInvoice> {
  return call(boostPrediction, { params: { id }, body: { amount }, ...ordered(key) })
}

export function newInvoiceOfReceipt(
  token: string,
  amount: number,
  key: string,
): Promise<NewInvoice> {
  return call(payReceipt, { params: { token }, body: { amount }, ...ordered(key) })
}

export function fetchSupportReceipt(token: string, signal: AbortSignal): Promise<SupportReceipt> {
  return call(getSupportReceipt, { params: { checkingId: token }, signal })
}

export function paymentState(checkingId: string, signal: AbortSignal): Promise<PaymentState> {
  return call(checkPayment, { params: { checkingId }, signal })
}

export function giveUpPayment(checkingId: string): Promise<PaymentState> {
  return call(cancelPayment, { params: { checkingId } })
}

export function payByDemonstration(checkingId: string): Promise<PaymentState> {
  return call(payWithDemonstration, { params: { checkingId }, patienceMs: WALLET_PATIENCE_MS })
}

export function fetchReceipt(token: string, signal?: AbortSignal): Promise<Receipt> {
  return call(getReceipt, { params: { token }, ...(signal ? { signal } : {}) })
}

export function notifyOf(
  token: string,
  contact: string,
): Promise<z.infer<typeof setReceiptContact.reply>> {
  return call(setReceiptContact, { params: { token }, body: { contact } })
}

export function confirmAddress(token: string): Promise<z.infer<typeof confirmMail.reply>> {
  return call(confirmMail, { params: { token }, body: {} })
}

/** Blocks the address that received the link from all further mail. */
export async function refuseAddress(token: string): Promise<void> {
  await call(refuseMail, { params: { token }, body: {} })
}

export async function stopNotices(token: string): Promise<void> {
  await call(unsubscribe, { params: { token }, body: {} })
}

/** Server-side check of the form, marking similar submissions from this browser. */
export function fetchPreview(
  submissionData: NonNullable<CallInput<typeof previewSubmission>['body']>['submissionData'],
  signal: AbortSignal,
): Promise<SubmissionPreview> {
  const receipts = ownSubmissions().map(({ token }) => token)
  return call(previewSubmission, { body: { submissionData, receipts }, signal })
}

export function fetchExperts(signal: AbortSignal): Promise<readonly KnownExpert[]> {
  return call(listExperts, { signal })
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

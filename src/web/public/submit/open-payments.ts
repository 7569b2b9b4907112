import { type AssetKey } from '#domain/asset.ts'
import { CallError, newKey } from '#web/api/call.ts'
import {
  forget,
  notePaid,
  unpaidOf,
  type OwnSubmission,
  LEAST_LEFT_MS,
  type OpenInvoice,
} from '#web/api/own-submissions.ts'
import { fetchReceipt, type NewInvoice } from '#web/api/payments.ts'

export const PAID_MEANWHILE =
  'The payment for your earlier submission has arrived in the meantime. To pay for this one as well, please press again.'

/** Enough to include recently abandoned payments. */
const MOST = 5

export type EarlierTries = readonly { readonly one: OwnSubmission; readonly left: LeftOpen }[]

/**
 * Looks up the state of this browser's payment attempts for an asset and stores it. Unknown states stay unchanged.
 *
 * @param matches selects attempts
 */
export async function lookUpTries(
  asset: AssetKey,
  matches: (one: OwnSubmission) => boolean,
  signal: AbortSignal,
): Promise<EarlierTries> {
  const looked = await Promise.all(
    unpaidOf(asset)
      .filter(matches)
      .slice(0, MOST)
      .map(async (one) => ({ one, left: await leftOpen(one.token, signal).catch(() => null) })),
  )
  const found = looked.flatMap(({ one, left }) => (left === null ? [] : [{ one, left }]))
  if (signal.aborted) return []
  for (const { one, left } of found) {
    if (left.state === 'paid') notePaid(one.token)
    else if (left.state === 'gone') forget(one.token)
  }
  return found
}

export type Paid = Pick<OwnSubmission, 'token' | 'what'>

/** An abandoned submission with other content that was paid after all; null if none. */
export async function paidMeanwhile(asset: AssetKey, content: string, signal: AbortSignal) {
  const found = await lookUpTries(asset, (one) => one.content !== content, signal)
  return found.find(({ left }) => left.state === 'paid')?.one ?? null
}

type LeftOpen =
  | { readonly state: 'paid' | 'unpaid' | 'gone' }
  | { readonly state: 'open'; readonly invoice: OpenInvoice }

/** Looks up a payment interrupted by a reload or a closed dialog. */
export async function leftOpen(token: string, signal: AbortSignal): Promise<LeftOpen> {
  const receipt = await fetchReceipt(token, signal).catch((error: unknown) => {
    if (error instanceof CallError && error.code === 'not_found') return null
    throw error
  })
  if (!receipt) return { state: 'gone' }
  if (receipt.payment.paid) return { state: 'paid' }
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

/** A request for an invoice without a reply. Repeating it with the same key returns the same invoice. */
export type InvoiceRequest = { readonly key: string; readonly sats: number; readonly body: string }

export type LastAsk = {
  readonly last: () => InvoiceRequest | null
  /** Null after a reply. */
  readonly keep: (request: InvoiceRequest | null) => void
}

/** @param body identifies the request, including its amount */
export async function askOnce(
  store: LastAsk,
  { sats, body }: Pick<InvoiceRequest, 'sats' | 'body'>,
  make: (key: string) => Promise<NewInvoice>,
): Promise<OpenInvoice> {
  const lost = store.last()
  const key = lost?.body === body ? lost.key : newKey()
  store.keep({ key, sats, body })
  const made = await make(key).catch((error: unknown) => {
    if (isAnswer(error)) store.keep(null)
    throw error
  })
  store.keep(null)
  // The expiry by this machine's clock.
  return {
    bolt11: made.invoice.payment_request,
    checkingId: made.invoice.checking_id,
    sats: made.sats,
    endsAt: Date.now() + made.expires_in_ms,
    demonstration: made.demonstration,
    token: made.receipt.token,
  }
}

/** Like `askOnce`, for requests that differ only in the amount and need not survive the page. */
export function repeatableAsk() {
  let pending: InvoiceRequest | null = null
  const store = {
    last: () => pending,
    keep: (next: InvoiceRequest | null) => void (pending = next),
  }
  return (sats: number, make: (key: string) => Promise<NewInvoice>): Promise<OpenInvoice> =>
    askOnce(store, { sats, body: String(sats) }, make)
}

/** Whether the server refused; after any other error, an invoice may exist. */
export function isAnswer(error: unknown): error is CallError {
  return error instanceof CallError && error.code !== null && error.code !== 'internal'
}

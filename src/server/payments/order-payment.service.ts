import { type createInvoice } from '#contracts/payments.ts'
import { receiptPath } from '#contracts/receipt.ts'
import { DEMONSTRATION, MAX_SATS, readSats } from '#domain/money/invoice.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import {
  addPayment,
  failPayment,
  isShown,
  paymentById,
  paymentByIdempotency,
  type NewPayment,
  type PaidFor,
  type ShownPayment,
} from './payments.store.ts'
import { type Payment } from './payments.rows.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type z } from 'zod'
import { INVOICE_WITHIN_MS, makeInvoice, NO_INVOICE } from './make-invoice.service.ts'
import { type PaymentsKit } from './payments-kit.ts'

export type InvoiceAnswer = z.input<typeof createInvoice.reply>

/** Who asks for an invoice. */
export type Caller = {
  /** The same one with the same body gets the same invoice; null never does. */
  readonly idempotencyKey: string | null
  /** How many payments one address may begin is limited. */
  readonly address: string
}

/** What is paid for. */
type Order = {
  readonly amount: unknown
  /** SHA-256 of what was asked. */
  readonly fingerprint: string
  /** Checks what can be checked before anything is written. @throws AppError */
  readonly prepare: () => Promise<Begin>
}

/**
 * Writes down what is paid for, and the payment to come with `add`, in a transaction.
 *
 * @param add @returns false when the same Idempotency-Key was used at the same time: what was written for it is taken back
 */
export type Begin = (tx: Db, add: (of: PaidFor) => Promise<boolean>) => Promise<unknown>

/** Beyond this a payment without an invoice never gets one: the wallet is not waited for that long. */
const CREATED_WITHIN_MS = INVOICE_WITHIN_MS + 2_000

/** Begins a payment of any purpose: it is saved before the wallet is asked, and its invoice before anyone sees it. */
export async function orderPayment(
  kit: PaymentsKit,
  asked: Order,
  by: Caller,
): Promise<InvoiceAnswer> {
  const { tokens } = kit
  const { fingerprint } = asked
  const idempotencyHash = by.idempotencyKey === null ? null : tokens.hash(by.idempotencyKey)
  // What has been answered is answered again, whatever has become of the wallet.
  const before = await replay(kit, idempotencyHash, fingerprint)
  if (before) return before
  const made = await newInvoice(kit, { ...asked, idempotencyHash }, by.address)
  if (made) return answer(kit, made)
  const same = await replay(kit, idempotencyHash, fingerprint)
  if (!same) throw failure('unavailable', NO_INVOICE)
  return same
}

/** @returns null when the same Idempotency-Key was used at the same time */
export async function newInvoice(
  kit: PaymentsKit,
  { amount, fingerprint, idempotencyHash, prepare }: Order & Pick<NewPayment, 'idempotencyHash'>,
  address: string,
): Promise<ShownPayment | null> {
  const { walletHealth, tokens, minSats } = kit
  const wallet = await walletHealth.open()
  const sats = readSats(amount, { min: minSats, max: MAX_SATS })
  if (typeof sats === 'string') throw failure('invalid', sats, { amount: sats })
  const begin = await prepare()
  const { name, network } = wallet
  const made = { wallet: name, walletPrint: walletHealth.print, network }
  const id = await kit.limiter.admit(address, async (tx) => {
    const own = randomUUID()
    const createdAt = isoNow(kit)
    const checkingHash = tokens.hash(tokens.checking(own))
    const payment = {
      id: own,
      checkingHash,
      createdAt,
      idempotencyHash,
      fingerprint,
      sats,
      ...made,
    }
    let isFirst = false
    await begin(tx, async (of) => (isFirst = await addPayment(tx, { ...payment, ...of })))
    return isFirst ? own : null
  })
  return id === null ? null : makeInvoice(kit, wallet, { id, sats })
}

/** @returns the answer that the same Idempotency-Key got or is about to get; null when its process is gone */
async function replay(
  kit: PaymentsKit,
  hash: string | null,
  fingerprint: string,
): Promise<InvoiceAnswer | null> {
  const { db, clock } = kit
  const first = hash && (await paymentByIdempotency(db, hash))
  if (!first) return null
  if (first.fingerprint !== fingerprint) {
    throw failure('conflict', 'This Idempotency-Key was used for something else.')
  }
  const leftMs = Date.parse(first.createdAt) + CREATED_WITHIN_MS - clock.now()
  const until = performance.now() + Math.min(leftMs, CREATED_WITHIN_MS)
  let payment: Payment | null = first
  while (payment?.status === 'creating' && performance.now() < until) {
    await pause(100)
    payment = await paymentById(db, first.id)
  }
  if (payment?.status === 'creating') {
    await failPayment(db, payment.id, 'The server stopped while it waited for the wallet.')
    return null
  }
  if (!payment || !isShown(payment)) throw failure('unavailable', NO_INVOICE)
  return answer(kit, payment)
}

/** The token of the receipt that shows a payment: its submission's, or its own. */
function receiptToken(
  tokens: PaymentsKit['tokens'],
  { id, submissionId }: Pick<Payment, 'id' | 'submissionId'>,
): string {
  return submissionId === null ? tokens.checking(id) : tokens.receipt(submissionId)
}

function answer({ clock, tokens }: PaymentsKit, payment: ShownPayment): InvoiceAnswer {
  const token = receiptToken(tokens, payment)
  return {
    invoice: {
      payment_request: payment.bolt11,
      payment_hash: payment.paymentHash,
      checking_id: tokens.checking(payment.id),
    },
    sats: payment.sats,
    expires_at: new Date(payment.expiresAt).toISOString(),
    expires_in_ms: Math.max(0, Math.round(Date.parse(payment.expiresAt) - clock.now())),
    demonstration: payment.wallet === DEMONSTRATION,
    receipt: { token, path: receiptPath(token) },
  }
}

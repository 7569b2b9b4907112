import { type createInvoice } from '#contracts/payments.ts'
import { receiptPath } from '#contracts/receipt.ts'
import { type Day } from '#domain/day.ts'
import { DEMONSTRATION, isPaid, MAX_SATS, readSats } from '#domain/money/invoice.ts'
import { readSubmission, type Submission } from '#domain/submission.ts'
import { failure } from '#server/kit/failure.ts'
import { momentText } from '#server/kit/iso.ts'
import { isoNow, today } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import { sha256 } from '#server/kit/tokens.ts'
import {
  addPayment,
  failPayment,
  isShown,
  paymentById,
  paymentByIdempotency,
  type ShownPayment,
} from './payments.store.ts'
import { paymentsOf, type Payment } from './payments.rows.ts'
import {
  addUnpaid,
  dropUnpaid,
  isSameSubmission,
  lockSubmission,
  submissionByReceipt,
} from '#server/submissions/submissions.rows.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type z } from 'zod'
import { checkUnlessFresh, isPastPaying, OTHER_WALLET } from './check-invoice.service.ts'
import { INVOICE_WITHIN_MS, makeInvoice, NO_INVOICE } from './make-invoice.service.ts'
import { type PaymentsKit } from './payments-kit.ts'

type Asked = z.output<NonNullable<typeof createInvoice.body>>
type Answer = z.input<typeof createInvoice.reply>

/** Who asks for an invoice. */
type Caller = {
  /** The same one with the same body gets the same invoice; null never does. */
  readonly idempotencyKey: string | null
  /** How many payments one address may begin is limited. */
  readonly address: string
}

type Order = {
  readonly amount: unknown
  readonly receipt: string | null
  /** SHA-256 of what was asked. */
  readonly fingerprint: string
  /** Whether the form says when the prediction was made. */
  readonly isMadeGiven: boolean
  /** Checks what is submitted; null: the submission behind the receipt, as it is stored. */
  readonly read: () => Submission | null
}

/** Beyond this a payment without an invoice never gets one: the wallet is not waited for that long. */
const CREATED_WITHIN_MS = INVOICE_WITHIN_MS + 2_000
/** Earlier tries that are checked at once. */
export const CHECKED_AT_ONCE = 8
const NOT_CHECKED = 'An earlier payment cannot be checked at the moment; please wait.'
const NO_RECEIPT = 'There is no such receipt.'
const ALREADY_PAID = 'This submission has been paid already. Its receipt shows its status.'

/** Takes a form and makes its invoice. */
export function orderInvoice(
  kit: PaymentsKit,
  { amount, submissionData, receipt = null }: Asked,
  by: Caller,
): Promise<Answer> {
  // Of what was asked, not of what it comes to: a day that was left out is another one after midnight.
  const asked = [String(amount).trim(), receipt, submissionData]
  const isMadeGiven = (submissionData.prediction_made ?? '').trim() !== ''
  const read = (): Submission => readForm(submissionData, today(kit))
  const fingerprint = sha256(JSON.stringify(asked))
  return orderOnce(kit, { amount, receipt, isMadeGiven, fingerprint, read }, by)
}

/** Makes a new invoice for what is behind a receipt; the earlier ones are checked as before. */
export function orderForReceipt(
  kit: PaymentsKit,
  receipt: string,
  amount: unknown,
  by: Caller,
): Promise<Answer> {
  const fingerprint = sha256(JSON.stringify([String(amount).trim(), receipt]))
  return orderOnce(kit, { amount, receipt, fingerprint, isMadeGiven: true, read: () => null }, by)
}

/** The submission is saved before the wallet is asked, and an invoice is saved before anyone sees it. */
async function orderOnce(kit: PaymentsKit, asked: Order, by: Caller): Promise<Answer> {
  const { walletHealth, tokens, minSats } = kit
  const { fingerprint, receipt } = asked
  const idempotencyHash = by.idempotencyKey === null ? null : tokens.hash(by.idempotencyKey)
  // What has been answered is answered again, whatever has become of the wallet.
  const before = await replay(kit, idempotencyHash, fingerprint)
  if (before) return before
  const wallet = await walletHealth.open()
  const sats = readSats(asked.amount, { min: minSats, max: MAX_SATS })
  if (typeof sats === 'string') throw failure('invalid', sats, { amount: sats })
  const submission = asked.read()
  if (receipt !== null) await checkEarlier(kit, receipt)
  const { name, network } = wallet
  const made = { wallet: name, walletPrint: walletHealth.print, network }
  const payment = { idempotencyHash, fingerprint, sats, ...made }
  const id = await kit.limiter.admit(by.address, (tx) => begin(kit, tx, asked, submission, payment))
  if (id !== null) return answer(kit, await makeInvoice(kit, wallet, { id, sats }))
  const same = await replay(kit, idempotencyHash, fingerprint)
  if (!same) throw failure('unavailable', NO_INVOICE)
  return same
}

/** @returns the answer that the same Idempotency-Key got or is about to get; null when its process is gone */
async function replay(
  kit: PaymentsKit,
  hash: string | null,
  fingerprint: string,
): Promise<Answer | null> {
  const { db, clock } = kit
  const first = hash && (await paymentByIdempotency(db, hash))
  if (!first) return null
  if (first.fingerprint !== fingerprint) {
    throw failure('conflict', 'This Idempotency-Key was used for another submission.')
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

/** Checks the earlier tries of a form, so that a person who has paid is not asked to pay again. */
async function checkEarlier(
  { db, clock, tokens, checks }: PaymentsKit,
  receipt: string,
): Promise<void> {
  const known = await submissionByReceipt(db, tokens.hash(receipt))
  // It was never paid, and has been removed since.
  if (!known) return
  // Those that are no longer checked by themselves have been found unpaid long after their end.
  const tries = (await paymentsOf(db, known.id)).filter((one) => one.nextLookAt !== null)
  while (tries.length > 0) {
    const some = tries.splice(-CHECKED_AT_ONCE)
    const found = await Promise.all(some.map((one) => checkUnlessFresh(checks, one)))
    if (found.some((one) => isPaid(one.payment.status))) return
    const open = found
      .filter((one) => !one.checked && !isPastPaying(one.payment, clock.now()))
      .map((one) => one.payment)
    if (open.length > 0) throw failure('unavailable', notCheckedText(open))
  }
}

/**
 * Writes down the submission and the payment to come.
 *
 * @returns the payment's id, or null when the same Idempotency-Key was used at the same time
 */
async function begin(
  kit: PaymentsKit,
  tx: Db,
  { receipt, isMadeGiven }: Order,
  submission: Submission | null,
  payment: Pick<Payment, 'idempotencyHash' | 'sats' | 'wallet' | 'walletPrint' | 'network'> & {
    fingerprint: string
  },
): Promise<string | null> {
  const { tokens } = kit
  const createdAt = isoNow(kit)
  const id = randomUUID()
  const before = receipt === null ? null : await lockSubmission(tx, tokens.hash(receipt))
  if (!before && !submission) throw failure('not_found', NO_RECEIPT)
  if (before && before.status !== 'unpaid') throw failure('conflict', ALREADY_PAID)
  // Other content is another submission: the invoices of the old one bring what they were made for.
  const isKnown = before && (!submission || isSameSubmission(before, submission, isMadeGiven))
  const known = isKnown ? before : null
  const submissionId = known?.id ?? randomUUID()
  if (!known && submission) {
    const receiptHash = tokens.hash(tokens.receipt(submissionId))
    await addUnpaid(tx, { id: submissionId, receiptHash, submission, createdAt })
  }
  const checkingHash = tokens.hash(tokens.checking(id))
  const isFirst = await addPayment(tx, { ...payment, id, submissionId, checkingHash, createdAt })
  if (isFirst) return id
  if (!known) await dropUnpaid(tx, submissionId)
  return null
}

function answer({ clock, tokens }: PaymentsKit, payment: ShownPayment): Answer {
  const token = tokens.receipt(payment.submissionId)
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

/** Why there is no new invoice yet. @param open tries that may have been paid, and could not be checked */
function notCheckedText(open: readonly Payment[]): string {
  const ends = open.flatMap(({ lastError, walletExpiresAt }) =>
    lastError === OTHER_WALLET && walletExpiresAt !== null ? [Date.parse(walletExpiresAt)] : [],
  )
  if (ends.length < open.length) return NOT_CHECKED
  const end = momentText(new Date(Math.max(...ends)).toISOString())
  return `This site has changed its wallet since the earlier invoice was made, so we cannot see whether that one has been paid. It can be paid until ${end}; please ask for a new invoice after that.`
}

/** @throws AppError `invalid` with a message for each field */
function readForm(form: Asked['submissionData'], on: Day): Submission {
  const read = readSubmission(form, on)
  if (read.ok) return read.submission
  const first = Object.values(read.faults)[0] ?? 'Please check the form.'
  throw failure('invalid', first, read.faults)
}

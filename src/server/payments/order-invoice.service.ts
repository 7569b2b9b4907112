import { type createInvoice } from '#contracts/payments.ts'
import { type Day } from '#domain/day.ts'
import { isPaid } from '#domain/money/invoice.ts'
import { readSubmission, type Submission } from '#domain/submission.ts'
import { failure } from '#server/kit/failure.ts'
import { momentText, isoNow, today } from '#server/kit/time.ts'
import { type Db } from '#server/kit/db.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { paymentsOf, type Payment } from './payments.rows.ts'
import {
  addUnpaid,
  dropUnpaid,
  isSameSubmission,
  lockSubmission,
  submissionByReceipt,
} from '#server/submissions/submissions.rows.ts'
import { randomUUID } from 'node:crypto'
import { type z } from 'zod'
import { checkUnlessFresh, isPastPaying, OTHER_WALLET } from './check-invoice.service.ts'
import {
  orderPayment,
  type Begin,
  type Caller,
  type InvoiceAnswer,
  type PaymentsKit,
} from './order-payment.service.ts'

type InvoiceRequest = z.output<NonNullable<typeof createInvoice.body>>

type InvoiceOrder = {
  readonly amount: unknown
  readonly receipt: string | null
  /** SHA-256 of the request. */
  readonly fingerprint: string
  readonly isDated: boolean
  /** Validates the form; null for the stored submission of a receipt. */
  readonly read: () => Submission | null
}

export const CHECKED_AT_ONCE = 8
const NOT_CHECKED = 'An earlier payment cannot be checked at the moment; please wait.'
const NO_RECEIPT = 'There is no such receipt.'
const ALREADY_PAID = 'This submission has been paid already. Its receipt shows its status.'

export function orderInvoice(
  kit: PaymentsKit,
  { amount, submissionData, receipt = null }: InvoiceRequest,
  by: Caller,
): Promise<InvoiceAnswer> {
  // Hash of the request, not of its defaults: an omitted day changes at midnight.
  const request = [String(amount).trim(), receipt, submissionData]
  const isDated = (submissionData.prediction_made ?? '').trim() !== ''
  const read = (): Submission => readForm(submissionData, today(kit))
  const fingerprint = sha256(JSON.stringify(request))
  return orderSubmission(kit, { amount, receipt, isDated, fingerprint, read }, by)
}

export function orderForReceipt(
  kit: PaymentsKit,
  receipt: string,
  amount: unknown,
  by: Caller,
): Promise<InvoiceAnswer> {
  const fingerprint = sha256(JSON.stringify([String(amount).trim(), receipt]))
  return orderSubmission(kit, { amount, receipt, fingerprint, isDated: true, read: () => null }, by)
}

function orderSubmission(
  kit: PaymentsKit,
  request: InvoiceOrder,
  by: Caller,
): Promise<InvoiceAnswer> {
  const { amount, fingerprint, receipt } = request
  const prepare = async (): Promise<Begin> => {
    const submission = request.read()
    if (receipt !== null) await checkEarlier(kit, receipt)
    return (tx, add) =>
      begin(kit, tx, request, submission, (submissionId) =>
        add({ purpose: 'submission', submissionId }),
      )
  }
  return orderPayment(kit, { amount, fingerprint, prepare }, by)
}

/** Checks earlier invoices of a form, so that nobody who has paid is asked again. */
async function checkEarlier(
  { db, clock, tokens, checks }: PaymentsKit,
  receipt: string,
): Promise<void> {
  const known = await submissionByReceipt(db, tokens.hash(receipt))
  // It was never paid, and has been removed.
  if (!known) return
  // Payments no longer checked automatically were found unpaid long after they expired.
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

async function begin(
  kit: PaymentsKit,
  tx: Db,
  { receipt, isDated }: InvoiceOrder,
  submission: Submission | null,
  add: (submissionId: string) => Promise<boolean>,
): Promise<void> {
  const { tokens } = kit
  const before = receipt === null ? null : await lockSubmission(tx, tokens.hash(receipt))
  if (!before && !submission) throw failure('not_found', NO_RECEIPT)
  if (before && before.status !== 'unpaid') throw failure('conflict', ALREADY_PAID)
  // Other content is another submission: old invoices still pay for the old one.
  const isKnown = before && (!submission || isSameSubmission(before, submission, isDated))
  const known = isKnown ? before : null
  const submissionId = known?.id ?? randomUUID()
  if (!known && submission) {
    const receiptHash = tokens.hash(tokens.receipt(submissionId))
    await addUnpaid(tx, { id: submissionId, receiptHash, submission, createdAt: isoNow(kit) })
  }
  if (!(await add(submissionId)) && !known) await dropUnpaid(tx, submissionId)
}

/** Why there is no new invoice yet. @param open attempts that may have been paid but could not be checked */
function notCheckedText(open: readonly Payment[]): string {
  const ends = open.flatMap(({ lastError, walletExpiresAt }) =>
    lastError === OTHER_WALLET && walletExpiresAt !== null ? [Date.parse(walletExpiresAt)] : [],
  )
  if (ends.length < open.length) return NOT_CHECKED
  const end = momentText(new Date(Math.max(...ends)).toISOString())
  return `This site has changed its wallet since the earlier invoice was made, so we cannot see whether that one has been paid. It can be paid until ${end}; please ask for a new invoice after that.`
}

/** @throws AppError `invalid` with a message per field */
function readForm(form: InvoiceRequest['submissionData'], on: Day): Submission {
  const read = readSubmission(form, on)
  if (read.ok) return read.submission
  const first = Object.values(read.faults)[0] ?? 'Please check the form.'
  throw failure('invalid', first, read.faults)
}

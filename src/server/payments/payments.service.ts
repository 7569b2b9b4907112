import { randomUUID } from 'node:crypto'
import { type z } from 'zod'
import { receiptPath } from '#contracts/paths.ts'
import type * as contract from '#contracts/payments.ts'
import { ASSETS } from '#domain/asset.ts'
import { claimText } from '#domain/claim/text.ts'
import * as invoices from '#domain/money/invoice.ts'
import { isPaid } from '#domain/money/invoice.ts'
import { readSubmission } from '#domain/submission.ts'
import { type Db } from '#server/kit/db.ts'
import { failure, invalid, SourceError } from '#server/kit/failure.ts'
import { isoOrNull, momentText, isoNow, today } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { predictionById, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import {
  submissionByReceipt,
  addUnpaid,
  dropUnpaid,
  isSameSubmission,
  lockSubmission,
} from '#server/submissions/submissions.rows.ts'
import {
  checkNow,
  checkUnlessFresh,
  type Checked,
  OTHER_WALLET,
  isPastPaying,
} from './check-invoice.service.ts'
import {
  INVOICE_WITHIN_MS,
  type PaymentsKit,
  orderPayment,
  type Caller,
  type Begin,
} from './order-payment.service.ts'
import { paymentsOf, type Payment } from './payments.rows.ts'
import { hasInvoice, moveUnpaid, paymentBy } from './payments.store.ts'
import { PURPOSES } from './purposes.ts'
import { isPayable, shownPayment, unpaidText, type NoticeWays } from './receipts.service.ts'

type InvoiceRequest = z.output<NonNullable<typeof contract.createInvoice.body>>

const CHECKED_AT_ONCE = 8
const NOT_CHECKED = 'An earlier payment cannot be checked at the moment; please wait.'
const NO_SUBMISSION = 'There is no such receipt.'
const ALREADY_PAID = 'This submission has been paid already. Its receipt shows its status.'

type Form = InvoiceRequest['submissionData']

/** @param request without a form for the stored submission of the receipt */
export function orderSubmission(
  kit: PaymentsKit,
  {
    amount,
    receipt = null,
    submissionData: form,
  }: Pick<InvoiceRequest, 'amount' | 'receipt'> & { readonly submissionData?: Form },
  by: Caller,
) {
  const { tokens } = kit
  // Of the request, not of its defaults: an omitted day changes at midnight.
  const request = [String(amount).trim(), receipt, ...(form ? [form] : [])]
  const prepare = async (): Promise<Begin> => {
    const read = form ? readSubmission(form, today(kit)) : null
    if (read && !read.ok) throw invalid(read.faults)
    const submission = read?.submission ?? null
    if (receipt !== null) await checkEarlier(kit, receipt)
    const isDated = !form || (form.prediction_made ?? '').trim() !== ''
    return async (tx, add) => {
      const before = receipt === null ? null : await lockSubmission(tx, tokens.hash(receipt))
      if (!before && !submission) throw failure('not_found', NO_SUBMISSION)
      if (before && before.status !== 'unpaid') throw failure('conflict', ALREADY_PAID)
      // Other content is another submission: old invoices still pay for the old one.
      const isKnown = before && (!submission || isSameSubmission(before, submission, isDated))
      const known = isKnown ? before : null
      const submissionId = known?.id ?? randomUUID()
      if (!known && submission) {
        const receiptHash = tokens.hash(tokens.receipt(submissionId))
        await addUnpaid(tx, { id: submissionId, receiptHash, submission, createdAt: isoNow(kit) })
      }
      const isAdded = await add({ purpose: 'submission', submissionId })
      if (!isAdded && !known) await dropUnpaid(tx, submissionId)
    }
  }
  return orderPayment(kit, { amount, fingerprint: sha256(JSON.stringify(request)), prepare }, by)
}

/** Checks earlier invoices of a form, so that nobody who has paid is asked again. */
async function checkEarlier({ db, clock, tokens, checks }: PaymentsKit, receipt: string) {
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

/** Why there is no new invoice yet. @param open attempts that may have been paid but could not be checked */
function notCheckedText(open: readonly Payment[]): string {
  const ends = open.flatMap(({ lastError, walletExpiresAt }) =>
    lastError === OTHER_WALLET && walletExpiresAt !== null ? [Date.parse(walletExpiresAt)] : [],
  )
  if (ends.length < open.length) return NOT_CHECKED
  const end = momentText(new Date(Math.max(...ends)).toISOString())
  return `This site has changed its wallet since the earlier invoice was made, so we cannot see whether that one has been paid. It can be paid until ${end}; please ask for a new invoice after that.`
}

type State = z.input<typeof contract.checkPayment.reply>

export async function checkedState(kit: PaymentsKit, checkingId: string): Promise<State> {
  return stateOf(await checkUnlessFresh(kit.checks, await find(kit, checkingId)))
}

/** Checks unpaid payments of a receipt that is being read, even if no longer checked automatically. Limited in time. */
export async function checkReceipt({ db, log, tokens, checks }: PaymentsKit, receipt: string) {
  try {
    const known = await submissionByReceipt(db, tokens.hash(receipt))
    if (known?.status !== 'unpaid') return
    const tries = (await paymentsOf(db, known.id)).filter(hasInvoice).slice(-CHECKED_AT_ONCE)
    await Promise.all(tries.map((one) => checkUnlessFresh(checks, one)))
  } catch (error) {
    log.warn({ err: error }, 'The payments of a receipt could not be checked.')
  }
}

/** A hint, possibly forged, triggers only a check. */
export async function hint(kit: PaymentsKit, checkingId: string): Promise<{ looked: boolean }> {
  const { checked } = await checkUnlessFresh(kit.checks, await find(kit, checkingId))
  return { looked: checked }
}

/** The payer has cancelled. Sats already on their way still count. */
export async function cancel(kit: PaymentsKit, checkingId: string): Promise<State> {
  const payment = await find(kit, checkingId)
  const found = await checkUnlessFresh(kit.checks, payment)
  if (!(await moveUnpaid(kit.db, payment.id, 'cancelled'))) return stateOf(found)
  const now = await paymentBy(kit.db, 'id', payment.id)
  return stateOf({ payment: now ?? payment, checked: found.checked })
}

export async function payDemonstration(kit: PaymentsKit, checkingId: string): Promise<State> {
  const payment = await find(kit, checkingId)
  const { wallet } = kit.walletHealth
  if (!wallet?.isDemonstration || !wallet.pay) {
    throw failure('conflict', 'No demonstration wallet is in use.')
  }
  if (!hasInvoice(payment)) throw failure('conflict', 'This payment has no invoice.')
  if (!isPaid(payment.status)) {
    try {
      await wallet.pay(payment.bolt11, AbortSignal.timeout(INVOICE_WITHIN_MS))
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw failure('conflict', error.message)
    }
    await checkNow(kit.checks, payment)
  }
  const now = await paymentBy(kit.db, 'id', payment.id)
  return stateOf({ payment: now ?? payment, checked: true })
}

async function find({ db, tokens }: PaymentsKit, checkingId: string): Promise<Payment> {
  const payment = await paymentBy(db, 'checkingHash', tokens.hash(checkingId))
  if (!payment) throw failure('not_found', 'There is no such payment.')
  return payment
}

function stateOf({ payment: { status }, checked }: Checked): State {
  return {
    paid: isPaid(status),
    status,
    late: status === 'paid_late',
    overpaid: status === 'overpaid',
    checked,
  }
}

const CANNOT_STORE =
  'Submitting is closed for the moment: the site cannot store anything. Nothing is lost.'

/** Every 2 seconds, up to 300 times (public-site.md §9). */
const POLL_MS = 2_000
const POLLS = 300

/** @param canStore false if the database is unavailable or its disk full */
export function optionsOf(
  { walletHealth, minSats }: Pick<PaymentsKit, 'walletHealth' | 'minSats'>,
  ways: NoticeWays,
  { btcUsd, canStore }: { btcUsd: number | null; canStore: boolean },
): z.input<typeof contract.paymentOptions.reply> {
  const because = canStore ? walletHealth.closedBecause() : CANNOT_STORE
  return {
    open: because === null,
    closed_because: because,
    checking: walletHealth.isChecking(),
    demonstration: walletHealth.wallet?.isDemonstration ?? false,
    network: walletHealth.wallet?.network ?? null,
    min_sats: minSats,
    max_sats: invoices.MAX_SATS,
    default_sats: Math.max(invoices.DEFAULT_SATS, minSats),
    quick_picks: invoices.QUICK_PICKS.filter((sats) => sats >= minSats),
    usd_per_sat: invoices.usdOfSats(1, btcUsd),
    usd_is_guess: btcUsd === null,
    poll_ms: POLL_MS,
    polls: POLLS,
    notices: ways,
  }
}

const WITHDRAWN =
  'This prediction has been withdrawn, so it cannot be boosted. Nothing was charged.'
const NO_RECEIPT =
  'There is no receipt at this address. What is never paid is removed after 30 days, together with its receipt.'

export function orderBoost(kit: PaymentsKit, predictionId: string, amount: unknown, by: Caller) {
  const fingerprint = sha256(JSON.stringify(['boost', predictionId, String(amount).trim()]))
  const prepare = async () => {
    const { id } = await boosted(kit.db, predictionId)
    return { purpose: 'boost' as const, predictionId: id }
  }
  return orderPayment(kit, { amount, fingerprint, prepare }, by)
}

/** @throws AppError if it does not exist or accepts no support */
export async function boosted(db: Db, id: string): Promise<StoredPrediction> {
  const found = await predictionById(db, id)
  if (!found) throw failure('not_found', 'There is no such prediction.')
  if (found.withdrawn) throw failure('conflict', WITHDRAWN)
  return found
}

/** A boost, zap or payment to the site, for the holder of its token; checked while unpaid. */
export async function supportReceipt({ db, clock, tokens, checks }: PaymentsKit, token: string) {
  const found = await paymentBy(db, 'checkingHash', tokens.hash(token))
  // A submission has a receipt of its own, which shows more; this token cannot open it.
  if (!found || found.submissionId !== null) throw failure('not_found', NO_RECEIPT)
  const { payment } = await checkUnlessFresh(checks, found)
  const { predictionId } = payment
  const of = predictionId === null ? null : await predictionById(db, predictionId)
  return {
    ...shownPayment(payment),
    path: receiptPath(token),
    purpose: payment.purpose,
    paid_at: isoOrNull(payment.paidAt),
    open: isPayable(payment, clock.now()),
    checking_id: token,
    credited_sats: payment.creditedSats ?? 0,
    prediction: of && {
      path: `/predictions/${encodeURIComponent(of.id)}`,
      text: `${of.expert.name}: ${ASSETS[of.asset].symbol} ${claimText(of.statedClaim)}`,
    },
    report: payment.reportNumber,
    state: isPaid(payment.status)
      ? PURPOSES[payment.purpose].state(payment)
      : (unpaidText(payment) ?? 'Not paid: no invoice could be made.'),
  }
}

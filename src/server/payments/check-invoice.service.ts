import { arrivalOf, isPaid, nextCheckMs } from '#domain/money/invoice.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type InvoiceState } from './ports.ts'
import { provenPreimage } from './proof-of-payment.ts'
import {
  isShown,
  moveUnpaid,
  noteLook,
  noteWallet,
  paymentBy,
  markPaid,
  type ShownPayment,
} from './payments.store.ts'
import { type Payment } from './payments.rows.ts'
import { type WalletHealth } from './wallet-health.service.ts'

/** `unknown` when the wallet did not answer. */
type Found = 'paid' | 'unpaid' | 'unknown'

export type Checked = { readonly payment: Payment; readonly checked: boolean }

const ANSWER_WITHIN_MS = 8_000
/** Pages that ask more often than this get the answer of the last check. */
const FRESH_MS = 900
/** A wallet that does not answer is asked again after this, and less and less often. */
const AFTER_FAULT_MS = 5_000
/** Failures in a row after which the wallet itself is checked. */
const DOUBTED_AFTER = 2
/** Its wallet does not know the invoice any more, which proves nothing about sats. */
const GONE = 'The wallet does not know this invoice any more.'
/** It cannot be checked until the former settings are back. */
export const OTHER_WALLET =
  'It was made by a different wallet than the one in use, so it cannot be checked.'

/** Whether a wallet has dropped an invoice after its end, as some do: it cannot be paid any more. */
function isDropped(payment: Payment, nowMs: number): boolean {
  return payment.lastError === GONE && hasEnded(payment, nowMs)
}

/** Whether it cannot be paid any more, as far as can be found out: its wallet has dropped it, or is no longer in use. */
export function isPastPaying(payment: Payment, nowMs: number): boolean {
  const isUnknown = payment.lastError === GONE || payment.lastError === OTHER_WALLET
  return isUnknown && hasEnded(payment, nowMs)
}

function hasEnded({ walletExpiresAt }: Payment, nowMs: number): boolean {
  return walletExpiresAt !== null && Date.parse(walletExpiresAt) < nowMs
}

const BUSY_MS = 3_000
const LONGEST_AFTER_FAULT_MS = 5 * 60_000

export type InvoiceChecks = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly walletHealth: Pick<WalletHealth, 'wallet' | 'print' | 'doubt'>
  /** By payment: several checks of one at once share one question. */
  readonly running: Map<string, Promise<Found>>
  paused: { readonly from: number; readonly until: number }
  failures: number
}

export function invoiceChecks({
  db,
  clock,
  log,
  walletHealth,
}: Pick<InvoiceChecks, 'db' | 'clock' | 'log' | 'walletHealth'>): InvoiceChecks {
  const paused = { from: Infinity, until: -Infinity }
  return { db, clock, log, walletHealth, running: new Map(), paused, failures: 0 }
}

/** The only way by which a payment becomes paid: asks the wallet, with our key. */
export function checkNow(checks: InvoiceChecks, payment: ShownPayment): Promise<Found> {
  const already = checks.running.get(payment.id)
  if (already) return already
  const asking = check(checks, payment).finally(() => checks.running.delete(payment.id))
  checks.running.set(payment.id, asking)
  return asking
}

export async function checkUnlessFresh(checks: InvoiceChecks, payment: Payment): Promise<Checked> {
  const { db, clock, running } = checks
  if (!isShown(payment) || isPaid(payment.status)) return { payment, checked: true }
  const lastMs = payment.lastLookAt === null ? -Infinity : Date.parse(payment.lastLookAt)
  if (Math.abs(clock.now() - lastMs) < FRESH_MS && !running.has(payment.id)) {
    return { payment, checked: payment.lastError === null }
  }
  const found = await checkNow(checks, payment)
  const now = await paymentBy(db, 'id', payment.id)
  return { payment: now ?? payment, checked: found !== 'unknown' }
}

/** A wallet has hinted at this invoice: it may be paid, or a stranger may want us to think so. */
export async function checkHinted(checks: InvoiceChecks, paymentHash: string): Promise<void> {
  const payment = await paymentBy(checks.db, 'paymentHash', paymentHash)
  if (payment && isShown(payment) && !isPaid(payment.status)) await checkNow(checks, payment)
}

async function check(checks: InvoiceChecks, payment: ShownPayment): Promise<Found> {
  const { db, clock, log } = checks
  const age = clock.now() - Date.parse(payment.createdAt)
  const left = Date.parse(payment.expiresAt) - clock.now()
  const checkedFor = Date.parse(payment.watchUntil) - clock.now()
  const lastLookAt = isoNow(checks)
  try {
    const found = await ask(checks, payment)
    if (found.state === 'settled') {
      await notePaid(checks, payment, found)
      return 'paid'
    }
    if (left <= 0) await moveUnpaid(db, payment.id, 'expired')
    const next = nextCheckMs(age, left, checkedFor)
    const nextLookAt = next === null ? null : isoIn(checks, next)
    await noteLook(db, payment.id, { lastLookAt, lastError: null, nextLookAt })
    return 'unpaid'
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    // Those of another wallet are reported together, at the start.
    if (error.message !== payment.lastError && error.message !== OTHER_WALLET) {
      log.warn({ payment: payment.id }, `A payment cannot be checked. ${error.message}`)
    }
    // When the wallet asks to wait, no payment is asked about until the pause is over.
    if (error.fault === 'busy') {
      const from = clock.now()
      const before = isPaused(checks) ? checks.paused.until : from
      checks.paused = { from, until: Math.max(before, from + (error.waitMs ?? BUSY_MS)) }
    }
    const now: Payment = { ...payment, lastError: error.message }
    if (left <= 0 && isDropped(now, clock.now())) await moveUnpaid(db, payment.id, 'expired')
    const wait = Math.min(Math.max(AFTER_FAULT_MS, age / 20), LONGEST_AFTER_FAULT_MS)
    // A wallet that is only away may still know of sats when it is back, however late that is.
    const isOver = error.fault === 'refused' && checkedFor < 0
    await noteLook(db, payment.id, {
      lastLookAt,
      lastError: error.message,
      nextLookAt: isOver ? null : isoIn(checks, Math.max(wait, error.waitMs ?? 0)),
    })
    return 'unknown'
  }
}

/** A clock that was set back does not make the pause longer. */
function isPaused({ clock, paused }: InvoiceChecks): boolean {
  return clock.now() >= paused.from && clock.now() < paused.until
}

async function ask(checks: InvoiceChecks, payment: ShownPayment): Promise<InvoiceState> {
  const { wallet, print } = checks.walletHealth
  if (wallet?.name !== payment.wallet) throw new SourceError('refused', OTHER_WALLET)
  // It may be the same wallet at another address or with another key: then it knows the invoice.
  const isOther = payment.walletPrint !== null && payment.walletPrint !== print
  if (isPaused(checks)) throw new SourceError('down', `${wallet.title} asks to wait.`)
  const { walletRef: ref, paymentHash, bolt11, sats } = payment
  const invoice = { ref, paymentHash, bolt11, sats }
  try {
    const found = await wallet.lookUp(invoice, AbortSignal.timeout(ANSWER_WITHIN_MS))
    checks.failures = 0
    if (found.state === 'gone') throw new SourceError('refused', isOther ? OTHER_WALLET : GONE)
    if (payment.walletPrint !== print) await noteWallet(checks.db, payment.id, print)
    return found
  } catch (error) {
    if (error instanceof SourceError && error.message === GONE) throw error
    // It says nothing about the wallet in use that it does not know what another one made.
    if (isOther && error instanceof SourceError && error.fault === 'refused') {
      throw new SourceError('refused', OTHER_WALLET)
    }
    if (!(error instanceof SourceError) || error.fault !== 'busy') checks.failures += 1
    // One may be the fault of that invoice.
    if (checks.failures >= DOUBTED_AFTER) {
      checks.failures = 0
      checks.walletHealth.doubt()
    }
    throw error
  }
}

async function notePaid(
  checks: InvoiceChecks,
  payment: ShownPayment,
  found: Extract<InvoiceState, { state: 'settled' }>,
): Promise<void> {
  const { db, clock, log } = checks
  // The clock that made the invoice decides whether the payment came late, where the wallet says when it came.
  const isOver = clock.now() > Date.parse(payment.expiresAt)
  const isLate =
    found.settledMs === null
      ? payment.status === 'expired' || (payment.status === 'cancelled' && isOver)
      : found.settledMs > Date.parse(payment.walletExpiresAt)
  // No wallet means an amount that is no whole number.
  const reported = Number.isSafeInteger(found.receivedMsat) ? found.receivedMsat : null
  const { receivedMsat, missingMsat, countedSats } = arrivalOf(payment.sats, reported)
  const became = await markPaid(db, payment, {
    isLate,
    receivedMsat,
    countedSats,
    preimage: provenPreimage(found.preimage, payment.paymentHash),
    settledAt: found.settledMs === null ? null : new Date(found.settledMs).toISOString(),
    paidAt: isoNow(checks),
  })
  if (became === null) return
  const { purpose, sats } = payment
  const detail = { payment: payment.id, purpose, sats, state: became.status }
  if (became.isUsed) log.info(detail, 'A payment has arrived.')
  else if (became.status === 'overpaid') log.warn(detail, 'A submission was paid twice; refund it.')
  else log.warn(detail, 'A payment for a withdrawn prediction arrived; refund it.')
  if (missingMsat > 0) {
    // The network does not let a payer pay less; a wallet may deduct its fee from the amount.
    log.warn(
      { ...detail, receivedMsat: reported },
      'The wallet reports less than the amount of the invoice; check it.',
    )
  }
}

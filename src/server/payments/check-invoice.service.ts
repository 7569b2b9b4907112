import { arrivalOf, isPaid, nextCheckMs } from '#domain/money/invoice.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoIn, isoNow, requestedPauses } from '#server/kit/time.ts'
import { type Payment } from './payments.rows.ts'
import * as store from './payments.store.ts'
import { type InvoiceState, provenPreimage } from './ports.ts'
import { type WalletHealth } from './wallet-health.service.ts'

/** `unknown` if the wallet did not answer. */
type Found = 'paid' | 'unpaid' | 'unknown'

export type Checked = { readonly payment: Payment; readonly checked: boolean }

const ANSWER_WITHIN_MS = 8_000
/** More frequent requests get the result of the last check. */
const FRESH_MS = 900
/** Delay after a failure of the wallet, growing with each. */
const AFTER_FAULT_MS = 5_000
/** Consecutive failures after which the wallet itself is checked. */
const DOUBTED_AFTER = 2
/** The wallet no longer knows the invoice, which says nothing about sats. */
const GONE = 'The wallet does not know this invoice any more.'
/** It cannot be checked until the former settings are restored. */
export const OTHER_WALLET =
  'It was made by a different wallet than the one in use, so it cannot be checked.'

/** Whether it can probably no longer be paid: its wallet has dropped it, or is no longer configured. */
export function isPastPaying(payment: Payment, nowMs: number): boolean {
  const isUnknown = payment.lastError === GONE || payment.lastError === OTHER_WALLET
  return isUnknown && hasEnded(payment, nowMs)
}

function hasEnded({ walletExpiresAt }: Payment, nowMs: number): boolean {
  return walletExpiresAt !== null && Date.parse(walletExpiresAt) < nowMs
}

const BUSY_MS = 3_000
const LONGEST_AFTER_FAULT_MS = 5 * 60_000

export type InvoiceChecks = ReturnType<typeof invoiceChecks>

export function invoiceChecks(
  kit: Pick<Kit, 'db' | 'clock' | 'log'> & {
    readonly walletHealth: Pick<WalletHealth, 'wallet' | 'print' | 'doubt'>
  },
) {
  return {
    ...kit,
    /** Concurrent checks of a payment share one call. */
    running: new Map<string, Promise<Found>>(),
    /** Of the wallet, during which no payment is checked. */
    pauses: requestedPauses(kit),
    failures: 0,
  }
}

/** The only way for a payment to become paid: asks the wallet with our key. */
export function checkNow(checks: InvoiceChecks, payment: store.InvoicedPayment): Promise<Found> {
  const already = checks.running.get(payment.id)
  if (already) return already
  const asking = check(checks, payment).finally(() => checks.running.delete(payment.id))
  checks.running.set(payment.id, asking)
  return asking
}

export async function checkUnlessFresh(checks: InvoiceChecks, payment: Payment): Promise<Checked> {
  const { db, clock, running } = checks
  if (!store.hasInvoice(payment) || isPaid(payment.status)) return { payment, checked: true }
  const lastMs = payment.lastLookAt === null ? -Infinity : Date.parse(payment.lastLookAt)
  if (Math.abs(clock.now() - lastMs) < FRESH_MS && !running.has(payment.id)) {
    return { payment, checked: payment.lastError === null }
  }
  const found = await checkNow(checks, payment)
  const now = await store.paymentBy(db, 'id', payment.id)
  return { payment: now ?? payment, checked: found !== 'unknown' }
}

/** A hint from the wallet that an invoice may be paid; possibly forged by a stranger. */
export async function checkHinted(checks: InvoiceChecks, paymentHash: string): Promise<void> {
  const payment = await store.paymentBy(checks.db, 'paymentHash', paymentHash)
  if (payment && store.hasInvoice(payment) && !isPaid(payment.status))
    await checkNow(checks, payment)
}

async function check(checks: InvoiceChecks, payment: store.InvoicedPayment): Promise<Found> {
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
    if (left <= 0) await store.moveUnpaid(db, payment.id, 'expired')
    const next = nextCheckMs(age, left, checkedFor)
    const nextLookAt = next === null ? null : isoIn(checks, next)
    await store.noteLook(db, payment.id, { lastLookAt, lastError: null, nextLookAt })
    return 'unpaid'
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    // Invoices of another wallet are reported together at the start.
    if (error.message !== payment.lastError && error.message !== OTHER_WALLET) {
      log.warn({ payment: payment.id }, `A payment cannot be checked. ${error.message}`)
    }
    if (error.fault === 'busy') checks.pauses.wait(payment.wallet, error.waitMs ?? BUSY_MS)
    const now: Payment = { ...payment, lastError: error.message }
    // Some wallets drop expired invoices, which can no longer be paid.
    const isDropped = error.message === GONE && hasEnded(now, clock.now())
    if (left <= 0 && isDropped) await store.moveUnpaid(db, payment.id, 'expired')
    const wait = Math.min(Math.max(AFTER_FAULT_MS, age / 20), LONGEST_AFTER_FAULT_MS)
    // An unavailable wallet may still report sats once it is back, however late.
    const isOver = error.fault === 'refused' && checkedFor < 0
    await store.noteLook(db, payment.id, {
      lastLookAt,
      lastError: error.message,
      nextLookAt: isOver ? null : isoIn(checks, Math.max(wait, error.waitMs ?? 0)),
    })
    return 'unknown'
  }
}

async function ask(checks: InvoiceChecks, payment: store.InvoicedPayment): Promise<InvoiceState> {
  const { wallet, print } = checks.walletHealth
  if (wallet?.name !== payment.wallet) throw new SourceError('refused', OTHER_WALLET)
  // It may be the same wallet at another address or with another key, which then knows the invoice.
  const isOther = payment.walletPrint !== null && payment.walletPrint !== print
  if (checks.pauses.leftMs(wallet.name) > 0)
    throw new SourceError('down', `${wallet.title} asks us to wait.`)
  const { walletRef: ref, paymentHash, bolt11, sats } = payment
  const invoice = { ref, paymentHash, bolt11, sats }
  try {
    const found = await wallet.lookUp(invoice, AbortSignal.timeout(ANSWER_WITHIN_MS))
    checks.failures = 0
    if (found.state === 'gone') throw new SourceError('refused', isOther ? OTHER_WALLET : GONE)
    if (payment.walletPrint !== print) await store.noteWallet(checks.db, payment.id, print)
    return found
  } catch (error) {
    if (error instanceof SourceError && error.message === GONE) throw error
    // That the current wallet does not know another wallet's invoice does not indicate a fault.
    if (isOther && error instanceof SourceError && error.fault === 'refused') {
      throw new SourceError('refused', OTHER_WALLET)
    }
    if (!(error instanceof SourceError) || error.fault !== 'busy') checks.failures += 1
    // A single failure may be caused by its invoice.
    if (checks.failures >= DOUBTED_AFTER) {
      checks.failures = 0
      checks.walletHealth.doubt()
    }
    throw error
  }
}

async function notePaid(
  checks: InvoiceChecks,
  payment: store.InvoicedPayment,
  found: Extract<InvoiceState, { state: 'settled' }>,
): Promise<void> {
  const { db, clock, log } = checks
  // Lateness is decided by the clock that made the invoice, if the wallet reports the time of payment.
  const isOver = clock.now() > Date.parse(payment.expiresAt)
  const isLate =
    found.settledMs === null
      ? payment.status === 'expired' || (payment.status === 'cancelled' && isOver)
      : found.settledMs > Date.parse(payment.walletExpiresAt)
  // A fractional amount is a wallet's mistake.
  const reported = Number.isSafeInteger(found.receivedMsat) ? found.receivedMsat : null
  const { receivedMsat, missingMsat, countedSats } = arrivalOf(payment.sats, reported)
  const became = await store.markPaid(db, payment, {
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
    // The network does not allow paying less; a wallet may deduct its fee from the amount.
    log.warn(
      { ...detail, receivedMsat: reported },
      'The wallet reports less than the amount of the invoice; check it.',
    )
  }
}

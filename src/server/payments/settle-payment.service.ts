import { arrivalOf, isPaid, nextCheckMs } from '#domain/money/invoice.ts'
import { SourceError, type Clock, type Log } from '#server/kit/ports.ts'
import { type InvoiceState } from './ports.ts'
import { provenPreimage } from './proof-of-payment.ts'
import { type Db } from '#server/kit/db.ts'
import {
  isShown,
  moveUnpaid,
  noteLook,
  noteWallet,
  paymentById,
  paymentByHash,
  settlePayment,
  type ShownPayment,
} from './payments.store.ts'
import { type Payment } from './payments.rows.ts'
import { type WalletDesk } from './wallet-account.service.ts'

/** What a look at an invoice found: `unknown` when the wallet did not answer. */
export type Found = 'paid' | 'unpaid' | 'unknown'

const ANSWER_WITHIN_MS = 8_000
/** Pages that ask more often than this get the answer of the last look. */
const FRESH_MS = 900
/** A wallet that does not answer is asked again after this, and less and less often. */
const AFTER_FAULT_MS = 5_000
/** Failures in a row after which the wallet itself is checked. */
const DOUBTED_AFTER = 2
/** Its wallet does not know the invoice any more, which proves nothing about sats. */
const GONE = 'The wallet does not know this invoice any more.'
/** Nobody can be asked about it until the former settings are back. */
export const OTHER_WALLET =
  'It was made by another wallet than the one in use, so it cannot be checked.'

/** Whether a wallet has dropped an invoice after its end, as some do: nobody can pay it any more. */
function isDropped(payment: Payment, nowMs: number): boolean {
  return payment.lastError === GONE && hasEnded(payment, nowMs)
}

/** Whether it cannot be paid any more, as far as anybody can find out: its wallet has dropped it, or is no longer in use. */
export function isPastPaying(payment: Payment, nowMs: number): boolean {
  const isUnknown = payment.lastError === GONE || payment.lastError === OTHER_WALLET
  return isUnknown && hasEnded(payment, nowMs)
}

/** Whether the end that the invoice itself names is over. */
function hasEnded({ walletExpiresAt }: Payment, nowMs: number): boolean {
  return walletExpiresAt !== null && Date.parse(walletExpiresAt) < nowMs
}

/** How long a wallet that asks to wait is left alone. */
const BUSY_MS = 3_000
const LONGEST_AFTER_FAULT_MS = 5 * 60_000

export type PaymentLooks = ReturnType<typeof paymentLooks>

/**
 * The only way by which a payment becomes paid: asking the wallet, with our key, and writing the answer down. Whoever
 * has reason to ask (a page, the watcher, a hint of the wallet) asks here; several at once share one question.
 */
export function paymentLooks({
  db,
  clock,
  log,
  desk,
}: {
  db: Db
  clock: Clock
  log: Log
  desk: Pick<WalletDesk, 'wallet' | 'print' | 'doubt'>
}) {
  const running = new Map<string, Promise<Found>>()
  let paused = { from: Infinity, until: -Infinity }
  let failures = 0
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString()

  /** A clock that was set back does not make the pause longer. */
  function isPaused(): boolean {
    return clock.now() >= paused.from && clock.now() < paused.until
  }

  async function ask(payment: ShownPayment): Promise<InvoiceState> {
    const { wallet, print } = desk
    if (wallet?.name !== payment.wallet) throw new SourceError('refused', OTHER_WALLET)
    // It may be the same wallet at another address or with another key: then it knows the invoice.
    const isOther = payment.walletPrint !== null && payment.walletPrint !== print
    if (isPaused()) throw new SourceError('down', `${wallet.title} asks to wait.`)
    const { walletRef: ref, paymentHash, bolt11, sats } = payment
    const invoice = { ref, paymentHash, bolt11, sats }
    try {
      const found = await wallet.lookUp(invoice, AbortSignal.timeout(ANSWER_WITHIN_MS))
      failures = 0
      if (found.state === 'gone') throw new SourceError('refused', isOther ? OTHER_WALLET : GONE)
      if (payment.walletPrint !== print) await noteWallet(db, payment.id, print)
      return found
    } catch (error) {
      if (error instanceof SourceError && error.message === GONE) throw error
      // It says nothing about the wallet in use that it does not know what another one made.
      if (isOther && error instanceof SourceError && error.fault === 'refused') {
        throw new SourceError('refused', OTHER_WALLET)
      }
      if (!(error instanceof SourceError) || error.fault !== 'busy') failures += 1
      // One may be the fault of that invoice.
      if (failures >= DOUBTED_AFTER) {
        failures = 0
        desk.doubt()
      }
      throw error
    }
  }

  async function settle(
    payment: ShownPayment,
    found: Extract<InvoiceState, { state: 'settled' }>,
  ): Promise<void> {
    // Whether it came late is told by the clock that made the invoice, where that clock tells.
    const isOver = clock.now() > Date.parse(payment.expiresAt)
    const isLate =
      found.settledMs === null
        ? payment.status === 'expired' || (payment.status === 'cancelled' && isOver)
        : found.settledMs > Date.parse(payment.walletExpiresAt)
    // No wallet means an amount that is no whole number.
    const told = Number.isSafeInteger(found.receivedMsat) ? found.receivedMsat : null
    const { receivedMsat, missingMsat, countedSats } = arrivalOf(payment.sats, told)
    const became = await settlePayment(db, payment, {
      isLate,
      receivedMsat,
      countedSats,
      preimage: provenPreimage(found.preimage, payment.paymentHash),
      settledAt: found.settledMs === null ? null : new Date(found.settledMs).toISOString(),
      paidAt: isoIn(0),
    })
    if (became === null) return
    const detail = { payment: payment.id, sats: payment.sats, state: became }
    if (became === 'overpaid') log.warn(detail, 'A submission was paid twice; give it back.')
    else log.info(detail, 'A submission has been paid.')
    if (missingMsat > 0) {
      // The network lets nobody pay less; a wallet may take its fee out of what arrives.
      log.warn(
        { ...detail, receivedMsat: told },
        'The wallet reports less than was asked; look into it.',
      )
    }
  }

  async function lookNow(payment: ShownPayment): Promise<Found> {
    const age = clock.now() - Date.parse(payment.createdAt)
    const left = Date.parse(payment.expiresAt) - clock.now()
    const watch = Date.parse(payment.watchUntil) - clock.now()
    const lastLookAt = isoIn(0)
    try {
      const found = await ask(payment)
      if (found.state === 'settled') {
        await settle(payment, found)
        return 'paid'
      }
      if (left <= 0) await moveUnpaid(db, payment.id, 'expired')
      const next = nextCheckMs(age, left, watch)
      const nextLookAt = next === null ? null : isoIn(next)
      await noteLook(db, payment.id, { lastLookAt, lastError: null, nextLookAt })
      return 'unpaid'
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      // Those of another wallet are told of together, at the start.
      if (error.message !== payment.lastError && error.message !== OTHER_WALLET) {
        log.warn({ payment: payment.id }, `A payment cannot be looked up. ${error.message}`)
      }
      // One question too many is one for all payments: none is asked after until the pause is over.
      if (error.fault === 'busy') {
        const from = clock.now()
        const before = isPaused() ? paused.until : from
        paused = { from, until: Math.max(before, from + (error.waitMs ?? BUSY_MS)) }
      }
      const now: Payment = { ...payment, lastError: error.message }
      if (left <= 0 && isDropped(now, clock.now())) {
        await moveUnpaid(db, payment.id, 'expired')
      }
      const wait = Math.min(Math.max(AFTER_FAULT_MS, age / 20), LONGEST_AFTER_FAULT_MS)
      // A wallet that is only away may still tell of sats when it is back, however late that is.
      const isOver = error.fault === 'refused' && watch < 0
      await noteLook(db, payment.id, {
        lastLookAt,
        lastError: error.message,
        nextLookAt: isOver ? null : isoIn(Math.max(wait, error.waitMs ?? 0)),
      })
      return 'unknown'
    }
  }

  function look(payment: ShownPayment): Promise<Found> {
    const already = running.get(payment.id)
    if (already) return already
    const asking = lookNow(payment).finally(() => running.delete(payment.id))
    running.set(payment.id, asking)
    return asking
  }

  return {
    look,

    /** Looks unless that has just been done. @returns the payment as it stands now, and whether the wallet answered */
    async fresh(payment: Payment): Promise<{ payment: Payment; checked: boolean }> {
      if (!isShown(payment) || isPaid(payment.status)) return { payment, checked: true }
      const lastMs = payment.lastLookAt === null ? -Infinity : Date.parse(payment.lastLookAt)
      if (Math.abs(clock.now() - lastMs) < FRESH_MS && !running.has(payment.id)) {
        return { payment, checked: payment.lastError === null }
      }
      const found = await look(payment)
      const now = await paymentById(db, payment.id)
      return { payment: now ?? payment, checked: found !== 'unknown' }
    },

    /** A wallet has hinted at this invoice: it may be paid, or somebody may want us to think so. */
    async hint(paymentHash: string): Promise<void> {
      const payment = await paymentByHash(db, paymentHash)
      if (payment && isShown(payment) && !isPaid(payment.status)) await look(payment)
    },
  }
}

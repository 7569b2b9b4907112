import { type checkPayment, type createInvoice } from '#contracts/payments.ts'
import { receiptPath } from '#contracts/receipt.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { DEMONSTRATION, isPaid, MAX_SATS, MIN_SATS, readSats } from '#domain/money/invoice.ts'
import { readSubmission, type Submission } from '#domain/submission.ts'
import { failure } from '#server/kit/failure.ts'
import { momentText } from '#server/kit/iso.ts'
import { SourceError, type Clock, type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import {
  addPayment,
  failPayment,
  isShown,
  moveUnpaid,
  paymentByChecking,
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
import { paymentGuard, type PaymentLimits } from './payment-limits.service.ts'
import { INVOICE_WITHIN_MS, NO_INVOICE, paymentInvoices } from './invoices.service.ts'
import { isPastPaying, OTHER_WALLET, type PaymentLooks } from './settle-payment.service.ts'
import { sha256, type Tokens } from '#server/kit/tokens.ts'
import { type WalletDesk } from './wallet-account.service.ts'

type Asked = z.output<NonNullable<typeof createInvoice.body>>
type Answer = z.input<typeof createInvoice.reply>
type State = z.input<typeof checkPayment.reply>

/** Who asks for an invoice. */
type Caller = {
  /** The same one with the same body gets the same invoice; null never does. */
  readonly idempotencyKey: string | null
  /** What one of them may begin is limited. */
  readonly address: string
}

export type { PaymentLimits } from './payment-limits.service.ts'

export const PAYMENT_LIMITS: PaymentLimits = {
  minSats: MIN_SATS,
  mostAnAddress: 12,
  mostOpenAnAddress: 10,
  mostAPrefix: 30,
  mostOpenAPrefix: 40,
  mostAMinute: 120,
  mostOpen: 1_000,
}

/** Beyond this a payment without an invoice never gets one: the wallet is not waited for that long. */
const CREATED_WITHIN_MS = INVOICE_WITHIN_MS + 2_000
/** Earlier tries that are looked up at once. */
const LOOKED_BACK_AT_ONCE = 8
const NOT_CHECKED = 'An earlier payment cannot be checked at the moment; please wait.'
const NO_RECEIPT = 'There is no such receipt.'
const ALREADY_PAID = 'This submission has been paid already. Its receipt shows how it stands.'

export type Payments = ReturnType<typeof paymentService>

/**
 * Sells the review of a submission: stores it, makes its invoice, and tells whether that has been paid. The submission is
 * on record before the wallet is asked, and an invoice is on record before anybody sees it.
 */
export function paymentService({
  db,
  clock,
  log,
  desk,
  looks,
  tokens,
  limits = PAYMENT_LIMITS,
  hintUrl,
}: {
  db: Db
  clock: Clock
  log: Log
  desk: WalletDesk
  looks: PaymentLooks
  tokens: Tokens
  limits?: PaymentLimits
  /** Where a wallet may tell that something has happened to a payment; null where it could not reach us. */
  hintUrl: (checkingId: string) => string | null
}) {
  const guard = paymentGuard({ db, clock, log, limits })
  const invoices = paymentInvoices({ db, clock, log, desk, tokens, hintUrl })
  const isoIn = (ms: number): string => isoOf(clock.now() + ms)

  async function find(checkingId: string): Promise<Payment> {
    const payment = await paymentByChecking(db, tokens.hash(checkingId))
    if (!payment) throw failure('not_found', 'There is no such payment.')
    return payment
  }

  /** Looks at the earlier tries of a form, so that nobody who has paid is asked to pay again. */
  async function lookBack(receipt: string): Promise<void> {
    const known = await submissionByReceipt(db, tokens.hash(receipt))
    // It was never paid, and has been removed since.
    if (!known) return
    // Those that are no longer watched have been found unpaid long after their end.
    const tries = (await paymentsOf(db, known.id)).filter((one) => one.nextLookAt !== null)
    while (tries.length > 0) {
      const some = tries.splice(-LOOKED_BACK_AT_ONCE)
      const looked = await Promise.all(some.map((one) => looks.fresh(one)))
      if (looked.some((one) => isPaid(one.payment.status))) return
      const open = looked
        .filter((one) => !one.checked && !isPastPaying(one.payment, clock.now()))
        .map((one) => one.payment)
      if (open.length > 0) throw failure('unavailable', notCheckedText(open))
    }
  }

  /**
   * Writes down the submission and the payment to come.
   *
   * @param submission null: the one behind the receipt, as it is stored
   * @returns the payment's id, or null when the same Idempotency-Key was used at the same time
   */
  async function begin(
    tx: Db,
    submission: Submission | null,
    { receipt, isMadeGiven }: { receipt: string | null; isMadeGiven: boolean },
    rest: Pick<Payment, 'idempotencyHash' | 'sats' | 'wallet' | 'walletPrint' | 'network'> & {
      fingerprint: string
    },
  ): Promise<string | null> {
    const createdAt = isoIn(0)
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
    const isFirst = await addPayment(tx, { ...rest, id, submissionId, checkingHash, createdAt })
    if (isFirst) return id
    if (!known) await dropUnpaid(tx, submissionId)
    return null
  }

  function answer(payment: ShownPayment): Answer {
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

  /** @returns the answer that the same Idempotency-Key got or is about to get; null when its process is gone */
  async function replay(hash: string | null, fingerprint: string): Promise<Answer | null> {
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
    return answer(payment)
  }

  /** What an invoice is asked for, beside the submission. */
  type Order = {
    readonly amount: unknown
    readonly receipt: string | null
    /** SHA-256 of what was asked. */
    readonly fingerprint: string
    readonly isMadeGiven: boolean
  }

  /**
   * Makes the invoice of a submission.
   *
   * @param read checks what is submitted; null where it is the one behind the receipt
   */
  async function sell(
    { amount, receipt, fingerprint, isMadeGiven }: Order,
    read: () => Submission | null,
    { idempotencyKey, address }: Caller,
  ): Promise<Answer> {
    const idempotencyHash = idempotencyKey === null ? null : tokens.hash(idempotencyKey)
    // What has been answered is answered again, whatever has become of the wallet.
    const before = await replay(idempotencyHash, fingerprint)
    if (before) return before
    const wallet = await desk.open()
    const sats = readSats(amount, { min: limits.minSats, max: MAX_SATS })
    if (typeof sats === 'string') throw failure('invalid', sats, { amount: sats })
    const submission = read()
    if (receipt !== null) await lookBack(receipt)
    const { name, network } = wallet
    const made = { wallet: name, walletPrint: desk.print, network }
    const rest = { idempotencyHash, fingerprint, sats, ...made }
    const id = await guard.admit(address, (tx) =>
      begin(tx, submission, { receipt, isMadeGiven }, rest),
    )
    if (id !== null) {
      const shown = await invoices.make(wallet, { id, sats })
      return answer(shown)
    }
    const same = await replay(idempotencyHash, fingerprint)
    if (!same) throw failure('unavailable', NO_INVOICE)
    return same
  }

  function stateOf({ payment, checked }: { payment: Payment; checked: boolean }): State {
    return {
      paid: isPaid(payment.status),
      status: payment.status,
      late: payment.status === 'paid_late',
      overpaid: payment.status === 'overpaid',
      checked,
    }
  }

  return {
    /** Takes a form and makes its invoice. */
    create({ amount, submissionData, receipt = null }: Asked, by: Caller): Promise<Answer> {
      // Of what was asked, not of what it comes to: a day that was left out is another one after midnight.
      const asked = [String(amount).trim(), receipt, submissionData]
      const isMadeGiven = (submissionData.prediction_made ?? '').trim() !== ''
      const order = { amount, receipt, isMadeGiven, fingerprint: sha256(JSON.stringify(asked)) }
      return sell(order, () => readForm(submissionData, dayOfTime(clock.now())), by)
    },

    /** Makes a new invoice for what is behind a receipt; the earlier ones stay under watch. */
    payReceipt(receipt: string, amount: unknown, by: Caller): Promise<Answer> {
      const fingerprint = sha256(JSON.stringify([String(amount).trim(), receipt]))
      return sell({ amount, receipt, fingerprint, isMadeGiven: true }, () => null, by)
    },

    async check(checkingId: string): Promise<State> {
      return stateOf(await looks.fresh(await find(checkingId)))
    },

    /** Looks at what is unpaid of a receipt that is being read, also after the watch is over. It ends by itself. */
    async refresh(receipt: string): Promise<void> {
      try {
        const known = await submissionByReceipt(db, tokens.hash(receipt))
        if (known?.status !== 'unpaid') return
        const tries = (await paymentsOf(db, known.id)).filter(isShown).slice(-LOOKED_BACK_AT_ONCE)
        await Promise.all(tries.map((one) => looks.fresh(one)))
      } catch (error) {
        log.warn({ err: error }, 'The payments of a receipt could not be looked up.')
      }
    },

    /** A wallet, or somebody who has got hold of the address, hints at a payment: it is looked up, and that is all. */
    async hint(checkingId: string): Promise<{ looked: boolean }> {
      const { checked } = await looks.fresh(await find(checkingId))
      return { looked: checked }
    },

    /** The payer has given up. Sats that are on their way count all the same. */
    async cancel(checkingId: string): Promise<State> {
      const payment = await find(checkingId)
      const looked = await looks.fresh(payment)
      if (!(await moveUnpaid(db, payment.id, 'cancelled'))) return stateOf(looked)
      const now = await paymentById(db, payment.id)
      return stateOf({ payment: now ?? payment, checked: looked.checked })
    },

    async payWithDemonstration(checkingId: string): Promise<State> {
      const payment = await find(checkingId)
      const { wallet } = desk
      if (!wallet?.isDemonstration || !wallet.pay) {
        throw failure('conflict', 'No demonstration wallet is in use.')
      }
      if (!isShown(payment)) throw failure('conflict', 'This payment has no invoice.')
      if (!isPaid(payment.status)) {
        try {
          await wallet.pay(payment.bolt11, { feeSats: 0 }, AbortSignal.timeout(INVOICE_WITHIN_MS))
        } catch (error) {
          if (!(error instanceof SourceError)) throw error
          throw failure('conflict', error.message)
        }
        await looks.look(payment)
      }
      const now = await paymentById(db, payment.id)
      return stateOf({ payment: now ?? payment, checked: true })
    },
  }
}

/** Why nothing new can be paid yet. @param open tries that may have been paid, and could not be looked up */
function notCheckedText(open: readonly Payment[]): string {
  const ends = open.flatMap(({ lastError, walletExpiresAt }) =>
    lastError === OTHER_WALLET && walletExpiresAt !== null ? [Date.parse(walletExpiresAt)] : [],
  )
  if (ends.length < open.length) return NOT_CHECKED
  const end = momentText(isoOf(Math.max(...ends)))
  return `This site has changed its wallet since the earlier invoice was made, so we cannot see whether that one has been paid. It can be paid until ${end}; please ask for a new invoice after that.`
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** @throws AppError `invalid` with a message for each field */
function readForm(form: Asked['submissionData'], today: Day): Submission {
  const read = readSubmission(form, today)
  if (read.ok) return read.submission
  const first = Object.values(read.faults)[0] ?? 'Please check the form.'
  throw failure('invalid', first, read.faults)
}

import { type checkPayment } from '#contracts/payments.ts'
import { isPaid } from '#domain/money/invoice.ts'
import { failure } from '#server/kit/failure.ts'
import { SourceError } from '#server/kit/ports.ts'
import { isShown, moveUnpaid, paymentByChecking, paymentById } from './payments.store.ts'
import { paymentsOf, type Payment } from './payments.rows.ts'
import { submissionByReceipt } from '#server/submissions/submissions.rows.ts'
import { type z } from 'zod'
import { checkNow, checkUnlessFresh, type Checked } from './check-invoice.service.ts'
import { CHECKED_AT_ONCE } from './order-invoice.service.ts'
import { INVOICE_WITHIN_MS } from './make-invoice.service.ts'
import { type PaymentsKit } from './payments-kit.ts'

type State = z.input<typeof checkPayment.reply>

export async function checkedState(kit: PaymentsKit, checkingId: string): Promise<State> {
  return stateOf(await checkUnlessFresh(kit.checks, await find(kit, checkingId)))
}

/** Checks what is unpaid of a receipt that is being read, also when it is no longer checked by itself. It ends by itself. */
export async function checkReceipt(
  { db, log, tokens, checks }: PaymentsKit,
  receipt: string,
): Promise<void> {
  try {
    const known = await submissionByReceipt(db, tokens.hash(receipt))
    if (known?.status !== 'unpaid') return
    const tries = (await paymentsOf(db, known.id)).filter(isShown).slice(-CHECKED_AT_ONCE)
    await Promise.all(tries.map((one) => checkUnlessFresh(checks, one)))
  } catch (error) {
    log.warn({ err: error }, 'The payments of a receipt could not be checked.')
  }
}

/** A wallet, or a stranger who knows the address, hints at a payment: it is checked, and that is all. */
export async function hint(kit: PaymentsKit, checkingId: string): Promise<{ looked: boolean }> {
  const { checked } = await checkUnlessFresh(kit.checks, await find(kit, checkingId))
  return { looked: checked }
}

/** The payer has given up. Sats that are on their way count all the same. */
export async function cancel(kit: PaymentsKit, checkingId: string): Promise<State> {
  const payment = await find(kit, checkingId)
  const found = await checkUnlessFresh(kit.checks, payment)
  if (!(await moveUnpaid(kit.db, payment.id, 'cancelled'))) return stateOf(found)
  const now = await paymentById(kit.db, payment.id)
  return stateOf({ payment: now ?? payment, checked: found.checked })
}

export async function payDemonstration(kit: PaymentsKit, checkingId: string): Promise<State> {
  const payment = await find(kit, checkingId)
  const { wallet } = kit.walletHealth
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
    await checkNow(kit.checks, payment)
  }
  const now = await paymentById(kit.db, payment.id)
  return stateOf({ payment: now ?? payment, checked: true })
}

async function find({ db, tokens }: PaymentsKit, checkingId: string): Promise<Payment> {
  const payment = await paymentByChecking(db, tokens.hash(checkingId))
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

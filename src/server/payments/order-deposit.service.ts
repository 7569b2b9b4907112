import { type Db } from '#server/kit/db.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { checkUnlessFresh } from './check-invoice.service.ts'
import { CHECKED_AT_ONCE } from './order-invoice.service.ts'
import { orderPayment, type Caller, type InvoiceAnswer } from './order-payment.service.ts'
import { type PaymentsKit } from './payments-kit.ts'
import { depositsOf } from './payments.rows.ts'
import { paymentByChecking } from './payments.store.ts'

/** A report that waits for its deposit. */
type Reported = {
  /** What the same Idempotency-Key is for. */
  readonly asked: unknown
  /** Writes it down as unpaid; `known` where it waited already. */
  readonly write: (tx: Db) => Promise<{ readonly number: number; readonly known: boolean }>
  /** Takes it back: another request with the same key was first. */
  readonly drop: (tx: Db, number: number) => Promise<void>
}

/** Makes the invoice of a report's deposit; report and payment are written together. */
export async function orderDeposit(
  kit: PaymentsKit,
  amount: number,
  { asked, write, drop }: Reported,
  by: Caller,
): Promise<{ readonly number: number; readonly deposit: InvoiceAnswer }> {
  const fingerprint = sha256(JSON.stringify(['report', asked, amount]))
  const prepare = async () => async (tx: Db, add: (of: PaidForReport) => Promise<boolean>) => {
    const { number, known } = await write(tx)
    const isFirst = await add({ purpose: 'report', reportNumber: number })
    if (!isFirst && !known) await drop(tx, number)
  }
  const deposit = await orderPayment(kit, { amount, fingerprint, prepare }, by)
  const hash = kit.tokens.hash(deposit.invoice.checking_id)
  const number = (await paymentByChecking(kit.db, hash))?.reportNumber
  if (number == null) throw new Error('a deposit without its report')
  return { number, deposit }
}

/** Checks the earlier invoices of a report, so that a person who has paid is not asked to pay again. */
export async function checkDeposits(
  { db, checks }: PaymentsKit,
  reportNumber: number,
): Promise<void> {
  const tries = (await depositsOf(db, reportNumber)).slice(-CHECKED_AT_ONCE)
  await Promise.all(tries.map((one) => checkUnlessFresh(checks, one)))
}

type PaidForReport = { readonly purpose: 'report'; readonly reportNumber: number }

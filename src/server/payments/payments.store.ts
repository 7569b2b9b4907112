import { messagesOf, recordChanged } from '#server/record/record-state.ts'
import { type Payment } from './payments.rows.ts'
import { type Network } from '#domain/money/bolt11.ts'
import { statesBefore, type InvoiceStatus, type PaymentPurpose } from '#domain/money/invoice.ts'
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { lockUnpaidReport, openPaidReport } from '#server/reports/reports.rows.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { doorEntries } from '#server/database/schema/doors.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'

/** A payment whose invoice has been shown. */
export type ShownPayment = Payment & {
  readonly walletRef: string
  readonly bolt11: string
  readonly paymentHash: string
  readonly expiresAt: string
  readonly walletExpiresAt: string
  readonly watchUntil: string
}

export function isShown(payment: Payment): payment is ShownPayment {
  const { walletRef, bolt11, paymentHash, expiresAt, walletExpiresAt, watchUntil } = payment
  const all = [walletRef, bolt11, paymentHash, expiresAt, walletExpiresAt, watchUntil]
  return all.every((one) => one !== null)
}

export type NewPayment = {
  readonly id: string
  readonly checkingHash: string
  readonly idempotencyHash: string | null
  readonly fingerprint: string
  readonly sats: number
  readonly wallet: string
  readonly walletPrint: string | null
  readonly network: Network
  readonly createdAt: string
} & PaidFor

/** What a payment is for. */
export type PaidFor =
  | { readonly purpose: 'submission'; readonly submissionId: string }
  | { readonly purpose: 'report'; readonly reportNumber: number }
  | Support

/** Support of a published prediction, or of the site. */
export type Support = {
  readonly purpose: Exclude<PaymentPurpose, 'submission' | 'report'>
  /** Null for the site. */
  readonly predictionId: string | null
  /** See the column. */
  readonly description?: string
  readonly comment?: string | null
}

/** @returns false when another request has used the same Idempotency-Key first */
export async function addPayment(db: Db, given: NewPayment): Promise<boolean> {
  const rows = await db
    .insert(payments)
    .values({ ...given, status: 'creating' })
    .onConflictDoNothing({ target: payments.idempotencyHash })
    .returning({ id: payments.id })
  return rows.length > 0
}

export async function paymentById(db: Db, id: string): Promise<Payment | null> {
  const rows = await db.select().from(payments).where(eq(payments.id, id))
  return rows[0] ?? null
}

export async function paymentByChecking(db: Db, checkingHash: string): Promise<Payment | null> {
  const rows = await db.select().from(payments).where(eq(payments.checkingHash, checkingHash))
  return rows[0] ?? null
}

export async function paymentByIdempotency(db: Db, hash: string): Promise<Payment | null> {
  const rows = await db.select().from(payments).where(eq(payments.idempotencyHash, hash))
  return rows[0] ?? null
}

export async function paymentByHash(db: Db, paymentHash: string): Promise<Payment | null> {
  const rows = await db.select().from(payments).where(eq(payments.paymentHash, paymentHash))
  return rows[0] ?? null
}

type Shown = Pick<
  Payment,
  | 'walletRef'
  | 'bolt11'
  | 'paymentHash'
  | 'expiresAt'
  | 'walletExpiresAt'
  | 'watchUntil'
  | 'nextLookAt'
>

/** Notes the invoice that the wallet gave; only then may it be shown. @returns null when the row moved on */
export async function showInvoice(db: Db, id: string, shown: Shown): Promise<Payment | null> {
  const rows = await db
    .update(payments)
    .set({ ...shown, status: 'pending' })
    .where(and(eq(payments.id, id), inArray(payments.status, statesBefore('pending'))))
    .returning()
  await signalReceipts(db, rows)
  return rows[0] ?? null
}

/** Gives up a payment without an invoice; its Idempotency-Key may be used again. */
export async function failPayment(db: Db, id: string, lastError: string): Promise<void> {
  const rows = await db
    .update(payments)
    .set({ status: 'failed', lastError, idempotencyHash: null })
    .where(and(eq(payments.id, id), inArray(payments.status, statesBefore('failed'))))
    .returning(KEYS)
  await signalReceipts(db, rows)
}

/** Payments without an invoice that were begun before this moment: their process is gone. @returns how many */
export async function failAbandoned(db: Db, before: string): Promise<number> {
  const rows = await db
    .update(payments)
    .set({
      status: 'failed',
      lastError: 'The server stopped while it waited for the wallet.',
      idempotencyHash: null,
    })
    .where(and(eq(payments.status, 'creating'), lte(payments.createdAt, before)))
    .returning(KEYS)
  await signalReceipts(db, rows)
  return rows.length
}

/** Moves a payment that has not been paid. @returns false when it is no longer in a state that may become this one */
export async function moveUnpaid(
  db: Db,
  id: string,
  to: Extract<InvoiceStatus, 'expired' | 'cancelled'>,
): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ status: to })
    .where(and(eq(payments.id, id), inArray(payments.status, statesBefore(to))))
    .returning(KEYS)
  await signalReceipts(db, rows)
  return rows.length > 0
}

const KEYS = { id: payments.id, submissionId: payments.submissionId }

/** The receipt of a submission has all its payments; any other payment has one of its own. */
function receiptKey({ id, submissionId }: Pick<Payment, 'id' | 'submissionId'>): string {
  return submissionId ?? id
}

function signalReceipts(
  db: Db,
  of: readonly Pick<Payment, 'id' | 'submissionId'>[],
): Promise<void> {
  return sendSignal(db, 'receipt', of.map(receiptKey))
}

/**
 * Takes up to `most` payments that are due, for this process alone until `until`; another process takes others.
 *
 * @param which those that wait for their payer now, or those that are over and are only looked after
 */
export async function takeDue(
  db: Db,
  { which, now, until, most }: { which: 'open' | 'over'; now: string; until: string; most: number },
): Promise<Payment[]> {
  const isOpen = sql`(${payments.status} in ('creating', 'pending') or ${payments.expiresAt} > ${now}::timestamptz)`
  const due = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.nextLookAt),
        lte(payments.nextLookAt, now),
        which === 'open' ? isOpen : not(isOpen),
      ),
    )
    .orderBy(asc(payments.nextLookAt))
    .limit(most)
    .for('update', { skipLocked: true })
  return db.update(payments).set({ nextLookAt: until }).where(inArray(payments.id, due)).returning()
}

/**
 * Makes every invoice that may still be paid due now, at the start of a process; also one that an older version stopped
 * checking too early.
 */
export async function makeAllDue(db: Db, now: string): Promise<void> {
  const isCutShort = and(
    inArray(payments.status, statesBefore('overpaid')),
    gt(payments.watchUntil, now),
  )
  await db
    .update(payments)
    .set({ nextLookAt: now })
    .where(or(isNotNull(payments.nextLookAt), isCutShort))
}

/** Notes a check that found nothing paid. A payment that is no longer checked by itself stays so. */
export async function noteLook(
  db: Db,
  id: string,
  look: Pick<Payment, 'lastLookAt' | 'lastError' | 'nextLookAt'>,
): Promise<void> {
  const { nextLookAt, ...seen } = look
  const next = sql`case when ${payments.nextLookAt} is not null then ${nextLookAt}::timestamptz end`
  // What a payment that has been settled meanwhile says of its last check stays.
  await db
    .update(payments)
    .set({ ...seen, nextLookAt: next })
    .where(and(eq(payments.id, id), inArray(payments.status, statesBefore('overpaid'))))
}

/** Notes which wallet has shown that it knows an invoice. */
export async function noteWallet(db: Db, id: string, walletPrint: string | null): Promise<void> {
  await db.update(payments).set({ walletPrint }).where(eq(payments.id, id))
}

/** How many invoices that may still be paid another wallet made than the one in use, and the sats they are over. */
export async function strandedPayments(
  db: Db,
  inUse: { readonly name: string | null; readonly print: string | null },
): Promise<{ count: number; sats: number }> {
  const [found] = await db
    .select({ count: count(), sats: sql<number>`coalesce(sum(${payments.sats}), 0)::float8` })
    .from(payments)
    .where(
      and(
        isNotNull(payments.nextLookAt),
        sql`(${payments.wallet} is distinct from ${inUse.name}::text or ${payments.walletPrint} <> ${inUse.print}::text)`,
      ),
    )
  return found ?? { count: 0, sats: 0 }
}

export type ReceivedPayment = {
  readonly isLate: boolean
  readonly receivedMsat: number | null
  /** What counts in support of the prediction. */
  readonly countedSats: number
  readonly settledAt: string | null
  readonly paidAt: string
  /** The proof of payment, compared with the hash; absent where the wallet gives none. */
  readonly preimage?: string | null
}

/** What a payment became, and whether its sats went to what it was for. */
type Settled = {
  readonly status: Extract<InvoiceStatus, 'paid' | 'paid_late' | 'overpaid'>
  /** False for a second payment of a submission or a deposit, and for a prediction that was withdrawn meanwhile: given back by hand. */
  readonly isUsed: boolean
}

/**
 * Notes that the sats of a payment have arrived and does what they are for, in one transaction, once: a second call finds
 * it done. A submission goes into review, a report is open; a boost or a zap is added to the score of its prediction.
 *
 * @returns null when it had been settled before
 */
export function markPaid(
  db: Db,
  payment: Pick<Payment, 'id' | 'submissionId' | 'predictionId' | 'reportNumber'>,
  { isLate, countedSats, ...arrival }: ReceivedPayment,
): Promise<Settled | null> {
  const { id, submissionId, predictionId, reportNumber } = payment
  return db.transaction(async (tx) => {
    const isDue =
      (submissionId === null || (await lockUnpaid(tx, submissionId))) &&
      (reportNumber === null || (await lockUnpaidReport(tx, reportNumber)))
    const status = !isDue ? 'overpaid' : isLate ? 'paid_late' : 'paid'
    const [settled] = await tx
      .update(payments)
      .set({
        ...arrival,
        status,
        nextLookAt: null,
        lastLookAt: arrival.paidAt,
        lastError: null,
      })
      .where(and(eq(payments.id, id), inArray(payments.status, statesBefore('overpaid'))))
      .returning(KEYS)
    if (!settled) return null
    await signalReceipts(tx, [settled])
    if (status === 'overpaid') return { status, isUsed: false }
    if (submissionId !== null) {
      await tx
        .update(submissions)
        .set({ status: 'pending', paymentId: id, paidSats: countedSats, paidAt: arrival.paidAt })
        .where(and(eq(submissions.id, submissionId), eq(submissions.status, 'unpaid')))
    }
    if (reportNumber !== null) await openPaidReport(tx, reportNumber, arrival.paidAt)
    const isUsed = predictionId === null || (await credit(tx, { id, predictionId }, countedSats))
    return { status, isUsed }
  })
}

/** Whether a submission has not been paid yet. Its row decides between two payments of it that arrive at once. */
async function lockUnpaid(tx: Db, submissionId: string): Promise<boolean> {
  const [submission] = await tx
    .select({ status: submissions.status })
    .from(submissions)
    .where(eq(submissions.id, submissionId))
    .for('update')
  return submission?.status === 'unpaid'
}

/** Adds the sats of a payment to the score of its prediction. @returns false when that has been withdrawn */
async function credit(
  tx: Db,
  { id, predictionId }: { readonly id: string; readonly predictionId: string },
  sats: number,
): Promise<boolean> {
  const rows = await tx
    .update(predictions)
    .set({ voteScore: sql`${predictions.voteScore} + ${sats}` })
    .where(and(eq(predictions.id, predictionId), isNull(predictions.withdrawnAt)))
    .returning({ id: predictions.id })
  if (rows.length === 0) return false
  await tx.update(payments).set({ creditedSats: sats }).where(eq(payments.id, id))
  const boosted = await messagesOf(tx, sql`predictions.id = ${predictionId}`)
  await recordChanged(tx, { predictions: boosted })
  return true
}

/** Whether the invoice that an entry at the door began may still be paid by who has seen it. */
export const ENTRY_IS_OPEN = sql`exists (select from ${payments}
  where ${payments.id} = ${doorEntries.ref} and ${payments.status} in ('creating', 'pending'))`

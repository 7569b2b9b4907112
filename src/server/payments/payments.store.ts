import { type Payment } from './payments.rows.ts'
import { type Network } from '#domain/money/bolt11.ts'
import { statesBefore, type InvoiceStatus } from '#domain/money/invoice.ts'
import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lte,
  min,
  not,
  or,
  sql,
} from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
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
  readonly submissionId: string
  readonly checkingHash: string
  readonly idempotencyHash: string | null
  readonly fingerprint: string
  readonly sats: number
  readonly wallet: string
  readonly walletPrint: string | null
  readonly network: Network
  readonly createdAt: string
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
    .returning({ submissionId: payments.submissionId })
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
    .returning({ submissionId: payments.submissionId })
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
    .returning({ submissionId: payments.submissionId })
  await signalReceipts(db, rows)
  return rows.length > 0
}

function signalReceipts(db: Db, of: readonly { readonly submissionId: string }[]): Promise<void> {
  const ids = of.map(({ submissionId }) => submissionId)
  return sendSignal(db, 'receipt', ids)
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

/**
 * Notes that the sats of a payment have arrived and brings its submission into review, in one transaction, once: a
 * second call finds it done.
 *
 * @returns what the payment became, or null when it had been settled before
 */
export function markPaid(
  db: Db,
  payment: Pick<Payment, 'id' | 'submissionId'>,
  { isLate, countedSats, ...arrival }: ReceivedPayment,
): Promise<Extract<InvoiceStatus, 'paid' | 'paid_late' | 'overpaid'> | null> {
  return db.transaction(async (tx) => {
    // The submission's row decides between two payments of it that arrive at once.
    const [submission] = await tx
      .select({ status: submissions.status })
      .from(submissions)
      .where(eq(submissions.id, payment.submissionId))
      .for('update')
    const to = submission?.status !== 'unpaid' ? 'overpaid' : isLate ? 'paid_late' : 'paid'
    const [settled] = await tx
      .update(payments)
      .set({
        ...arrival,
        status: to,
        nextLookAt: null,
        lastLookAt: arrival.paidAt,
        lastError: null,
      })
      .where(and(eq(payments.id, payment.id), inArray(payments.status, statesBefore('overpaid'))))
      .returning({ submissionId: payments.submissionId })
    if (!settled) return null
    await signalReceipts(tx, [settled])
    if (to === 'overpaid') return to
    await tx
      .update(submissions)
      .set({
        status: 'pending',
        paymentId: payment.id,
        paidSats: countedSats,
        paidAt: arrival.paidAt,
      })
      .where(and(eq(submissions.id, payment.submissionId), eq(submissions.status, 'unpaid')))
    return to
  })
}

/**
 * How many payments were begun within a time, the first of them when, and how many invoices are open; those begun within the
 * time that wait for their invoice are open, too. What lies ahead of `to` was written by a clock that has been set back since,
 * and counts for nothing.
 */
export async function paymentLoad(
  db: Db,
  { from, to }: { from: string; to: string },
): Promise<{ begun: number; open: number; oldest: string | null }> {
  const [begun] = await db
    .select({
      n: count(),
      creating: sql<number>`(count(*) filter (where ${payments.status} = 'creating'))::int`,
      oldest: min(payments.createdAt),
    })
    .from(payments)
    .where(and(gte(payments.createdAt, from), lte(payments.createdAt, to)))
  const [open] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(payments)
    .where(and(eq(payments.status, 'pending'), isNotNull(payments.nextLookAt)))
  return {
    begun: begun?.n ?? 0,
    open: (begun?.creating ?? 0) + (open?.n ?? 0),
    oldest: begun?.oldest ?? null,
  }
}

/** How many of these may still be paid by who has seen their invoice. */
export async function countOpen(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const [open] = await db
    .select({ n: count() })
    .from(payments)
    .where(and(inArray(payments.id, [...ids]), inArray(payments.status, ['creating', 'pending'])))
  return open?.n ?? 0
}

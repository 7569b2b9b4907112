import {
  and,
  asc,
  count,
  eq,
  gt,
  inArray,
  isNotNull,
  lte,
  not,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { type PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { statesBefore, type InvoiceStatus, type PaymentPurpose } from '#domain/money/invoice.ts'
import { rateLimitEntries } from '#server/database/schema/kit.ts'
import { payments } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { type Payment } from './payments.rows.ts'
import { PURPOSES } from './purposes.ts'

/** Columns that the wallet's invoice fills. */
const INVOICE = [
  'walletRef',
  'bolt11',
  'paymentHash',
  'expiresAt',
  'walletExpiresAt',
  'watchUntil',
] as const
type Invoice = { readonly [Column in (typeof INVOICE)[number]]: NonNullable<Payment[Column]> }
export type InvoicedPayment = Payment & Invoice

export function hasInvoice(payment: Payment): payment is InvoicedPayment {
  return INVOICE.every((column) => payment[column] !== null)
}

export type NewPayment = PaidFor &
  Pick<Payment, 'id' | 'checkingHash' | 'idempotencyHash' | 'fingerprint' | 'createdAt'> &
  Pick<Payment, 'sats' | 'wallet' | 'walletPrint' | 'network'>

export type PaidFor = { readonly purpose: 'submission'; readonly submissionId: string } | Support

export type Support = {
  readonly purpose: Exclude<PaymentPurpose, 'submission' | 'report'>
  /** Null for the site. */
  readonly predictionId: string | null
  readonly description?: string
  readonly comment?: string | null
}

/** @returns null if the Idempotency-Key was already used */
export async function addPayment(db: Db, row: NewPayment): Promise<Payment | null> {
  const target = payments.idempotencyHash
  const values = { ...row, status: 'creating' as const }
  const insert = db.insert(payments).values(values).onConflictDoNothing({ target })
  const [added] = await insert.returning()
  return added ?? null
}

export async function paymentBy(
  db: Db,
  column: 'id' | 'checkingHash' | 'idempotencyHash' | 'paymentHash',
  value: string,
): Promise<Payment | null> {
  const rows = await db.select().from(payments).where(eq(payments[column], value))
  return rows[0] ?? null
}

/** Stores the wallet's invoice, after which it may be shown. @returns null if the row has changed */
export async function showInvoice(
  db: Db,
  id: string,
  invoice: Invoice & Pick<Payment, 'nextLookAt'>,
): Promise<Payment | null> {
  const [row] = await change(db, mayBecome(id, 'pending'), { ...invoice, status: 'pending' })
  return row ?? null
}

/** Marks a payment without an invoice as failed; its Idempotency-Key can be used again. */
export async function failPayment(db: Db, id: string, lastError: string): Promise<void> {
  await change(db, mayBecome(id, 'failed'), { ...FAILED, lastError })
}

/** Marks payments without an invoice begun before this moment as failed: their process has died. */
export async function failAbandoned(db: Db, before: string): Promise<void> {
  const lastError = 'The server stopped while it waited for the wallet.'
  const isAbandoned = and(eq(payments.status, 'creating'), lte(payments.createdAt, before))
  await change(db, isAbandoned, { ...FAILED, lastError })
}

const FAILED = { status: 'failed', idempotencyHash: null } as const

/** Changes the state of an unpaid payment. @returns false if the transition is not allowed */
export async function moveUnpaid(
  db: Db,
  id: string,
  to: Extract<InvoiceStatus, 'expired' | 'cancelled'>,
): Promise<boolean> {
  return (await change(db, mayBecome(id, to), { status: to })).length > 0
}

function mayBecome(id: string, to: InvoiceStatus): SQL | undefined {
  return and(eq(payments.id, id), inArray(payments.status, statesBefore(to)))
}

/** Signals the receipts of changed payments. */
async function change(
  db: Db,
  which: SQL | undefined,
  values: PgUpdateSetSource<typeof payments>,
): Promise<Payment[]> {
  const rows = await db.update(payments).set(values).where(which).returning()
  // A submission has one receipt for all its payments; any other payment has its own.
  const keys = rows.map(({ id, submissionId }) => submissionId ?? id)
  await sendSignal(db, 'receipt', keys)
  return rows
}

/** Payments with a waiting payer, or expired ones. */
export type WatchedInvoices = 'open' | 'over'

const isOpenAt = (now: string): SQL =>
  sql`(${payments.status} in ('creating', 'pending') or ${payments.expiresAt} > ${now}::timestamptz)`

/** Takes up to `most` due payments, which are due again at `until`. */
export async function takeDue(
  db: Db,
  { which, now, until, most }: { which: WatchedInvoices; now: string; until: string; most: number },
): Promise<Payment[]> {
  const due = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(lte(payments.nextLookAt, now), which === 'open' ? isOpenAt(now) : not(isOpenAt(now))),
    )
    .orderBy(asc(payments.nextLookAt), asc(payments.id))
    .limit(most)
    .for('update')
  return db.update(payments).set({ nextLookAt: until }).where(inArray(payments.id, due)).returning()
}

export async function nextLooks(db: Db, now: string) {
  const next = payments.nextLookAt
  const [row] = await db
    .select({
      open: sql<string | null>`min(${next}) filter (where ${isOpenAt(now)})`,
      over: sql<string | null>`min(${next}) filter (where not ${isOpenAt(now)})`,
    })
    .from(payments)
    .where(isNotNull(next))
  return row ?? { open: null, over: null }
}

/**
 * Makes unpaid invoices due, even if a clock far ahead or an older version stopped checking them too early.
 * @param only those last checked after a moment, as by a clock that was set back since: `open` for watched ones,
 * `over` for those no longer watched, which takes a scan of all payments
 */
export async function makeDue(
  db: Db,
  now: string,
  only?: { readonly which: WatchedInvoices; readonly seenAfter: string },
): Promise<void> {
  const isCutShort = and(
    inArray(payments.status, statesBefore('overpaid')),
    gt(payments.watchUntil, now),
  )
  const isWatched = isNotNull(payments.nextLookAt)
  const lastSeen = sql`coalesce(${payments.lastLookAt}, ${payments.createdAt})`
  const due = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      only
        ? and(only.which === 'open' ? isWatched : isCutShort, gt(lastSeen, only.seenAfter))
        : or(isWatched, isCutShort),
    )
    // The order of `takeDue`.
    .orderBy(asc(payments.nextLookAt), asc(payments.id))
    .for('update')
  await db.update(payments).set({ nextLookAt: now }).where(inArray(payments.id, due))
}

/** Stores a check that found nothing paid. Does not resume automatic checks. */
export async function noteLook(
  db: Db,
  id: string,
  look: Pick<Payment, 'lastLookAt' | 'lastError' | 'nextLookAt'>,
): Promise<void> {
  const { nextLookAt, ...seen } = look
  const next = sql`case when ${payments.nextLookAt} is not null then ${nextLookAt}::timestamptz end`
  // A payment settled meanwhile keeps the result of its last check.
  await db
    .update(payments)
    .set({ ...seen, nextLookAt: next })
    .where(mayBecome(id, 'overpaid'))
}

export async function noteWallet(db: Db, id: string, walletPrint: string | null): Promise<void> {
  await db.update(payments).set({ walletPrint }).where(eq(payments.id, id))
}

/** Number and total sats of payable invoices made by another wallet than the current one. */
export async function strandedPayments(
  db: Db,
  inUse: { name: string | null; print: string | null },
) {
  const isOther = sql`(${payments.wallet} is distinct from ${inUse.name}::text or ${payments.walletPrint} <> ${inUse.print}::text)`
  const [found] = await db
    .select({ count: count(), sats: sql<number>`coalesce(sum(${payments.sats}), 0)::float8` })
    .from(payments)
    .where(and(isNotNull(payments.nextLookAt), isOther))
  return found ?? { count: 0, sats: 0 }
}

export type ReceivedPayment = {
  readonly isLate: boolean
  readonly receivedMsat: number | null
  readonly countedSats: number
  readonly settledAt: string | null
  readonly paidAt: string
  /** The preimage, verified against the hash; missing if the wallet provides none. */
  readonly preimage?: string | null
}

type Settled = {
  readonly status: Extract<InvoiceStatus, 'paid' | 'paid_late' | 'overpaid'>
  /** False for a second payment of a submission, and for a withdrawn prediction: refunded by hand. */
  readonly isUsed: boolean
}

/** Records arrived sats and applies them, once. @returns null if already settled */
export function markPaid(
  db: Db,
  payment: Payment,
  { isLate, countedSats, ...arrival }: ReceivedPayment,
): Promise<Settled | null> {
  const { lock, paid } = PURPOSES[payment.purpose]
  return db.transaction(async (tx) => {
    const isDue = await lock(tx, payment)
    const status = !isDue ? 'overpaid' : isLate ? 'paid_late' : 'paid'
    const look = { nextLookAt: null, lastLookAt: arrival.paidAt, lastError: null }
    const settled = await change(tx, mayBecome(payment.id, 'overpaid'), {
      ...arrival,
      ...look,
      status,
    })
    if (settled.length === 0) return null
    const isUsed = isDue && (await paid(tx, payment, { countedSats, paidAt: arrival.paidAt }))
    return { status, isUsed }
  })
}

/** Whether the invoice of a counted call may still be paid. */
export const ENTRY_IS_OPEN = sql`exists (select from ${payments}
  where ${payments.id} = ${rateLimitEntries.ref} and ${payments.status} in ('creating', 'pending'))`

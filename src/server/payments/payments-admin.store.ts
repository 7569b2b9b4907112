import { ASSETS } from '#domain/asset.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { claimText } from '#domain/claim/text.ts'
import { type PAYMENT_KINDS } from '#contracts/payments-admin.ts'
import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { PAGE_SIZE } from '#server/kit/paging.ts'
import { type Db } from '#server/kit/db.ts'
import { IS_UNUSED, type Payment } from './payments.rows.ts'
import { paymentSettlements } from '#server/database/schema/corrections.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { reports } from '#server/database/schema/reports.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { rowsOf } from '#server/kit/rows.ts'

export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** A payment with what it was for, null for the site itself, and how it was settled by hand. */
export type PaymentDetail = {
  readonly payment: Payment
  readonly expertName: string | null
  readonly pricePrediction: string | null
  readonly submissionStatus: string | null
  readonly isShort: boolean
  readonly isExtra: boolean
  readonly isUnused: boolean
  readonly settled: { readonly at: string; readonly username: string; readonly note: string } | null
}

const IS_SHORT = sql<boolean>`coalesce(${payments.receivedMsat} < ${payments.sats}::bigint * 1000, false)`

const IS_EXTRA = sql<boolean>`coalesce(${payments.receivedMsat} > ${payments.sats}::bigint * 1000, false)`

const WHERE: Readonly<Record<PaymentKind, SQL>> = {
  all: sql`true`,
  overpaid: sql`${payments.status} = 'overpaid'`,
  late: sql`${payments.status} = 'paid_late'`,
  short: IS_SHORT,
  odd: sql`(${payments.status} = 'overpaid' or ${IS_SHORT} or ${IS_EXTRA} or ${IS_UNUSED})
    and not exists (select from payment_settlements s where s.payment_id = ${payments.id})`,
}

/** One page of payments of a kind, newest first. */
export async function listPayments(
  db: Db,
  kind: PaymentKind,
  page: number,
): Promise<PaymentDetail[]> {
  const rows = await select(db)
    .where(WHERE[kind])
    .orderBy(sql`${payments.createdAt} desc, ${payments.id}`)
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  return rows.map(detailOf)
}

export async function paymentDetail(db: Db, id: string): Promise<PaymentDetail | null> {
  const [found] = await select(db).where(eq(payments.id, id))
  return found ? detailOf(found) : null
}

/** How many there are of each kind. */
export async function countPayments(db: Db): Promise<Record<PaymentKind, number>> {
  const counted = await db.execute(sql`
    select count(*)::int as all, count(*) filter (where ${WHERE.overpaid})::int as overpaid,
      count(*) filter (where ${WHERE.late})::int as late, count(*) filter (where ${WHERE.short})::int as short,
      count(*) filter (where ${WHERE.odd})::int as odd
    from ${payments}`)
  const [counts] = z.array(Counts).parse(rowsOf(counted))
  return counts ?? { all: 0, overpaid: 0, late: 0, short: 0, odd: 0 }
}

const Counts = z.object({
  all: z.int(),
  overpaid: z.int(),
  late: z.int(),
  short: z.int(),
  odd: z.int(),
})

/** Marks a payment as dealt with. @returns false when it was before */
export async function addHandled(
  tx: Db,
  given: typeof paymentSettlements.$inferInsert,
): Promise<boolean> {
  const rows = await tx
    .insert(paymentSettlements)
    .values(given)
    .onConflictDoNothing()
    .returning({ id: paymentSettlements.paymentId })
  return rows.length > 0
}

/** @returns false when it was not marked */
export async function dropHandled(tx: Db, paymentId: string): Promise<boolean> {
  const rows = await tx
    .delete(paymentSettlements)
    .where(eq(paymentSettlements.paymentId, paymentId))
    .returning({ id: paymentSettlements.paymentId })
  return rows.length > 0
}

type Selected = Awaited<ReturnType<typeof select>>[number]

function detailOf({ priceSubmitted, prediction, ...row }: Selected): PaymentDetail {
  const level =
    prediction && `${ASSETS[prediction.asset].symbol} ${claimText(claimOfColumns(prediction))}`
  return { ...row, pricePrediction: priceSubmitted ?? level }
}

function select(db: Db) {
  return db
    .select({
      payment: payments,
      expertName: sql<string | null>`coalesce(${submissions.expertName}, ${influencers.name})`,
      priceSubmitted: submissions.pricePrediction,
      prediction: predictions,
      submissionStatus: submissions.status,
      isShort: IS_SHORT,
      isExtra: IS_EXTRA,
      isUnused: IS_UNUSED,
      settled: {
        at: paymentSettlements.at,
        username: paymentSettlements.username,
        note: paymentSettlements.note,
      },
    })
    .from(payments)
    .leftJoin(submissions, eq(submissions.id, payments.submissionId))
    .leftJoin(reports, eq(reports.number, payments.reportNumber))
    .leftJoin(
      predictions,
      eq(predictions.id, sql`coalesce(${payments.predictionId}, ${reports.predictionId})`),
    )
    .leftJoin(influencers, eq(influencers.id, predictions.influencerId))
    .leftJoin(paymentSettlements, eq(paymentSettlements.paymentId, payments.id))
    .$dynamic()
}

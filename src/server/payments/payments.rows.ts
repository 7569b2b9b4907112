import { asc, eq, sql } from 'drizzle-orm'
import { payments } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'

export type Payment = typeof payments.$inferSelect

export const IS_EXTRA = sql<boolean>`coalesce(${payments.receivedMsat} > ${payments.sats}::bigint * 1000, false)`
export const IS_SHORT = sql<boolean>`coalesce(${payments.receivedMsat} < ${payments.sats}::bigint * 1000, false)`

/** Condition on `payments`: arrived for a withdrawn prediction, so refunded by hand. */
export const IS_UNUSED = sql<boolean>`(${payments.predictionId} is not null and ${payments.creditedSats} is null
  and ${payments.status} in ('paid', 'paid_late'))`

/** Condition on `payments`: waits for an administrator, who settles it outside the site. */
export const IS_ODD = sql`(${payments.status} = 'overpaid' or ${IS_SHORT} or ${IS_EXTRA} or ${IS_UNUSED})
  and not exists (select from payment_settlements s where s.payment_id = ${payments.id})`

export function paymentsOf(db: Db, submissionId: string): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(eq(payments.submissionId, submissionId))
    .orderBy(asc(payments.createdAt), asc(payments.id))
}

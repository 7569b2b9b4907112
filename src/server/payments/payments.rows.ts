import { asc, eq, sql } from 'drizzle-orm'
import { payments } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'

export type Payment = typeof payments.$inferSelect

export const IS_SHORT = sql<boolean>`coalesce(${payments.receivedMsat} < ${payments.sats}::bigint * 1000, false)`

/** Condition on `payments`: arrived for a withdrawn prediction, so refunded by hand. */
export const IS_UNUSED = sql<boolean>`(${payments.predictionId} is not null and ${payments.creditedSats} is null
  and ${payments.status} in ('paid', 'paid_late'))`

export function paymentsOf(db: Db, submissionId: string): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(eq(payments.submissionId, submissionId))
    .orderBy(asc(payments.createdAt), asc(payments.id))
}

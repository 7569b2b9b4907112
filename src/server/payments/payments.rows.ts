import { asc, eq, sql, type SQL } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { payments } from '#server/database/schema/submissions.ts'

export type Payment = typeof payments.$inferSelect

/**
 * Sats that have arrived for a prediction that was withdrawn before: they are in no score, and are given back by hand. As
 * a condition on `payments`.
 */
export const IS_UNUSED = sql<boolean>`(${payments.predictionId} is not null and ${payments.creditedSats} is null
  and ${payments.status} in ('paid', 'paid_late'))`

/** Every try to pay a submission, oldest first. */
export function paymentsOf(db: Db, submissionId: string): Promise<Payment[]> {
  return paymentsWhere(db, eq(payments.submissionId, submissionId))
}

/** The same for the deposit of a report. */
export function depositsOf(db: Db, reportNumber: number): Promise<Payment[]> {
  return paymentsWhere(db, eq(payments.reportNumber, reportNumber))
}

function paymentsWhere(db: Db, of: SQL): Promise<Payment[]> {
  return db.select().from(payments).where(of).orderBy(asc(payments.createdAt), asc(payments.id))
}

import { asc, eq } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { payments } from '#server/database/schema/submissions.ts'

export type Payment = typeof payments.$inferSelect

/** Every try to pay a submission, oldest first. */
export function paymentsOf(db: Db, submissionId: string): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(eq(payments.submissionId, submissionId))
    .orderBy(asc(payments.createdAt), asc(payments.id))
}

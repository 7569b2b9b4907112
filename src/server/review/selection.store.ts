import { count, eq, isNull, min, sql } from 'drizzle-orm'
import { type SubmissionStatus } from '#domain/submission.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { submissions } from '#server/database/schema/submissions.ts'
import { isoOrNull } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'

/** Submissions by state, with the first decision of each. */
export async function decidedByStatus(
  db: Db,
): Promise<{ status: SubmissionStatus; count: number; first: string | null }[]> {
  const rows = await db
    .select({ status: submissions.status, count: count(), first: min(submissions.decidedAt) })
    .from(submissions)
    .groupBy(submissions.status)
  return rows.map((row) => ({ ...row, first: isoOrNull(row.first) }))
}

/** How often submissions were rejected with the same words. */
export async function rejectionWords(db: Db): Promise<{ words: string; count: number }[]> {
  return db
    .select({ words: sql<string>`coalesce(${submissions.adminComment}, '')`, count: count() })
    .from(submissions)
    .where(eq(submissions.status, 'rejected'))
    .groupBy(submissions.adminComment)
}

/** Predictions on record that no submission became. */
export async function neverSubmitted(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(predictions)
    .leftJoin(submissions, eq(submissions.predictionId, predictions.id))
    .where(isNull(submissions.id))
  return row?.count ?? 0
}

import { count, eq, isNull, min, sql } from 'drizzle-orm'
import { type SubmissionStatus } from '#domain/submission.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { submissions } from '#server/database/schema/submissions.ts'
import { iso } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'
import { type Operator, type Selection } from '#contracts/page.ts'
import { rejectionReason, type RejectionReason } from '#domain/review.ts'
import { countReportStates } from '#server/reports/reports.rows.ts'

/**
 * How claims got into the record, counted from it. Of the words of a rejection only the reasons that administrators choose from
 * are shown: their own words were written to one submitter.
 */
export async function selectionOf(db: Db, operator: Operator): Promise<Selection> {
  const { status } = submissions
  const [states, words, imported, reports] = await Promise.all([
    db
      .select({ status, count: count(), first: min(submissions.decidedAt) })
      .from(submissions)
      .groupBy(status),
    db
      .select({ words: sql<string>`coalesce(${submissions.adminComment}, '')`, count: count() })
      .from(submissions)
      .where(eq(status, 'rejected'))
      .groupBy(submissions.adminComment),
    db
      .select({ count: count() })
      .from(predictions)
      .leftJoin(submissions, eq(submissions.predictionId, predictions.id))
      .where(isNull(submissions.id)),
    countReportStates(db),
  ])
  const of = (is: SubmissionStatus): number =>
    states.find((state) => state.status === is)?.count ?? 0
  const firsts = states.flatMap(({ first }) => (first === null ? [] : [iso(first).slice(0, 10)]))
  const counts = new Map<RejectionReason | null, number>()
  for (const { words: text, count } of words) {
    const reason = rejectionReason(text)
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return {
    accepted: of('approved'),
    rejected: of('rejected'),
    waiting: of('pending'),
    since: firsts.toSorted()[0] ?? null,
    reasons: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted(
        (a, b) =>
          // Words of their own come last, however often.
          Number(a.reason === null) - Number(b.reason === null) ||
          b.count - a.count ||
          (a.reason ?? '').localeCompare(b.reason ?? ''),
      ),
    reports,
    imported: imported[0]?.count ?? 0,
    operator,
  }
}

import { type Operator, type Selection } from '#contracts/selection.ts'
import { rejectionReason, type RejectionReason } from '#domain/rejection.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { type Db } from '#server/kit/db.ts'
import { countReportStates } from '#server/reports/reports.rows.ts'
import { decidedByStatus, neverSubmitted, rejectionWords } from './selection.store.ts'

/**
 * How claims got into the record, counted from it. Of the words of a rejection only the reasons that administrators choose from
 * are shown: their own words were written to one submitter.
 */
export async function selectionOf(db: Db, operator: Operator): Promise<Selection> {
  const [states, words, imported, reports] = await Promise.all([
    decidedByStatus(db),
    rejectionWords(db),
    neverSubmitted(db),
    countReportStates(db),
  ])
  const of = (status: SubmissionStatus): number =>
    states.find((state) => state.status === status)?.count ?? 0
  const firsts = states.flatMap(({ first }) => (first === null ? [] : [first.slice(0, 10)]))
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
      .toSorted((a, b) => rank(b) - rank(a) || b.count - a.count || byText(a, b)),
    reports,
    imported,
    operator,
  }
}

function byText(a: { reason: string | null }, b: { reason: string | null }): number {
  return (a.reason ?? '').localeCompare(b.reason ?? '')
}

/** Words of their own come last, however often. */
function rank({ reason }: Selection['reasons'][number]): number {
  return reason === null ? 0 : 1
}

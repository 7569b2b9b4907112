import { isoNow } from '#server/kit/now.ts'
import { type Kit } from '#server/kit/kit.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import {
  changedFields,
  lockReviewed,
  patchSubmission,
  subjectOf,
  type ReviewedSubmission,
  type SubmissionPatch,
} from './review.store.ts'
import { type ReviewCounts } from './review-counts.service.ts'

/** What editing and deciding needs. Each change is one transaction together with its entry in the audit log. */
export type ReviewKit = Pick<Kit, 'db' | 'clock'> & {
  readonly counts: Pick<ReviewCounts, 'forget'>
}

export const EDITED = 'submission edited'

/** Runs what changes a submission; no one else changes it meanwhile. @throws AppError */
export async function changeSubmission<T>(
  kit: ReviewKit,
  id: string,
  work: (tx: Db, row: ReviewedSubmission) => Promise<T>,
  publishes = false,
): Promise<T> {
  const { db, counts } = kit
  const done = await db.transaction(async (tx) => {
    // Before the row: whoever judges waits for a turn while holding none.
    if (publishes) await takeTurn(tx)
    const row = await lockReviewed(tx, id)
    if (!row) throw failure('not_found', 'There is no submission of this number.')
    return work(tx, row)
  })
  counts.forget()
  return done
}

/** Writes a change of a submission and its entry in the audit log. */
export async function saveChange(
  kit: ReviewKit,
  tx: Db,
  admin: Admin,
  row: ReviewedSubmission,
  given: {
    action: string
    patch: SubmissionPatch
    reason?: string | null
    note?: Record<string, unknown>
  },
): Promise<ReviewedSubmission> {
  const { before, after } = changedFields(row, given.patch)
  const isSame = Object.keys(after).length === 0
  if (isSame && given.action === EDITED) return row
  const saved = await patchSubmission(tx, row, given.patch)
  await writeAudit(tx, {
    at: isoNow(kit),
    admin,
    action: given.action,
    subject: subjectOf(row.id),
    before: { ...before, version: row.version },
    after: { ...after, ...given.note, version: saved.version },
    reason: given.reason ?? null,
  })
  return saved
}

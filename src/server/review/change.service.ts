import { isoNow } from '#server/kit/now.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import {
  changedFields,
  lockStored,
  patchSubmission,
  subjectOf,
  type SubmissionPatch,
} from './review.store.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { submissionRow } from './submission-rows.store.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { type ReviewCounts } from './review-counts.service.ts'
import { type ReviewKit } from './review-kit.ts'

export const EDITED = 'submission edited'

/** What editing and deciding needs. */
export type ChangeKit = Pick<ReviewKit, 'db' | 'clock'> & {
  readonly counts: Pick<ReviewCounts, 'forget'>
}

/** Changes a submission in one transaction, together with its entry in the audit log; no one else changes it meanwhile. @throws AppError */
export async function changeSubmission<T>(
  kit: ChangeKit,
  id: string,
  work: (tx: Db, row: StoredSubmission) => Promise<T>,
  publishes = false,
): Promise<T> {
  const { db, counts } = kit
  const done = await db.transaction(async (tx) => {
    // Before the row is locked: judging waits for its turn without holding a row.
    if (publishes) await takeTurn(tx)
    const row = await lockStored(tx, id)
    if (!row) throw failure('not_found', 'There is no submission of this number.')
    return work(tx, row)
  })
  counts.forget()
  return done
}

/** Writes a change of a submission and its entry in the audit log. */
export async function saveChange(
  kit: ChangeKit,
  tx: Db,
  admin: Admin,
  row: StoredSubmission,
  given: {
    action: string
    patch: SubmissionPatch
    reason?: string | null
    note?: Record<string, unknown>
  },
): Promise<SubmissionRow> {
  const { before, after } = changedFields(row, given.patch)
  const isSame = Object.keys(after).length === 0
  if (isSame && given.action === EDITED) return submissionRow(tx, row.id)
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

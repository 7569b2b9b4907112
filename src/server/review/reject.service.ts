import { changeSubmission, saveChange, type ChangeKit } from './change.service.ts'
import { isoNow } from '#server/kit/now.ts'
import { type bulkReject, type SubmissionRow } from '#contracts/review.ts'
import { AppError } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { type z } from 'zod'
import { readReason, refuseDecided, refuseStale, type Decision } from './refuse.ts'

export async function rejectLocked(
  kit: ChangeKit,
  tx: Db,
  admin: Admin,
  row: StoredSubmission,
  reason: string | null | undefined,
): Promise<SubmissionRow> {
  const adminComment = readReason(reason)
  refuseDecided(row)
  return saveChange(kit, tx, admin, row, {
    action: 'submission rejected' satisfies Decision,
    patch: { status: 'rejected', adminComment, decidedAt: isoNow(kit), decidedBy: admin.username },
    reason: adminComment,
  })
}

/** Rejects several for one reason; what cannot be rejected, or was edited meanwhile, says why and stops none of the others. */
export async function rejectAll(
  kit: ChangeKit,
  admin: Admin,
  { ids, versions = {}, reason }: z.output<NonNullable<typeof bulkReject.body>>,
): Promise<z.input<typeof bulkReject.reply>['results']> {
  readReason(reason)
  const results = []
  for (const id of new Set(ids)) {
    try {
      await changeSubmission(kit, id, async (tx, row) => {
        refuseDecided(row)
        await refuseStale(tx, row, versions[id])
        return rejectLocked(kit, tx, admin, row, reason)
      })
      results.push({ id, ok: true, error: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ id, ok: false, error: error.message })
    }
  }
  return results
}

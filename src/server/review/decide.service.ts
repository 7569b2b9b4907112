import { rejectLocked } from './reject.service.ts'
import { approve } from './approve.service.ts'
import { changeSubmission, saveChange, type ChangeKit } from './change.service.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { cleanText } from '#domain/clean-text.ts'
import { type Admin } from '#server/kit/ports.ts'
import { submissionRow } from './submission-rows.store.ts'
import { commentFault } from './review-edits.ts'
import {
  invalid,
  readReason,
  refuseDecided,
  refusePublished,
  refuseStale,
  refuseUnpaid,
} from './refuse.ts'

/** Sets the status, as the edit form does. @throws AppError `conflict` names who decided before */
export async function decide(
  kit: ChangeKit,
  admin: Admin,
  id: string,
  given: {
    status: 'pending' | 'approved' | 'rejected'
    comment: string | null | undefined
    version: number | null | undefined
  },
): Promise<SubmissionRow> {
  const { status, comment, version } = given
  if (status === 'approved') {
    const body = { version, ...(comment === undefined ? {} : { admin_comment: comment }) }
    return (await approve(kit, admin, id, body)).submission
  }
  return changeSubmission(kit, id, async (tx, row) => {
    if (status === 'rejected') {
      readReason(comment)
      refuseDecided(row)
      await refuseStale(tx, row, version)
      return rejectLocked(kit, tx, admin, row, comment)
    }
    refusePublished(row)
    refuseUnpaid(row)
    await refuseStale(tx, row, version)
    if (row.status === 'pending') return submissionRow(tx, row.id)
    const faults = commentFault(comment)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    return saveChange(kit, tx, admin, row, {
      action: 'submission reopened',
      patch: {
        status: 'pending',
        adminComment: cleanText(comment) || null,
        decidedAt: null,
        decidedBy: null,
      },
    })
  })
}

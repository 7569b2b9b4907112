import { sql } from 'drizzle-orm'
import { changeSubmission, saveChange, type ChangeKit } from './change.service.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { isConstraintError } from '#server/kit/db.ts'
import { messagesOf, recordChanged } from '#server/record/record-state.ts'
import { dropHandle } from '#server/people/people.rows.ts'
import { erasePrediction, eraseUnused, hasNoticeOf, patchBack } from './review.store.ts'
import { lastDecision, undoLeft } from './refuse.ts'

/** The way of a press of the button to the server; a notice waits for longer (`NOTIFY_AFTER_MS`). */
const UNDO_GRACE_MS = 3_000
export async function undo(kit: ChangeKit, admin: Admin, id: string): Promise<SubmissionRow> {
  const { clock } = kit
  try {
    return await changeSubmission(
      kit,
      id,
      async (tx, row) => {
        const entry = await lastDecision(tx, row)
        if (entry && entry.adminId !== admin.id) {
          throw failure(
            'conflict',
            `Only ${entry.username} can undo this. Please change it by hand.`,
          )
        }
        if (!entry || undoLeft(entry, admin, clock.now()) <= -UNDO_GRACE_MS) {
          throw failure('conflict', 'It is too late to undo this. Please change it by hand.')
        }
        const { status, predictionId } = row
        if (status !== 'approved' && status !== 'rejected') throw new Error('undecided')
        if (await hasNoticeOf(tx, id, status)) {
          throw failure(
            'conflict',
            'The submitter has already been notified. Please change it by hand.',
          )
        }
        const back = patchBack(entry.before ?? {})
        const saved = await saveChange(kit, tx, admin, row, {
          action: 'decision undone',
          patch: back,
        })
        if (predictionId !== null) {
          const erased = await messagesOf(tx, sql`predictions.id = ${predictionId}`)
          if (!(await erasePrediction(tx, predictionId))) {
            throw failure(
              'conflict',
              'The prediction has been corrected in the meantime. Please withdraw it instead.',
            )
          }
          const { influencer_created: made, handle_noted: handle } = entry.after ?? {}
          if (row.existingInfluencerId !== null) {
            if (typeof handle === 'string') await dropHandle(tx, row.existingInfluencerId, handle)
            if (made === true) await eraseUnused(tx, row.existingInfluencerId)
          }
          await recordChanged(tx, { predictions: erased })
        }
        return saved
      },
      true,
    )
  } catch (error) {
    // Something refers to the prediction by now, such as a post about it.
    if (!isConstraintError(error)) throw error
    throw failure(
      'conflict',
      'The prediction has already been passed on. Please withdraw it instead.',
    )
  }
}

import { EDITED, changeSubmission, saveChange, type ChangeKit } from './change.service.ts'
import { today } from '#server/kit/now.ts'
import { type SubmissionEdit, type SubmissionRow } from '#contracts/review.ts'
import { cleanText } from '#domain/clean-text.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type SubmissionPatch } from './review.store.ts'
import { personById } from '#server/people/people.rows.ts'
import { columnsOf } from '#server/submissions/submissions.rows.ts'
import { bothFault, commentFault, idOf, readEdit } from './review-edits.ts'
import { UNKNOWN_INFLUENCER } from './submission-person.service.ts'
import { invalid, refusePublished, refuseStale, refuseUnpaid } from './refuse.ts'

/** @throws AppError `invalid` with a message for each field, `conflict` with what another administrator has changed */
export async function edit(
  kit: ChangeKit,
  admin: Admin,
  id: string,
  body: SubmissionEdit,
): Promise<SubmissionRow> {
  return changeSubmission(kit, id, async (tx, row) => {
    await refuseStale(tx, row, body.version)
    refuseUnpaid(row)
    const { version: _version, prediction_outcome: outcome, admin_comment: comment } = body
    const patch: SubmissionPatch = {
      ...(outcome ? { predictionOutcome: outcome } : {}),
      ...(comment === undefined ? {} : { adminComment: cleanText(comment) || null }),
    }
    const said = saidIn(body)
    const faults: Record<string, string> = { ...commentFault(comment) }
    if (Object.keys(said).length > 0) {
      refusePublished(row)
      const read = readEdit(row, said, today(kit))
      if (read.ok) Object.assign(patch, columnsOf(read.submission))
      else Object.assign(faults, read.faults)
      if (said.existing_influencer_id !== undefined) {
        const chosen = idOf(said.existing_influencer_id)
        const person = chosen === null ? null : await personById(tx, chosen)
        if (chosen !== null && !person) faults['existing_influencer_id'] = UNKNOWN_INFLUENCER
        patch.existingInfluencerId = person?.id ?? null
        if (person) patch.newInfluencer = false
      }
      if (typeof said.new_influencer === 'boolean') {
        patch.newInfluencer = said.new_influencer
        if (said.new_influencer) patch.existingInfluencerId = null
      }
      Object.assign(
        faults,
        bothFault(said.new_influencer, { existing_influencer_id: said.existing_influencer_id }),
      )
    }
    if (Object.keys(faults).length > 0) throw invalid(faults)
    // Only what was sent: what is filled in where nothing is stored would otherwise count as an edit.
    if (said.prediction_made === undefined) delete patch.predictionMade
    return saveChange(kit, tx, admin, row, { action: EDITED, patch })
  })
}

/** What an edit says of the prediction itself, apart from notes of administrators. */
function saidIn(body: SubmissionEdit): SubmissionEdit {
  const { version: _v, prediction_outcome: _o, admin_comment: _c, ...said } = body
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

import { changeSubmission, saveChange, type ChangeKit } from './change.service.ts'
import { isoNow, today } from '#server/kit/now.ts'
import { isGraveWarning, type ApproveBody, type SubmissionRow } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay } from '#domain/day.ts'
import { cleanText } from '#domain/clean-text.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { columnsOf, type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { readApproval } from './review-edits.ts'
import { type ReviewKit } from './review-kit.ts'
import { dryRunById } from './submission-detail.service.ts'
import { publish, type Published } from './publish.service.ts'
import { invalid, refuseDecided, refuseStale, type Decision } from './refuse.ts'

export type Approved = Published & { readonly submission: SubmissionRow }

async function approveLocked(
  kit: ChangeKit,
  tx: Db,
  admin: Admin,
  row: StoredSubmission,
  body: ApproveBody,
): Promise<Approved> {
  const { clock } = kit
  const read = readApproval(row, body, clock.now())
  if (!read.ok) throw invalid(read.faults)
  const { approval } = read
  const published = await publish(tx, row, approval, today(kit))
  const { predictionId, influencer, handleNoted } = published
  const comment = body.admin_comment
  const submission = await saveChange(kit, tx, admin, row, {
    action: 'submission approved' satisfies Decision,
    patch: {
      ...columnsOf(approval.submission),
      status: 'approved',
      predictionId,
      existingInfluencerId: influencer.id,
      decidedAt: isoNow(kit),
      decidedBy: admin.username,
      // A comment that is not sent leaves the stored one.
      ...(comment === undefined ? {} : { adminComment: cleanText(comment) || null }),
    },
    note: {
      influencer: influencer.name,
      influencer_created: influencer.created,
      handle_noted: handleNoted,
      start_date: approval.from === null ? null : isoDay(approval.from),
      made_precision: approval.madePrecision,
      target_precision: approval.byPrecision,
      quote: published.summary,
    },
  })
  await recordChanged(tx)
  return { ...published, submission }
}

export function approve(
  kit: ChangeKit,
  admin: Admin,
  id: string,
  body: ApproveBody,
  only: AssetKey | null = null,
): Promise<Approved> {
  return changeSubmission(
    kit,
    id,
    async (tx, row) => {
      if (only !== null && row.asset !== only) {
        throw failure('not_found', `There is no ${only.toUpperCase()} submission of this number.`)
      }
      refuseDecided(row)
      await refuseStale(tx, row, body.version)
      return approveLocked(kit, tx, admin, row, body)
    },
    true,
  )
}

/**
 * Approves the submission that a post on a social network was about, where it is still open and nothing grave speaks
 * against it: that has to be seen first.
 *
 * @param platform as people read it: `X`, `Nostr`
 * @returns the sentence of why it was not approved; the post stays all the same
 */
export async function approveAfterPost(
  kit: ChangeKit & Pick<ReviewKit, 'record'>,
  admin: Admin,
  submissionId: string,
  platform: string,
): Promise<
  | { readonly ok: true; readonly predictionId: string; readonly submission: SubmissionRow }
  | { readonly ok: false; readonly message: string }
> {
  try {
    const grave = (await dryRunById(kit, submissionId, {})).warnings.find(isGraveWarning)
    if (grave) return { ok: false, message: grave.message }
    const { predictionId, submission } = await approve(kit, admin, submissionId, {
      admin_comment: `Posted to social media: ${platform}`,
    })
    return { ok: true, predictionId, submission }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, message: error.message }
  }
}

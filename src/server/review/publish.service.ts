import { type Day } from '#domain/day.ts'
import { outcomeOn } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, MODE_PRICES } from '#domain/judging/verdict.ts'
import { predictionIdOf } from '#domain/review.ts'
import { judgeOne } from '#server/judging/judging.service.ts'
import { addVerdicts, addEvents } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { addInfluencer, addName } from '#server/people/people.rows.ts'
import { predictionById } from '#server/predictions/predictions.rows.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { summaryOf, type Approval } from './edit.service.ts'
import { addPrediction } from './review.store.ts'
import { ownerFor } from './submission-person.service.ts'

export type Published = {
  readonly predictionId: string
  readonly influencer: { readonly id: number; readonly name: string; readonly created: boolean }
  /** The handle newly recorded for an influencer on record. */
  readonly handleNoted: string | null
  /** The spelling newly recorded for the influencer's name. */
  readonly nameNoted: string | null
  /** The stored public text. */
  readonly summary: string
}

/** @param tx holds the judging lock @throws AppError `invalid` when the chosen id does not exist */
export async function publish(tx: Db, row: StoredSubmission, approval: Approval, today: Day) {
  const { submission } = approval
  const { expertName, twitterHandle, asset, claim, by, made } = submission
  const { existingInfluencerId, newInfluencer } = row
  const named = { expertName, twitterHandle, existingInfluencerId, newInfluencer }
  const owner = await ownerFor(tx, named, approval.influencer)
  const handle = owner.holder === null ? twitterHandle : null
  // The name in a submission is unverified.
  const isHandleConfirmed = false
  const added = { name: expertName, handle, isHandleConfirmed, isFirm: false }
  const influencer = {
    id: owner.id ?? (await addInfluencer(tx, added)),
    created: owner.id === null,
  }
  // The handle is recorded for an influencer of the same name; choosing one of another name does not prove it.
  const isNoted =
    !influencer.created &&
    owner.isNamed &&
    handle !== null &&
    (await addName(tx, influencer.id, 'handle', handle, isHandleConfirmed))
  const isSpelling =
    approval.remembersName &&
    !influencer.created &&
    (await addName(tx, influencer.id, 'name', expertName))
  const predictionId = await addPrediction(tx, {
    id: predictionIdOf({ expertName: owner.name, asset, claim, by }),
    asset,
    influencerId: influencer.id,
    statedClaim: claim,
    made,
    madePrecision: approval.madePrecision,
    from: approval.from,
    by,
    byPrecision: approval.byPrecision,
    deadlineAssumed: false,
    summary: summaryOf(approval, owner.name),
    sources: submission.sources,
    remarks: null,
    voteScore: row.paidSats,
  })
  await addEvents(tx, [{ predictionId, kind: 'published', text: 'Published.' }])
  const stored = await predictionById(tx, predictionId)
  if (!stored) throw new Error('a published prediction cannot be read back')
  const { byRule } = await judgeOne(tx, stored, today)
  await addVerdicts(
    tx,
    JUDGE_MODES.map((mode) => ({
      predictionId,
      change: 'first' as const,
      verdict: byRule[mode],
      event: `First verdict by ${MODE_PRICES[mode]}: ${outcomeOn(byRule[mode])}.`,
    })),
  )
  return {
    predictionId,
    influencer: { ...influencer, name: stored.expert.name },
    handleNoted: isNoted ? twitterHandle : null,
    nameNoted: isSpelling ? expertName : null,
    summary: stored.summary,
  }
}

import { MODE_PRICES, outcomeOn } from '#domain/judging/verdict-text.ts'
import { type Day } from '#domain/day.ts'
import { predictionIdOf } from '#domain/review.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { type Db } from '#server/kit/db.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { addPrediction } from './review.store.ts'
import { addInfluencer, addName } from '#server/people/people.rows.ts'
import { predictionById } from '#server/predictions/predictions.rows.ts'
import { addVerdicts, addEvents } from '#server/judging/verdicts.rows.ts'
import { judgeOne } from '#server/judging/judging.service.ts'
import { summaryOf, type Approval } from './edit.service.ts'
import { ownerFor } from './submission-person.service.ts'

export type Published = {
  readonly predictionId: string
  readonly influencer: { readonly id: number; readonly name: string; readonly created: boolean }
  /** A handle that an influencer on record is known by from now on. */
  readonly handleNoted: string | null
  /** A further spelling of their name. */
  readonly nameNoted: string | null
  /** The public text as it is stored. */
  readonly summary: string
}

/** @param tx a transaction that holds the lock of judging @throws AppError `invalid` when the chosen id belongs to no one */
export async function publish(
  tx: Db,
  row: StoredSubmission,
  approval: Approval,
  today: Day,
): Promise<Published> {
  const { submission } = approval
  const { expertName, twitterHandle, asset, claim, by, made } = submission
  const { existingInfluencerId, newInfluencer } = row
  const named = { expertName, twitterHandle, existingInfluencerId, newInfluencer }
  const owner = await ownerFor(tx, named, approval.influencer)
  const handle = owner.holder === null ? twitterHandle : null
  // A submission's name is only its sender's claim.
  const isHandleConfirmed = false
  const added = { name: expertName, handle, isHandleConfirmed, isFirm: false }
  const influencer = {
    id: owner.id ?? (await addInfluencer(tx, added)),
    created: owner.id === null,
  }
  // An influencer known by this name is known by the handle from now on; choosing one of another name proves no handle.
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
    said: claim,
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

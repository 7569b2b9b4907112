import { sql } from 'drizzle-orm'
import { type z } from 'zod'
import {
  isGraveWarning,
  type ApproveBody,
  type SubmissionRow,
  UNDO_MS,
  type bulkReject,
  type bulkApprove,
  type decideSubmission,
} from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { cleanText } from '#domain/clean-text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { outcomeOn } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES, MODE_PRICES } from '#domain/judging/verdict.ts'
import { predictionIdOf } from '#domain/review.ts'
import { judgeOne } from '#server/judging/judging.service.ts'
import { addVerdicts, addEvents } from '#server/judging/verdicts.rows.ts'
import { type Admin } from '#server/kit/admin.ts'
import { type Db, isConstraintError } from '#server/kit/db.ts'
import { AppError, failure, invalid } from '#server/kit/failure.ts'
import { isoNow, today } from '#server/kit/time.ts'
import { addInfluencer, addName, dropName } from '#server/people/people.rows.ts'
import { predictionById } from '#server/predictions/predictions.rows.ts'
import { recordChanged, messagesOf } from '#server/record/record-state.ts'
import { hasNotice } from '#server/submissions/notices.rows.ts'
import { columnsOf, type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import * as edits from './edit.service.ts'
import * as store from './review.store.ts'
import { dryRunById } from './submission-detail.service.ts'
import { ownerFor } from './submission-person.service.ts'

type Approved = Awaited<ReturnType<typeof publish>> & { readonly submission: SubmissionRow }

export function approve(
  kit: edits.ChangeKit,
  admin: Admin,
  id: string,
  body: ApproveBody,
  only: AssetKey | null = null,
): Promise<Approved> {
  const change = async (tx: Db, row: StoredSubmission): Promise<Approved> => {
    if (only !== null && row.asset !== only) {
      throw failure('not_found', `There is no ${only.toUpperCase()} submission with this ID.`)
    }
    edits.refuseDecided(row)
    await edits.refuseStale(tx, row, body.version)
    const read = edits.readApproval(row, body, kit.clock.now())
    if (!read.ok) throw invalid(read.faults)
    const { approval } = read
    const published = await publish(tx, row, approval, today(kit))
    const { predictionId, influencer, handleNoted, nameNoted } = published
    const comment = body.admin_comment
    const submission = await edits.saveChange(kit, tx, admin, row, {
      action: 'submission approved' satisfies edits.Decision,
      patch: {
        ...columnsOf(approval.submission),
        status: 'approved',
        predictionId,
        existingInfluencerId: influencer.id,
        decidedAt: isoNow(kit),
        decidedBy: admin.username,
        // An omitted comment leaves the stored one unchanged.
        ...(comment === undefined ? {} : { adminComment: cleanText(comment) || null }),
      },
      note: {
        influencer: influencer.name,
        influencer_created: influencer.created,
        handle_noted: handleNoted,
        name_noted: nameNoted,
        start_date: approval.from === null ? null : isoDay(approval.from),
        made_precision: approval.madePrecision,
        target_precision: approval.byPrecision,
        quote: published.summary,
      },
    })
    await recordChanged(tx)
    return { ...published, submission }
  }
  return edits.changeSubmission(kit, id, change, true)
}

/** @param tx holds the judging lock @throws AppError `invalid` when the chosen id does not exist */
async function publish(tx: Db, row: StoredSubmission, approval: edits.Approval, today: Day) {
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
  const predictionId = await store.addPrediction(tx, {
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
    summary: edits.summaryOf(approval, owner.name),
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

/**
 * Approves the open submission that a social post is about, unless a serious flag requires a look first.
 * @param platform its title, `X` or `Nostr`
 * @returns the sentence on why it was not approved
 */
export async function approveAfterPost(
  kit: edits.ReviewKit,
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

const NO_REASON = 'Please enter a reason: the submitter will read it.'

/** @throws AppError `invalid` */
function readReason(reason: string | null | undefined): string {
  const text = cleanText(reason)
  const faults = text === '' ? { admin_comment: NO_REASON } : edits.commentFault(text)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return text
}

function reject(
  kit: edits.ChangeKit,
  admin: Admin,
  id: string,
  text: string | null | undefined,
  version: number | null | undefined,
): Promise<SubmissionRow> {
  const reason = readReason(text)
  return edits.changeSubmission(kit, id, async (tx, row) => {
    edits.refuseDecided(row)
    await edits.refuseStale(tx, row, version)
    return edits.saveChange(kit, tx, admin, row, {
      action: 'submission rejected' satisfies edits.Decision,
      patch: {
        status: 'rejected',
        adminComment: reason,
        decidedAt: isoNow(kit),
        decidedBy: admin.username,
      },
      reason,
    })
  })
}

export async function rejectAll(
  kit: edits.ChangeKit,
  admin: Admin,
  { ids, versions = {}, reason }: z.output<NonNullable<typeof bulkReject.body>>,
): Promise<Results> {
  readReason(reason)
  return decideEach(kit, ids, (id) => reject(kit, admin, id, reason, versions[id]))
}

/** Sets the status, as the edit form does. @throws AppError `conflict` naming who decided before */
export async function decide(
  kit: edits.ChangeKit,
  admin: Admin,
  id: string,
  { status, ...body }: z.output<NonNullable<typeof decideSubmission.body>>,
): Promise<SubmissionRow> {
  if (status === 'approved') return (await approve(kit, admin, id, body)).submission
  const { admin_comment: comment, version } = body
  if (status === 'rejected') return reject(kit, admin, id, comment, version)
  return edits.changeSubmission(kit, id, async (tx, row) => {
    edits.refusePublished(row)
    edits.refuseUnpaid(row)
    await edits.refuseStale(tx, row, version)
    if (row.status === 'pending') return store.submissionRow(tx, row.id)
    const faults = edits.commentFault(comment)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    return edits.saveChange(kit, tx, admin, row, {
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

export type Results = z.input<typeof bulkApprove.reply>['results']

/** Notices wait longer than this plus the time to undo (`NOTIFY_AFTER_MS`). */
const TOUCH_MS = 2_000

/** The periods for undo and notices start with the last decision. */
function decideEach(
  kit: edits.ChangeKit,
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<Results> {
  return forEach(kit, ids, work, (done) => store.decidedLast(kit.db, done, isoNow(kit)))
}

/**
 * Changes each in its own transaction.
 * @param touch called before the first, between two once `TOUCH_MS` have passed, and after the last
 */
async function forEach(
  { clock }: edits.ChangeKit,
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  touch: (done: readonly string[], left: readonly string[]) => Promise<void>,
): Promise<Results> {
  const done: string[] = []
  const left = new Set(ids)
  let touchedAt = clock.now()
  await touch(done, [...left])
  const results = await Array.fromAsync([...left], async (id) => {
    try {
      await work(id)
      done.push(id)
      return { id, ok: true, error: null }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { id, ok: false, error: error.message }
    } finally {
      left.delete(id)
      if (clock.now() - touchedAt >= TOUCH_MS) {
        touchedAt = clock.now()
        await touch(done, [...left])
      }
    }
  })
  await touch(done, [])
  return results
}

/** Approves several with defaults, skipping those with flags that require a look. */
export function approveAll(
  kit: edits.ReviewKit,
  admin: Admin,
  { ids, versions = {} }: z.output<NonNullable<typeof bulkApprove.body>>,
): Promise<Results> {
  return decideEach(kit, ids, async (id) => {
    const { fields, influencer, warnings } = await dryRunById(kit, id, {})
    const fault = Object.values(fields)[0]
    const warning = warnings.find((one) => isGraveWarning(one) || influencer?.is_new)
    const against = fault ?? warning?.message
    if (against !== undefined) throw failure('conflict', against)
    await approve(kit, admin, id, { version: versions[id] })
  })
}

/** Counts the time to undo from the request for all, however long they take, and meanwhile delays their notices. */
export function undoAll(kit: edits.ChangeKit, admin: Admin, ids: readonly string[]) {
  const askedAt = kit.clock.now()
  const since = new Date(askedAt - UNDO_MS - UNDO_GRACE_MS).toISOString()
  return forEach(
    kit,
    ids,
    (id) => undo(kit, admin, id, askedAt),
    (_, left) => store.decidedLast(kit.db, left, isoNow(kit), { since, by: admin.username }),
  )
}

/** Allows for latency of the undo request; notices wait longer (`NOTIFY_AFTER_MS`). */
const UNDO_GRACE_MS = 3_000
export async function undo(
  kit: edits.ChangeKit,
  admin: Admin,
  id: string,
  askedAt = kit.clock.now(),
): Promise<SubmissionRow> {
  try {
    return await edits.changeSubmission(
      kit,
      id,
      async (tx, row) => {
        const entry = await edits.lastDecision(tx, row)
        if (entry && entry.adminId !== admin.id) {
          throw failure(
            'conflict',
            `Only ${entry.username} can undo this. Please change it by hand.`,
          )
        }
        if (!entry || edits.undoLeft(row, entry, admin, askedAt) <= -UNDO_GRACE_MS) {
          throw failure('conflict', 'It is too late to undo this. Please change it by hand.')
        }
        const { status, predictionId } = row
        if (status !== 'approved' && status !== 'rejected') throw new Error('undecided')
        if (await hasNotice(tx, id, status)) {
          throw failure(
            'conflict',
            'The submitter has already been notified. Please change it by hand.',
          )
        }
        const back = store.patchBack(entry.before ?? {})
        const saved = await edits.saveChange(kit, tx, admin, row, {
          action: 'decision undone',
          patch: back,
        })
        if (predictionId !== null) {
          const erased = await messagesOf(tx, sql`predictions.id = ${predictionId}`)
          if (!(await store.erasePrediction(tx, predictionId))) {
            throw failure(
              'conflict',
              'The prediction has been corrected in the meantime. Please withdraw it instead.',
            )
          }
          const {
            influencer_created: made,
            handle_noted: handle,
            name_noted: name,
          } = entry.after ?? {}
          const { existingInfluencerId: owner } = row
          if (owner !== null) {
            if (typeof handle === 'string') await dropName(tx, owner, 'handle', handle)
            if (typeof name === 'string') await dropName(tx, owner, 'name', name)
            if (made === true) await store.eraseUnused(tx, owner)
          }
          await recordChanged(tx, { predictions: erased })
        }
        return saved
      },
      true,
    )
  } catch (error) {
    // The prediction is referenced by now, for example by a post.
    if (!isConstraintError(error)) throw error
    throw failure(
      'conflict',
      'Something already refers to the prediction, such as a post. Please withdraw it instead.',
    )
  }
}

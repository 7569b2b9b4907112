import {
  type ApproveBody,
  type bulkReject,
  type SubmissionEdit,
  type SubmissionRow,
} from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { dayOfTime, isoDay, type Day } from '#domain/day.ts'
import { plainText } from '#domain/review.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { isConstraintError, takeTurn, type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { dropHandle } from '#server/people/people.rows.ts'
import {
  changedFields,
  erasePrediction,
  eraseUnused,
  isToldOf,
  lockReviewed,
  patchBack,
  patchSubmission,
  subjectOf,
  submissionRow,
  type ReviewedSubmission,
  type SubmissionPatch,
} from './review.store.ts'
import { personById } from '#server/people/people.rows.ts'
import { columnsOf } from '#server/submissions/submissions.rows.ts'
import { type z } from 'zod'
import { type ReviewCounts } from './review-counts.service.ts'
import { bothFault, commentFault, idOf, readApproval, readEdit } from './review-edits.ts'
import { NOBODY } from './submission-person.service.ts'
import { publish, type Published } from './publish.service.ts'
import {
  invalid,
  lastDecision,
  readReason,
  refuseDecided,
  refusePublished,
  refuseStale,
  refuseUnpaid,
  undoLeft,
  type Decision,
} from './refuse.ts'

/** The way of a press of the button to the server; a notice waits for longer (`NOTIFY_AFTER_MS`). */
const UNDO_GRACE_MS = 3_000
const EDITED = 'submission edited'

export type Review = ReturnType<typeof reviewService>
export type Approved = Published & { readonly submission: SubmissionRow }

/** Edits and decides submissions. Each change is one transaction together with its entry in the audit log. */
export function reviewService({
  db,
  clock,
  counts,
}: {
  db: Db
  clock: Clock
  counts: Pick<ReviewCounts, 'forget'>
}) {
  const now = (): string => new Date(clock.now()).toISOString()
  const today = (): Day => dayOfTime(clock.now())

  /** Runs what changes a submission; nobody else changes it meanwhile. @throws AppError */
  async function change<T>(
    id: string,
    work: (tx: Db, row: ReviewedSubmission) => Promise<T>,
    publishes = false,
  ): Promise<T> {
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

  async function save(
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
      at: now(),
      admin,
      action: given.action,
      subject: subjectOf(row.id),
      before: { ...before, version: row.version },
      after: { ...after, ...given.note, version: saved.version },
      reason: given.reason ?? null,
    })
    return saved
  }

  async function reject(
    tx: Db,
    admin: Admin,
    row: ReviewedSubmission,
    reason: string | null | undefined,
  ): Promise<ReviewedSubmission> {
    const adminComment = readReason(reason)
    refuseDecided(row)
    return save(tx, admin, row, {
      action: 'submission rejected' satisfies Decision,
      patch: { status: 'rejected', adminComment, decidedAt: now(), decidedBy: admin.username },
      reason: adminComment,
    })
  }

  async function approveLocked(
    tx: Db,
    admin: Admin,
    row: ReviewedSubmission,
    body: ApproveBody,
  ): Promise<Approved> {
    const read = readApproval(row, body, clock.now())
    if (!read.ok) throw invalid(read.faults)
    const { approval } = read
    const published = await publish(tx, row, approval, today())
    const { predictionId, influencer, handleNoted } = published
    const comment = body.admin_comment
    const saved = await save(tx, admin, row, {
      action: 'submission approved' satisfies Decision,
      patch: {
        ...columnsOf(approval.submission),
        status: 'approved',
        predictionId,
        existingInfluencerId: influencer.id,
        decidedAt: now(),
        decidedBy: admin.username,
        // A comment that is not sent says nothing of the one that stands.
        ...(comment === undefined ? {} : { adminComment: plainText(comment) || null }),
      },
      note: {
        influencer: influencer.name,
        influencer_created: influencer.created,
        handle_noted: handleNoted,
        start_date: approval.from === null ? null : isoDay(approval.from),
        made_precision: approval.madePrecision,
        target_precision: approval.byPrecision,
      },
    })
    await sendSignal(tx, 'record')
    return { ...published, submission: submissionRow(saved) }
  }

  function approve(
    admin: Admin,
    id: string,
    body: ApproveBody,
    only: AssetKey | null = null,
  ): Promise<Approved> {
    return change(
      id,
      async (tx, row) => {
        if (only !== null && row.asset !== only) {
          throw failure('not_found', `There is no ${only.toUpperCase()} submission of this number.`)
        }
        refuseDecided(row)
        await refuseStale(tx, row, body.version)
        return approveLocked(tx, admin, row, body)
      },
      true,
    )
  }

  async function undo(admin: Admin, id: string): Promise<SubmissionRow> {
    try {
      return await change(
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
          if (await isToldOf(tx, id, status)) {
            throw failure(
              'conflict',
              'Its submitter has been told already. Please change it by hand.',
            )
          }
          const back = patchBack(entry.before ?? {})
          const saved = await save(tx, admin, row, { action: 'decision undone', patch: back })
          if (predictionId !== null) {
            if (!(await erasePrediction(tx, predictionId))) {
              throw failure(
                'conflict',
                'The prediction has been corrected meanwhile. Please withdraw it instead.',
              )
            }
            const { influencer_created: made, handle_noted: handle } = entry.after ?? {}
            if (row.existingInfluencerId !== null) {
              if (typeof handle === 'string') await dropHandle(tx, row.existingInfluencerId, handle)
              if (made === true) await eraseUnused(tx, row.existingInfluencerId)
            }
            await sendSignal(tx, 'record')
          }
          return submissionRow(saved)
        },
        true,
      )
    } catch (error) {
      // Something refers to the prediction by now, such as a post about it.
      if (!isConstraintError(error)) throw error
      throw failure(
        'conflict',
        'The prediction has been passed on already. Please withdraw it instead.',
      )
    }
  }

  return {
    approve,
    undo,

    /** @throws AppError `invalid` with a message for each field, `conflict` with what somebody else has changed */
    async edit(admin: Admin, id: string, body: SubmissionEdit): Promise<SubmissionRow> {
      return change(id, async (tx, row) => {
        await refuseStale(tx, row, body.version)
        refuseUnpaid(row)
        const { version: _version, prediction_outcome: outcome, admin_comment: comment } = body
        const patch: SubmissionPatch = {
          ...(outcome ? { predictionOutcome: outcome } : {}),
          ...(comment === undefined ? {} : { adminComment: plainText(comment) || null }),
        }
        const said = saidIn(body)
        const faults: Record<string, string> = { ...commentFault(comment) }
        if (Object.keys(said).length > 0) {
          refusePublished(row)
          const read = readEdit(row, said, today())
          if (read.ok) Object.assign(patch, columnsOf(read.submission))
          else Object.assign(faults, read.faults)
          if (said.existing_influencer_id !== undefined) {
            const chosen = idOf(said.existing_influencer_id)
            const person = chosen === null ? null : await personById(tx, chosen)
            if (chosen !== null && !person) faults['existing_influencer_id'] = NOBODY
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
        return submissionRow(await save(tx, admin, row, { action: EDITED, patch }))
      })
    },

    /** Sets the status, as the edit form does. @throws AppError `conflict` names who decided before */
    async decide(
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
        return (await approve(admin, id, body)).submission
      }
      return change(id, async (tx, row) => {
        if (status === 'rejected') {
          readReason(comment)
          refuseDecided(row)
          await refuseStale(tx, row, version)
          return submissionRow(await reject(tx, admin, row, comment))
        }
        refusePublished(row)
        refuseUnpaid(row)
        await refuseStale(tx, row, version)
        if (row.status === 'pending') return submissionRow(row)
        const faults = commentFault(comment)
        if (Object.keys(faults).length > 0) throw invalid(faults)
        return submissionRow(
          await save(tx, admin, row, {
            action: 'submission reopened',
            patch: {
              status: 'pending',
              adminComment: plainText(comment) || null,
              decidedAt: null,
              decidedBy: null,
            },
          }),
        )
      })
    },

    /** Rejects several for one reason; what cannot be rejected, or was edited meanwhile, says why and stops none of the others. */
    async rejectAll(
      admin: Admin,
      { ids, versions = {}, reason }: z.output<NonNullable<typeof bulkReject.body>>,
    ): Promise<z.input<typeof bulkReject.reply>['results']> {
      readReason(reason)
      const results = []
      for (const id of new Set(ids)) {
        try {
          await change(id, async (tx, row) => {
            refuseDecided(row)
            await refuseStale(tx, row, versions[id])
            return reject(tx, admin, row, reason)
          })
          results.push({ id, ok: true, error: null })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          results.push({ id, ok: false, error: error.message })
        }
      }
      return results
    },

    /**
     * Approves the submission that a post on a social network was about, where it is still open.
     *
     * @param platform as people read it: `X`, `Nostr`
     * @returns the sentence of why it was not approved; the post stands all the same
     */
    async approveAfterPost(
      admin: Admin,
      submissionId: string,
      platform: string,
    ): Promise<
      | { readonly ok: true; readonly predictionId: string; readonly submission: SubmissionRow }
      | { readonly ok: false; readonly message: string }
    > {
      try {
        const { predictionId, submission } = await approve(admin, submissionId, {
          admin_comment: `Posted to social media: ${platform}`,
        })
        return { ok: true, predictionId, submission }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { ok: false, message: error.message }
      }
    },
  }
}

/** What an edit says of the prediction itself, apart from notes of administrators. */
function saidIn(body: SubmissionEdit): SubmissionEdit {
  const { version: _v, prediction_outcome: _o, admin_comment: _c, ...said } = body
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

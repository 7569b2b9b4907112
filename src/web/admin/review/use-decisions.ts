import { type z } from 'zod'
import {
  bulkReject,
  decideSubmission,
  MOST_AT_ONCE,
  undoDecision,
  type ApproveBody,
  type SubmissionRow,
} from '#contracts/review.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf } from '#web/api/call.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useHideDecided, useRefresh } from './calls.ts'
import { DASHBOARDS } from './dashboards.ts'
import { offerUndo } from './undo-list.tsx'
import { titleOf } from './row-texts.ts'

/** So many are approved in less time than each can be taken back. */
const UNDONE_AT_ONCE = 10
const APPROVED = 'Submission approved successfully! Switch to the Approved tab to see it.'
const REJECTED = 'Submission rejected successfully!'
/** So many are taken back side by side. */
const UNDO_AT_ONCE = 5

/**
 * The decisions of an administrator. Each shows its result and names the submission, as several such messages may be
 * visible at once. It can be undone for ten seconds, and it reloads the lists.
 */
export function useDecisions() {
  const toasts = useToasts()
  const refresh = useRefresh()
  const hide = useHideDecided()

  async function undo(rows: readonly SubmissionRow[]): Promise<void> {
    const faults: unknown[] = []
    for (let at = 0; at < rows.length; at += UNDO_AT_ONCE) {
      const tries = rows.slice(at, at + UNDO_AT_ONCE).map(({ id }) =>
        adminCall(undoDecision, { params: { id } }).catch((error: unknown) => {
          faults.push(error)
        }),
      )
      // oxlint-disable-next-line no-await-in-loop -- a few at a time
      await Promise.all(tries)
    }
    const back = rows.length - faults.length
    const [first] = faults
    if (first !== undefined) {
      const which = rows.length === 1 ? '' : `${String(faults.length)} of ${String(rows.length)}: `
      toasts.failed(`Could not be undone. ${which}${sentenceOf(first)}`)
    }
    if (back > 0)
      toasts.done(
        back === 1 ? 'Undone. It is pending again.' : `${String(back)} are pending again.`,
      )
    await refresh()
  }

  return {
    undo: (row: SubmissionRow) => undo([row]),

    /** @throws {CallError} */
    async approve(row: SubmissionRow, body: z.input<typeof ApproveBody>): Promise<void> {
      const { approveRoute } = DASHBOARDS[row.asset_type]
      try {
        const reply = await adminCall(approveRoute, { params: { id: row.id }, body })
        hide([row.id])
        const what = row.expert_name
        offerUndo({ said: APPROVED, what, undo: () => void undo([reply.submission]) })
      } finally {
        void refresh()
      }
    },

    /** @throws {CallError} */
    async reject(row: SubmissionRow, reason: string): Promise<void> {
      const body = { status: 'rejected' as const, admin_comment: reason, version: row.version }
      try {
        await adminCall(decideSubmission, { params: { id: row.id }, body })
        hide([row.id])
        offerUndo({ said: REJECTED, what: row.expert_name, undo: () => void undo([row]) })
      } finally {
        void refresh()
      }
    },

    /**
     * Approves several, one after the other, each with an outcome of its own.
     *
     * @param onOutcome hears of each; null where it was approved
     */
    async approveAll(
      items: readonly {
        readonly row: SubmissionRow
        readonly body: z.input<typeof ApproveBody>
      }[],
      onOutcome: (id: string, fault: string | null) => void,
    ): Promise<void> {
      let done: SubmissionRow[] = []
      const offer = (): void => {
        if (done.length === 0) return
        hide(done.map(({ id }) => id))
        const some = done
        done = []
        const said = some.length === 1 ? APPROVED : `${String(some.length)} submissions approved.`
        offerUndo({ said, what: whatOf(some), undo: () => void undo(some) })
      }
      for (const { row, body } of items) {
        const { approveRoute } = DASHBOARDS[row.asset_type]
        try {
          // oxlint-disable-next-line no-await-in-loop -- each takes its turn on the record anyway
          const reply = await adminCall(approveRoute, { params: { id: row.id }, body })
          done.push(reply.submission)
          onOutcome(row.id, null)
        } catch (error) {
          onOutcome(row.id, sentenceOf(error))
        }
        // Each can be taken back for ten seconds: the first ones are offered while the last are being approved.
        if (done.length === UNDONE_AT_ONCE) offer()
      }
      offer()
      void refresh()
    },

    /** Rejects several; those that another administrator has decided or edited meanwhile are named. @throws {CallError} */
    async rejectAll(rows: readonly SubmissionRow[], reason: string): Promise<void> {
      const done: SubmissionRow[] = []
      const failed: string[] = []
      try {
        for (let at = 0; at < rows.length; at += MOST_AT_ONCE) {
          const some = rows.slice(at, at + MOST_AT_ONCE)
          const versions = Object.fromEntries(some.map(({ id, version }) => [id, version]))
          const body = { ids: some.map(({ id }) => id), versions, reason }
          // oxlint-disable-next-line no-await-in-loop -- the server takes so many at once
          const { results } = await adminCall(bulkReject, { body })
          for (const { id, ok, error } of results) {
            const row = some.find((one) => one.id === id)
            if (!row) continue
            if (ok) done.push(row)
            else failed.push(`${titleOf(row)}: ${error ?? 'not rejected'}`)
          }
        }
      } finally {
        if (done.length > 0) {
          hide(done.map(({ id }) => id))
          offerUndo({
            said: done.length === 1 ? REJECTED : `${String(done.length)} submissions rejected.`,
            what: whatOf(done),
            undo: () => void undo(done),
          })
        }
        if (failed.length > 0) toasts.failed(`Not rejected: ${failed.join(' ')}`)
        void refresh()
      }
    },
  }
}

function whatOf([first, ...more]: readonly SubmissionRow[]): string {
  const name = first?.expert_name ?? ''
  return more.length === 0 ? name : `${name} and ${String(more.length)} more`
}

export type Decisions = ReturnType<typeof useDecisions>

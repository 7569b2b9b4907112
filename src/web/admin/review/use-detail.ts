import { useState } from 'react'
import { type SubmissionRow } from '#contracts/review.ts'
import { useHints } from '#web/admin/hints.ts'
import { useEdit } from '#web/claim-form/use-edit.ts'
import { faultsAt, withClaim } from '#web/claim-form/values.ts'
import { useChange } from '#web/ui/use-change.ts'
import { useRested } from '#web/ui/use-rested.ts'
import { approveBody, NEW_APPROVAL, type Approval } from './approve-form.tsx'
import { useDryRun, useRefresh, useShowRow, type Detail } from './calls.ts'
import { editOf, KeptSubmissionEdit, valuesOf } from './edit-fields.ts'
import { useMadeDate } from './made-date-form.tsx'
import { isOpen, type Mode } from './submission-list.tsx'
import { useDecisions } from './use-decisions.ts'
import { useSaveEdit } from './use-save-edit.ts'

/** The dry run follows once the typing rests. */
const REST_MS = 350

/** One submission on screen: in which mode it is, what has been changed of it, and what can be done with it. */
export function useDetail({
  detail,
  start,
  onReload,
  onClose,
}: {
  readonly detail: Detail
  readonly start: Mode
  readonly onReload: () => Promise<void>
  readonly onClose: () => void
}) {
  const now = detail.submission
  const { username } = useHints()
  const decisions = useDecisions()
  const edit = useEdit({
    now,
    valuesOf,
    keptAs: `edit ${username} submission ${now.id}`,
    kept: KeptSubmissionEdit,
  })
  const save = useSaveEdit({ edit, decisions, onReload })
  const showRow = useShowRow()
  const refresh = useRefresh()
  const date = useMadeDate({
    base: edit.base,
    onSaved: (row) => {
      showRow(row)
      edit.rebase(row)
      void refresh()
    },
    onFailed: () => void onReload(),
  })
  const [wanted, setWanted] = useState<Mode>(edit.isChanged && start !== 'reject' ? 'edit' : start)
  const [approval, setApproval] = useState<Approval>(NEW_APPROVAL)
  const approving = useChange()

  const canDecide = isOpen(now)
  const mode: Mode = canDecide || wanted === 'edit' ? wanted : 'view'

  // What is typed counts while it is typed; a decision is made on what is saved.
  const edits = mode === 'edit' ? editOf(edit.base, edit.changed) : {}
  const question = canDecide ? { ...edits, ...approvalOf(edits) } : null
  const asked = useRested(question, REST_MS)
  const run = useDryRun(now.id, asked)
  const isAnswered = JSON.stringify(asked) === JSON.stringify(question)

  /** An influencer who is chosen by the edit is not overruled by the one that was suggested before it. */
  function approvalOf(body: ReturnType<typeof editOf>): ReturnType<typeof approveBody> {
    const approve = approveBody(approval, detail)
    if (body.existing_influencer_id === undefined) return approve
    return { ...approve, influencer_id: '', new_influencer: body.new_influencer ?? null }
  }

  function go(next: Mode): void {
    approving.forget()
    if (next !== 'approve') setWanted(next)
    // What is approved is what is stored.
    else if (date.isTyped) void date.save(date.made, (row) => goOn(row))
    else goOn()
  }

  function goOn(row?: SubmissionRow): void {
    if (edit.isChanged) void save.run(() => setWanted('approve'), row)
    else setWanted('approve')
  }

  const changed = withClaim(Object.keys(edit.changed))
  return {
    now,
    edit,
    save,
    date,
    mode,
    go,
    canDecide,
    run,
    isJudging: !run.isError && (run.isPending || run.isPlaceholderData || !isAnswered),
    /** What the dry run says of the fields that were changed; the others were not typed by this administrator. */
    typedFaults: Object.fromEntries(
      Object.entries(faultsAt(run.data?.fields ?? {}, edit.values.prediction_type)).filter(
        ([field]) => changed.has(field),
      ),
    ),
    approval,
    approving,
    changeApproval: (part: Partial<Approval>): void => setApproval({ ...approval, ...part }),
    approve: (): void => {
      const body = { ...approveBody(approval, detail), version: now.version }
      void approving.run(() => decisions.approve(now, body)).then((isDone) => isDone && onClose())
    },
    /** @throws {CallError} */
    reject: async (reason: string): Promise<void> => {
      await decisions.reject(now, reason)
      edit.rebase(now, {})
      onClose()
    },
    undo: (): void => void decisions.undo(now),
  }
}

export type DetailState = ReturnType<typeof useDetail>

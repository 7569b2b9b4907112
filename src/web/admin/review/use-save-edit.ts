import { useState } from 'react'
import { decideSubmission, editSubmission, type SubmissionRow } from '#contracts/review.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { useShowAnew, useShowRow } from './calls.ts'
import { type useDraft } from './drafts.ts'
import { changedIn, editOf, fieldsOf } from './edit-fields.ts'
import { faultsOf, type Decisions } from './use-decisions.ts'

const SAVED = 'Data saved successfully!'
const FAILED = 'Error saving data. Please try again.'
const NO_FAULTS: Readonly<Record<string, string>> = {}

/** Saves the edit of a submission; what could not be saved stays in the form. */
export function useSaveEdit({
  draft,
  decisions,
  onAskAnew,
}: {
  readonly draft: ReturnType<typeof useDraft>
  readonly decisions: Decisions
  readonly onAskAnew: () => Promise<void>
}) {
  const showAnew = useShowAnew()
  const showRow = useShowRow()
  const [isBusy, setBusy] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [faults, setFaults] = useState(NO_FAULTS)

  function forget(): void {
    setSaved(null)
    setFailed(null)
    setFaults(NO_FAULTS)
  }

  /** @param base the state to save upon; another than the draft's own where somebody else was faster */
  async function run(done: () => void, base: SubmissionRow = draft.base): Promise<void> {
    if (isBusy) return
    forget()
    if (Object.keys(changedIn(base, draft.draft)).length === 0) {
      draft.drop()
      done()
      return
    }
    setBusy(true)
    let row = base
    try {
      const edit = editOf(base, draft.draft)
      if (Object.keys(edit).length > 0) {
        const body = { ...edit, version: base.version }
        row = (await adminCall(editSubmission, { params: { id: base.id }, body })).submission
        showRow(row)
        // What is left is the status, should its call fail.
        draft.rebase(row)
      }
      await saveStatus(row)
      draft.drop()
      setSaved(SAVED)
      done()
      await showAnew()
    } catch (error) {
      // Somebody was faster: what they did is shown beside what was typed.
      if (error instanceof CallError && error.status === 409) await onAskAnew()
      else setFaults(faultsOf(error))
      setFailed(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  async function saveStatus(row: SubmissionRow): Promise<void> {
    const { status, admin_comment: comment } = { ...fieldsOf(row), ...draft.draft }
    if (status === row.status) return
    if (status === 'approved') {
      await decisions.approve(row, { admin_comment: comment, version: row.version })
    } else if (status === 'rejected') {
      await decisions.reject(row, comment)
    } else if (status === 'pending') {
      const body = { status, admin_comment: comment, version: row.version }
      await adminCall(decideSubmission, { params: { id: row.id }, body })
    }
  }

  return { run, forget, isBusy, saved, failed, faults, faultCount: Object.keys(faults).length }
}

function messageOf(error: unknown): string {
  if (error instanceof CallError && error.status === 409) return error.message
  if (Object.keys(faultsOf(error)).length > 0) return `${FAILED} See the fields marked below.`
  return error instanceof CallError && error.code !== null
    ? `${FAILED} ${sentenceOf(error)}`
    : FAILED
}

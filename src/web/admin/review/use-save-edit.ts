import { useState } from 'react'
import { decideSubmission, editSubmission, type SubmissionRow } from '#contracts/review.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { type CallError } from '#web/api/call.ts'
import { type Edit } from '#web/claim-form/use-edit.ts'
import { useShownFaults } from '#web/claim-form/use-shown-faults.ts'
import { changedIn, faultsAt } from '#web/claim-form/values.ts'
import { useChange } from '#web/ui/use-change.ts'
import { useRefresh, useShowRow } from './calls.ts'
import { EDIT_FIELDS, editOf, valuesOf, type EditValues } from './edit-fields.ts'
import { type Decisions } from './use-decisions.ts'

const SAVED = 'Data saved successfully!'
const FAILED = 'Error saving data. Please try again.'

/** Saves the edit of a submission; what could not be saved stays in the form. */
export function useSaveEdit({
  edit,
  decisions,
  onReload,
}: {
  readonly edit: Edit<SubmissionRow, EditValues>
  readonly decisions: Decisions
  readonly onReload: () => Promise<void>
}) {
  const refresh = useRefresh()
  const showRow = useShowRow()
  const [saved, setSaved] = useState<string | null>(null)
  const { element, show } = useShownFaults(edit.form, EDIT_FIELDS)
  const change = useChange({
    onFailed({ status, fields }) {
      // Another administrator was faster: their changes are shown beside these.
      if (status === 409) void onReload()
      else show(faultsAt(fields, edit.values.prediction_type))
    },
  })

  function forget(): void {
    setSaved(null)
    change.forget()
    edit.form.clearErrors()
  }

  /** @param base the state to save upon; another than the edit's own where another administrator was faster */
  async function run(done: () => void, base: SubmissionRow = edit.base): Promise<void> {
    forget()
    const changes = changedIn(valuesOf(base), edit.changed)
    if (Object.keys(changes).length === 0) {
      edit.rebase(base, {})
      done()
      return
    }
    await change.run(async () => {
      let row = base
      const body = editOf(base, changes)
      if (Object.keys(body).length > 0) {
        const input = { params: { id: base.id }, body: { ...body, version: base.version } }
        row = (await adminCall(editSubmission, input)).submission
        showRow(row)
        // What is left is the status, should its call fail.
        edit.rebase(row, changedIn(valuesOf(row), changes))
      }
      await saveStatus(row, { ...valuesOf(row), ...changes })
      edit.rebase(row, {})
      setSaved(SAVED)
      done()
      await refresh()
    })
  }

  async function saveStatus(row: SubmissionRow, values: EditValues): Promise<void> {
    const { status, admin_comment: comment } = values
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

  return {
    run,
    forget,
    isBusy: change.isBusy,
    saved: edit.isChanged ? null : saved,
    failed: change.failed && messageOf(change.failed),
    /** For the element of the form. */
    element,
  }
}

function messageOf({ status, code, fields, message }: CallError): string {
  if (status === 409) return message
  if (Object.keys(fields).length > 0) return `${FAILED} See the fields marked below.`
  return code === null ? FAILED : `${FAILED} ${message}`
}

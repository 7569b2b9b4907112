import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { dryRunEdit, editPublished, type AdminPrediction } from '#contracts/corrections.ts'
import { useHints } from '#web/admin/hints.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { useEdit } from '#web/claim-form/use-edit.ts'
import { useShownFaults } from '#web/claim-form/use-shown-faults.ts'
import { faultsAt } from '#web/claim-form/values.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { Panel, Row } from '#web/ui/stack.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Text } from '#web/ui/text.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { useRested } from '#web/ui/use-rested.ts'
import { EditOutcome } from './edit-outcome.tsx'
import { editOf, KeptRecordEdit, RECORD_FIELDS, valuesOf } from './record-fields.ts'
import { RecordInputs } from './record-inputs.tsx'

const REST_MS = 300

/** All fields of a published prediction. Before anything is saved it says what would become of the verdicts. */
export function RecordForm({
  shown,
  reports,
  onSaved,
  onReload,
}: {
  readonly shown: AdminPrediction
  /** The open reports that the change accepts. */
  readonly reports: readonly number[]
  readonly onSaved: (now: AdminPrediction, message: string) => void
  /** Loads the current state. */
  readonly onReload: () => Promise<AdminPrediction | null>
}) {
  const { id, influencer } = shown.prediction
  const { username } = useHints()
  const edit = useEdit({
    now: shown,
    valuesOf,
    keptAs: `edit ${username} prediction ${id}`,
    kept: KeptRecordEdit,
  })
  const [reason, setReason] = useState('')
  const { prediction_type: type } = edit.values
  const { element, show } = useShownFaults(edit.form, RECORD_FIELDS)
  const change = useChange({
    onFailed: (failed) => failed.status !== 409 && show(faultsAt(failed.fields, type)),
  })
  // Judging costs the server work: it is asked once the typing rests.
  const question = useRested(editOf(edit.base, edit.changed), REST_MS)
  const run = useQuery({
    queryKey: ['published-dry-run', id, edit.base.version, question],
    queryFn: ({ signal }) => adminCall(dryRunEdit, { params: { id }, body: question, signal }),
    enabled: edit.isChanged && Object.keys(question).length > 0,
    placeholderData: keepPreviousData,
  })
  const found = edit.isChanged ? (run.data ?? null) : null

  async function save(base: AdminPrediction): Promise<void> {
    edit.form.clearErrors()
    await change.run(async () => {
      const body = {
        ...editOf(base, edit.changed),
        version: base.version,
        reason,
        ...(reports.length > 0 && { reports: [...reports] }),
      }
      const { prediction, message } = await adminCall(editPublished, { params: { id }, body })
      setReason('')
      edit.rebase(prediction, {})
      onSaved(prediction, message)
    })
  }

  async function keepMine(): Promise<void> {
    const now = await onReload()
    if (now === null) return
    edit.rebase(now)
    await save(now)
  }

  return (
    <Panel
      as="form"
      ref={element}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        void save(edit.base)
      }}
      noValidate
      aria-label="Correct this prediction"
    >
      <Text as="h2" size="lead">
        Correct it
      </Text>
      <RecordInputs
        form={edit.form}
        values={edit.values}
        influencer={influencer}
        faults={faultsAt(found?.fields ?? {}, type)}
      />
      {found && found.changes.length > 0 && <EditOutcome run={found} />}
      <TextField
        label="Reason"
        name="reason"
        value={reason}
        hint="Public: it is shown in the history, beside what changed."
        fault={change.faults['reason']}
        onChange={setReason}
      />
      <ChangeFailure
        change={change}
        onTakeTheirs={() => {
          void onReload().then((now) => edit.rebase(now ?? edit.base, {}))
        }}
        onKeepMine={() => void keepMine()}
      />
      <Row>
        <Button
          look="primary"
          type="submit"
          disabled={!edit.isChanged || change.isBusy}
          aria-busy={change.isBusy}
        >
          {change.isBusy ? 'Saving...' : 'Save'}
        </Button>
        {edit.isChanged && <Button onClick={edit.drop}>Discard changes</Button>}
      </Row>
    </Panel>
  )
}

import { useState } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/review.ts'
import { type SubmissionRow, type SubmissionEdit } from '#contracts/review.ts'
import { ASSETS } from '#domain/asset.ts'
import {
  editIn,
  formSchema,
  formValues,
  usePredictionEdit,
  FieldInputs,
} from '#web/admin/kit/prediction-fields.tsx'
import { useDecision } from '#web/admin/kit/use-decision.tsx'
import { sendByKeys, useInitialFocus } from '#web/admin/kit/use-keys.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { changedIn, withClaim } from '#web/claim-form/values.ts'
import { Button } from '#web/ui/button.tsx'
import { useRested } from '#web/ui/hooks.ts'
import { Row, Stack, Callout, Tiles, sends } from '#web/ui/primitives.tsx'
import {
  approvalBody,
  NEW_APPROVAL,
  NEW_INFLUENCER,
  type Approval,
  InfluencerChoice,
} from './approval.tsx'
import { useDecisions, useDryRun, useCachedRows, type Detail } from './calls.ts'
import { isOpen, type Mode } from './dashboards.tsx'
import css from './review.module.css'

/** Debounce of dry runs: long while typing, short after a choice. */
const REST_MS = { edit: 350, other: 100 } as const
const FAILED = 'Error saving data. Please try again.'
const DATE_FAILED = 'Error saving prediction date. Please try again.'

/** Fields of the prediction and its review that the edit form shows. */
const PREDICTION_FIELDS = [
  'expert_name',
  'prediction_type',
  'price_target',
  'price_min',
  'price_max',
  'target_time',
  'twitter_handle',
  'timing',
  'direction',
  'asset_type',
  'nostr_npub',
  'submitter_email',
  'sources',
  'notes',
] as const
const REVIEW_FIELDS = ['status', 'prediction_outcome', 'admin_comment'] as const
const OTHERS = ['existing_influencer_id', 'prediction_made'] as const
const EditValues = formSchema([...PREDICTION_FIELDS, ...REVIEW_FIELDS, ...OTHERS])
export type EditValues = z.infer<typeof EditValues>

export function valuesOf(row: SubmissionRow): EditValues {
  return formValues(EditValues, row, {
    existing_influencer_id: row.new_influencer
      ? NEW_INFLUENCER
      : (row.existing_influencer_id?.toString() ?? ''),
  })
}

/** The body of the edit call: changed fields only; the status has its own call. */
export function editOf(
  row: SubmissionRow,
  changes: Partial<EditValues>,
): z.input<typeof SubmissionEdit> {
  const { existing_influencer_id: influencer } = changedIn(valuesOf(row), changes)
  const { status: _, existing_influencer_id: _chosen, ...edit } = editIn(valuesOf(row), changes)
  if (influencer === undefined) return edit
  const isNew = influencer === NEW_INFLUENCER
  return {
    ...edit,
    existing_influencer_id: isNew ? '' : influencer,
    ...(isNew || row.new_influencer ? { new_influencer: isNew } : {}),
  }
}

export type DetailState = ReturnType<typeof useDetail>

export function useDetail(detail: Detail, start: Mode, onClose: () => void) {
  const { submission: now, suggestions } = detail
  const decisions = useDecisions()
  const edit = usePredictionEdit(valuesOf(now), `submission ${now.id}`, EditValues)
  const save = useSaveEdit(edit, now)
  const date = useMadeDate(edit, now)
  const [chosenMode, setChosenMode] = useState<Mode>(
    edit.isChanged && start !== 'reject' ? 'edit' : start,
  )
  const [approval, setApproval] = useState<Approval>(NEW_APPROVAL)

  const canDecide = isOpen(now)
  const mode: Mode = canDecide || chosenMode === 'edit' ? chosenMode : 'view'

  // The preview includes unsaved edits; a decision uses the stored fields.
  const edits = mode === 'edit' ? editOf(now, edit.changed) : {}
  const question = canDecide ? { ...edits, ...approvalOf(edits) } : null
  const rested = useRested(question, mode === 'edit' ? REST_MS.edit : REST_MS.other)
  const run = useDryRun(now.id, rested)
  const isAnswered = JSON.stringify(rested) === JSON.stringify(question)

  /** An influencer chosen in the edit overrides the suggested one. */
  function approvalOf(body: ReturnType<typeof editOf>): ReturnType<typeof approvalBody> {
    const approve = approvalBody(approval, detail)
    if (body.existing_influencer_id === undefined) return approve
    return { ...approve, influencer_id: '', new_influencer: body.new_influencer ?? null }
  }

  /** Approval uses the stored fields, so save edits first. */
  async function go(next: Mode): Promise<void> {
    decisions.forget()
    if (next === 'approve') {
      if (date.isTyped && !(await date.save(date.made))) return
      if (edit.isChanged && !(await save.run())) return
    }
    setChosenMode(next)
  }

  const changed = withClaim(Object.keys(edit.changed))
  return {
    detail,
    now,
    suggestions,
    edit,
    save,
    date,
    mode,
    go: (next: Mode): void => void go(next),
    canDecide,
    run,
    isJudging: !run.isError && (run.isPending || run.isPlaceholderData || !isAnswered),
    /** Dry-run messages for the edited fields only. */
    typedFaults: Object.fromEntries(
      Object.entries(edit.faultsIn(run.data?.fields ?? {})).filter(([field]) => changed.has(field)),
    ),
    approval,
    decisions,
    changeApproval: (part: Partial<Approval>): void => setApproval({ ...approval, ...part }),
    approve: (): void => {
      const body = { ...approvalBody(approval, detail), version: now.version }
      void decisions.approve(now, body, onClose)
    },
    rejected: (): void => {
      edit.drop()
      onClose()
    },
  }
}

type SubmissionEditing = ReturnType<typeof usePredictionEdit<EditValues>>

/** The date the prediction was made, with its own save call (administrator-tools.md §7). */
function useMadeDate({ rebase }: SubmissionEditing, now: SubmissionRow) {
  const stored = now.prediction_made ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
  const { run, isBusy, failed, forget } = useDecision()
  const cached = useCachedRows()
  const made = typed ?? stored
  return {
    made,
    isTyped: made !== stored && made !== '',
    saved,
    isBusy,
    fault: failed ? (failed.fields['prediction_made'] ?? DATE_FAILED) : undefined,
    type(day: string): void {
      setTyped(day)
      setSaved(null)
      forget()
    },
    save(day: string): Promise<boolean> {
      setSaved(null)
      return run(async () => {
        const body = { prediction_made: day, version: now.version }
        const reply = await adminCall(calls.savePredictionDate, { params: { id: now.id }, body })
        setTyped(null)
        setSaved(reply.message)
        cached.replace(reply.submission)
        rebase(valuesOf(reply.submission))
      })
    },
  }
}

/** Saves an edit on top of concurrent changes; whatever could not be saved stays in the form. */
function useSaveEdit(edit: SubmissionEditing, now: SubmissionRow) {
  const cached = useCachedRows()
  const decisions = useDecisions()
  const decision = useDecision()
  const [saved, setSaved] = useState<string | null>(null)

  async function store(): Promise<void> {
    const changes = changedIn(valuesOf(now), edit.changed)
    let row = now
    const body = editOf(now, changes)
    if (Object.keys(body).length > 0) {
      const input = { params: { id: now.id }, body: { ...body, version: now.version } }
      row = (await adminCall(calls.editSubmission, input)).submission
      cached.replace(row)
      // Only the status remains unsaved if its call fails.
      edit.rebase(valuesOf(row), changes)
    }
    const { status, admin_comment: comment } = { ...valuesOf(row), ...changes }
    if (status !== row.status && status !== 'unpaid') {
      const decided = { status, admin_comment: comment, version: row.version }
      const isDone =
        status === 'approved'
          ? await decisions.approve(row, { admin_comment: comment, version: row.version })
          : status === 'rejected'
            ? await decisions.reject(row, comment)
            : Boolean(
                await adminCall(calls.decideSubmission, { params: { id: row.id }, body: decided }),
              )
      if (!isDone) throw new CallError('', 0)
    }
    edit.rebase(valuesOf(row), {})
    if (Object.keys(changes).length > 0) setSaved('Data saved successfully!')
  }

  function forget(): void {
    setSaved(null)
    decision.forget()
    decisions.forget()
    edit.show({})
  }

  return {
    run(): Promise<boolean> {
      forget()
      return decision.run(() => edit.sending(store))
    },
    forget,
    isBusy: decision.isBusy,
    saved: edit.isChanged ? null : saved,
    failed: messageOf(decisions.failed ?? decision.failed),
  }
}

function messageOf(failed: CallError | null): string | null {
  if (failed === null) return null
  const { status, code, fields, message } = failed
  if (status === 409) return message
  if (Object.keys(fields).length > 0) return `${FAILED} See the fields marked below.`
  return code === null ? FAILED : `${FAILED} ${message}`
}

export function EditForm({
  state: { now, edit, save, run, suggestions, typedFaults, go },
}: {
  readonly state: DetailState
}) {
  const { element, values } = edit
  const faults = { ...typedFaults, ...edit.faults }
  const inputs = { values, faults, onChange: edit.change }
  const isPublished = now.status === 'approved'
  useInitialFocus(() => {
    // A focused mode button keeps the focus: on touch screens, focusing a field would open the keyboard.
    if (document.activeElement?.hasAttribute('aria-pressed')) return
    element.current?.querySelector('input')?.focus({ preventScroll: true })
  })
  return (
    <Stack
      as="form"
      gap={6}
      ref={element}
      data-first
      onKeyDown={sendByKeys}
      {...sends(() => void save.run().then((isDone) => isDone && go('view')))}
    >
      {isPublished && (
        <Callout tone="quiet">
          It is published: correct what it says on the prediction itself. Here you can change the
          outcome note and the comment.
        </Callout>
      )}
      <Tiles as="fieldset" disabled={isPublished}>
        <legend className="aside-voice">The prediction</legend>
        <FieldInputs
          {...inputs}
          fields={PREDICTION_FIELDS}
          more={Object.fromEntries(
            ['price_target', 'price_min', 'price_max'].map((name) => [
              name,
              { placeholder: ASSETS[values.asset_type].placeholder },
            ]),
          )}
        />
        <div className="whole">
          <InfluencerChoice
            value={values.existing_influencer_id}
            name={values.expert_name}
            suggestions={suggestions}
            sentence={run.data?.influencer?.sentence ?? null}
            fault={faults['existing_influencer_id']}
            onChoose={(id) => edit.change({ existing_influencer_id: id })}
          />
        </div>
      </Tiles>
      <Tiles as="fieldset">
        <legend className="aside-voice">The review</legend>
        <FieldInputs
          {...inputs}
          fields={REVIEW_FIELDS}
          more={{
            status: {
              disabled: isPublished,
              hint: isPublished ? undefined : STATUS_HINTS[values.status],
            },
          }}
        />
      </Tiles>
      <Row fill gap={3} justify="end" className={`${css.buttons} ruled-top`}>
        <Button
          onClick={() => {
            edit.drop()
            save.forget()
            go('view')
          }}
        >
          {edit.isChanged ? 'Discard changes' : 'Cancel'}
        </Button>
        <Button look="primary" type="submit" aria-disabled={save.isBusy}>
          {save.isBusy ? 'Saving...' : 'Save'}
        </Button>
      </Row>
    </Stack>
  )
}

const STATUS_HINTS: Readonly<Record<EditValues['status'], string | null>> = {
  unpaid: null,
  pending: null,
  approved: 'Saving publishes it with the defaults; Approve shows you the outcome first.',
  rejected: 'Saving rejects it; the comment is the reason the submitter sees.',
}

import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { useRested } from '#web/ui/use-rested.ts'
import { predictionPath } from '#web/address/addresses.ts'
import {
  ApproveForm,
  approveBody,
  influencerOf,
  NEW_APPROVAL,
  type Approval,
} from './approve-form.tsx'
import { useDryRun, useShowAnew, useShowRow, type Detail } from './calls.ts'
import { type DetailLinks } from './detail-links.ts'
import { DASHBOARDS } from './dashboards.ts'
import { DetailFacts } from './detail-facts.tsx'
import { AiNotes, DetailRecords, Duplicates } from './detail-records.tsx'
import css from './detail-view.module.css'
import { useDraft } from './drafts.ts'
import { DryRunView } from './dry-run-view.tsx'
import { changedIn, editOf, faultsAt, fieldsOf } from './edit-fields.ts'
import { EditForm } from './edit-form.tsx'
import { MadeDateForm } from './made-date-form.tsx'
import { RejectForm } from './reject-form.tsx'
import { safeLink } from './row-texts.ts'
import { StaleEdit, withoutTheirs } from './stale-edit.tsx'
import { isOpen, type Mode } from './submission-list.tsx'
import { faultsOf, useDecisions } from './use-decisions.ts'
import { useKeys } from './use-keys.ts'
import { useSaveEdit } from './use-save-edit.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'
import { Segment, Segments } from '#web/ui/segments.tsx'

/** The dry run follows once the typing rests. */
const REST_MS = 350

/** A submission in one of its modes: looked at, edited, approved or rejected. */
export function DetailView({
  detail,
  start,
  addressOf,
  links,
  onAskAnew,
  onStep,
  onShowKeys,
  onClose,
}: {
  readonly detail: Detail
  readonly start: Mode
  readonly addressOf: (id: string) => string
  readonly links: DetailLinks
  /** Asks the server for the submission again. */
  readonly onAskAnew: () => Promise<void>
  readonly onStep: (by: 1 | -1) => void
  readonly onShowKeys: () => void
  readonly onClose: () => void
}) {
  const now = detail.submission
  const rules = DASHBOARDS[now.asset_type]
  const decisions = useDecisions()
  const showRow = useShowRow()
  const showAnew = useShowAnew()
  const draft = useDraft(now)
  const save = useSaveEdit({ draft, decisions, onAskAnew })
  const [wanted, setWanted] = useState<Mode>(draft.isChanged && start !== 'reject' ? 'edit' : start)
  const [approval, setApproval] = useState<Approval>(NEW_APPROVAL)
  const [approving, setApproving] = useState<{ isBusy: boolean; error: unknown }>(IDLE)
  const [failed, setFailed] = useState<string | null>(null)
  const body = useRef<HTMLDivElement>(null)

  const canDecide = isOpen(now)
  const mode: Mode = canDecide || wanted === 'edit' ? wanted : 'view'
  const isPublished = now.status === 'approved'
  const isStale = draft.isChanged && now.version !== draft.base.version
  const fields = { ...fieldsOf(draft.base), ...draft.draft }

  // What is typed counts while it is typed; a decision is made on what is saved.
  const edits = mode === 'edit' ? editOf(draft.base, draft.draft) : {}
  const question = canDecide ? { ...edits, ...approvalOf(edits) } : null
  const asked = useRested(question, REST_MS)
  const run = useDryRun(now.id, asked)
  const isAnswered = JSON.stringify(asked) === JSON.stringify(question)
  const isJudging = !run.isError && (run.isPending || run.isPlaceholderData || !isAnswered)

  function go(next: Mode): void {
    setFailed(null)
    if (draft.isChanged && next === 'approve') void save.run(() => setWanted(next))
    else setWanted(next)
  }

  async function approve(): Promise<void> {
    setApproving({ isBusy: true, error: null })
    setFailed(null)
    try {
      await decisions.approve(now, { ...approveBody(approval, detail), version: now.version })
      onClose()
    } catch (error) {
      setApproving({ isBusy: false, error })
      setFailed(rules.approveFailed(error))
    }
  }

  async function reject(reason: string): Promise<void> {
    await decisions.reject(now, reason)
    draft.drop()
    onClose()
  }

  const source = safeLink(now.source_url)
  useKeys(true, {
    v: () => go('view'),
    e: () => go('edit'),
    a: canDecide ? () => go('approve') : undefined,
    r: canDecide ? () => go('reject') : undefined,
    o: source ? () => void window.open(source.href, '_blank', 'noopener,noreferrer') : undefined,
    j: mode === 'view' ? () => onStep(1) : undefined,
    k: mode === 'view' ? () => onStep(-1) : undefined,
    '?': onShowKeys,
  })

  // What the server found wrong is where one goes on.
  useEffect(() => {
    if (save.faultCount > 0) {
      body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
  }, [save.faultCount])

  // What somebody else has changed is told at length below.
  const message = isStale ? null : (failed ?? save.failed)
  return (
    <Stack gap={4} ref={body}>
      <Row gap={3} justify="between">
        <Segments label="Mode">
          <ModeButton name="View" hint="v" pressed={mode === 'view'} onPress={() => go('view')} />
          {canDecide && (
            <>
              <ModeButton
                name="Approve"
                hint="a"
                pressed={mode === 'approve'}
                onPress={() => go('approve')}
              />
              <ModeButton
                name="Reject"
                hint="r"
                pressed={mode === 'reject'}
                onPress={() => go('reject')}
              />
            </>
          )}
          <ModeButton
            name="Edit"
            hint="e"
            pressed={mode === 'edit'}
            onPress={() => go(mode === 'edit' ? 'view' : 'edit')}
          />
        </Segments>
        <Row>
          {source && (
            <a
              className={buttonClass('plain')}
              href={source.href}
              target="_blank"
              rel="noopener noreferrer nofollow"
            >
              Open source<span className="aside-voice"> in a new tab</span>
            </a>
          )}
          {now.prediction_id !== null && (
            <a
              className={buttonClass('plain')}
              href={predictionPath({ id: now.prediction_id })}
              target="_blank"
              rel="noreferrer"
            >
              Its prediction<span className="aside-voice"> in a new tab</span>
            </a>
          )}
          {now.prediction_id !== null && links.correction && (
            <Link className={buttonClass('plain')} to={links.correction(now.prediction_id)}>
              Correct it
            </Link>
          )}
          {now.status !== 'rejected' && links.post && (
            <Link className={buttonClass('plain')} to={links.post(now)}>
              Post about it
            </Link>
          )}
          {detail.undo_ms > 0 && (
            <Button onClick={() => void decisions.undo(now)}>Undo the decision</Button>
          )}
        </Row>
      </Row>
      {message !== null && (
        <Callout tone="bad" strong role="alert">
          {message}
        </Callout>
      )}
      <Callout tone="good" strong className={css.saved} role="status">
        {save.saved}
      </Callout>
      {draft.isChanged && mode !== 'edit' && (
        <Callout as="div" tone="wait" strong>
          <Row>
            <p className={css.grow}>You have changes that are not saved.</p>
            <Button onClick={() => go('edit')}>Go on editing</Button>
            <Button onClick={draft.drop}>Discard them</Button>
          </Row>
        </Callout>
      )}
      {isStale && (
        <StaleEdit
          base={draft.base}
          now={detail}
          draft={draft.draft}
          isBusy={save.isBusy}
          onTakeTheirs={() => draft.rebase(now, withoutTheirs(draft.base, now, draft.draft))}
          onKeepMine={() => void save.run(() => setWanted('view'), now)}
        />
      )}
      <div className={css.columns} data-mode={mode}>
        <Stack gap={4}>
          {mode === 'edit' && (
            <EditForm
              fields={fields}
              faults={faultsAt({ ...typedFaults(), ...save.faults }, fields.prediction_type)}
              suggestions={detail.suggestions}
              influencerSentence={run.data?.influencer?.sentence ?? null}
              isPublished={isPublished}
              isChanged={draft.isChanged}
              isBusy={save.isBusy}
              onChange={(changed) => {
                draft.change(changed)
                save.forget()
              }}
              onSave={() => void save.run(() => setWanted('view'))}
              onCancel={() => {
                draft.drop()
                save.forget()
                setWanted('view')
              }}
            />
          )}
          {mode === 'approve' && (
            <ApproveForm
              row={now}
              detail={detail}
              approval={approval}
              run={run.data}
              isJudging={isJudging}
              isBusy={approving.isBusy}
              faults={faultsOf(approving.error)}
              onChange={(changed) => setApproval({ ...approval, ...changed })}
              onApprove={() => void approve()}
              onCancel={() => go('view')}
            />
          )}
          {mode === 'reject' && (
            <RejectForm
              onReject={reject}
              failureText={rules.rejectFailed}
              onCancel={() => go('view')}
            />
          )}
          {mode !== 'edit' && <DetailFacts row={now} />}
          {(mode === 'view' || mode === 'edit') && (
            <MadeDateForm
              base={draft.base}
              isPublished={isPublished}
              onSaved={(row) => {
                showRow(row)
                draft.rebase(row)
                void showAnew()
              }}
              onFailed={() => void onAskAnew()}
            />
          )}
        </Stack>
        <Stack gap={4} className={css.side}>
          <Duplicates duplicates={detail.duplicates} addressOf={addressOf} />
          {canDecide && (
            <DryRunView run={run.data} isFailed={run.isError} onRetry={() => void run.refetch()} />
          )}
          {mode !== 'edit' && mode !== 'approve' && canDecide && (
            <Suggested detail={detail} chosen={influencerOf(approval, detail)} />
          )}
        </Stack>
      </div>
      <div>
        <AiNotes json={now.ai_metadata} />
        <DetailRecords detail={detail} />
      </div>
    </Stack>
  )

  /** An influencer who is chosen by the edit is not overruled by the one that was suggested before it. */
  function approvalOf(edit: ReturnType<typeof editOf>): ReturnType<typeof approveBody> {
    const asked = approveBody(approval, detail)
    if (edit.existing_influencer_id === undefined) return asked
    return { ...asked, influencer_id: '', new_influencer: edit.new_influencer ?? null }
  }

  /** What the dry run says of the fields that were changed; the others were not typed by this administrator. */
  function typedFaults(): Readonly<Record<string, string>> {
    const changed = Object.keys(changedIn(draft.base, draft.draft))
    const touched = new Set(
      changed.some((field) => field.startsWith('price_') || field === 'prediction_type')
        ? [...changed, 'price_target', 'price_min', 'price_max', 'price_prediction']
        : changed,
    )
    return Object.fromEntries(
      Object.entries(run.data?.fields ?? {}).filter(([field]) => touched.has(field)),
    )
  }
}

const IDLE = { isBusy: false, error: null } as const

/** Whose prediction it will probably be, said before the step of approving. */
function Suggested({ detail, chosen }: { readonly detail: Detail; readonly chosen: string }) {
  const one = detail.suggestions.find(({ id }) => String(id) === chosen)
  // That somebody new is created is among the warnings.
  if (!one) return null
  return (
    <p className={css.suggested}>
      Suggested influencer: <b>{one.name}</b>. {one.sentence}
    </p>
  )
}

function ModeButton({
  name,
  hint,
  pressed,
  onPress,
}: {
  readonly name: string
  readonly hint: string
  readonly pressed: boolean
  readonly onPress: () => void
}) {
  return (
    <Segment pressed={pressed} onPress={onPress}>
      {name}{' '}
      <kbd className="by-keyboard" aria-hidden="true">
        {hint}
      </kbd>
    </Segment>
  )
}

import { Button } from '#web/ui/button.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'
import { ApproveForm, influencerOf } from './approve-form.tsx'
import { type Detail } from './calls.ts'
import { DASHBOARDS } from './dashboards.ts'
import { DetailBar } from './detail-bar.tsx'
import { DetailFacts } from './detail-facts.tsx'
import { type DetailLinks } from './detail-links.ts'
import { AiNotes, DetailRecords, Duplicates } from './detail-records.tsx'
import css from './detail-view.module.css'
import { DryRunView } from './dry-run-view.tsx'
import { withoutTheirs } from './edit-fields.ts'
import { EditForm } from './edit-form.tsx'
import { MadeDateForm } from './made-date-form.tsx'
import { RejectForm } from './reject-form.tsx'
import { safeLink } from './row-texts.ts'
import { StaleEdit } from './stale-edit.tsx'
import { type Mode } from './submission-list.tsx'
import { undoLast } from './undo-list.tsx'
import { useDetail, type DetailState } from './use-detail.ts'
import { useKeys } from '#web/ui/use-keys.ts'

/** A submission in one of its modes: shown, edited, approved or rejected. */
export function DetailView({
  detail,
  start,
  addressOf,
  links,
  onReload,
  onStep,
  onShowKeys,
  onClose,
}: {
  readonly detail: Detail
  readonly start: Mode
  readonly addressOf: (id: string) => string
  readonly links: DetailLinks
  /** Asks the server for the submission again. */
  readonly onReload: () => Promise<void>
  readonly onStep: (by: 1 | -1) => void
  readonly onShowKeys: () => void
  readonly onClose: () => void
}) {
  const state = useDetail({ detail, start, onReload, onClose })
  const { now, mode, go, canDecide, run } = state
  const source = safeLink(now.source_url)
  const sourceDay = run.data?.warnings.find(({ use_day: day }) => day)?.use_day
  const useDay = (day: string): void => void state.date.save(day)
  useKeys(true, {
    v: () => go('view'),
    e: () => go('edit'),
    a: canDecide ? () => go('approve') : undefined,
    r: canDecide ? () => go('reject') : undefined,
    o: source ? () => void window.open(source.href, '_blank', 'noopener,noreferrer') : undefined,
    d: canDecide && sourceDay !== undefined ? () => useDay(sourceDay) : undefined,
    j: mode === 'view' ? () => onStep(1) : undefined,
    k: mode === 'view' ? () => onStep(-1) : undefined,
    z: undoLast,
    '?': onShowKeys,
  })
  return (
    <Stack gap={4}>
      <DetailBar
        row={now}
        mode={mode}
        canDecide={canDecide}
        links={links}
        onMode={go}
        onUndo={detail.undo_ms > 0 ? state.undo : null}
      />
      <Unsaved detail={detail} state={state} />
      <div className={css.columns} data-mode={mode}>
        <Stack gap={4}>
          <ModeForm detail={detail} state={state} />
          {mode !== 'edit' && <DetailFacts row={now} />}
          {(mode === 'view' || mode === 'edit') && (
            <MadeDateForm
              base={state.edit.base}
              date={state.date}
              isPublished={now.status === 'approved'}
            />
          )}
        </Stack>
        <Stack gap={4} className={css.side}>
          <Duplicates duplicates={detail.duplicates} addressOf={addressOf} />
          {canDecide && (
            <DryRunView
              run={run.data}
              isFailed={run.isError}
              onRetry={() => void run.refetch()}
              onUseDay={useDay}
            />
          )}
          {mode !== 'edit' && mode !== 'approve' && canDecide && (
            <Suggested detail={detail} chosen={influencerOf(state.approval, detail)} />
          )}
        </Stack>
      </div>
      <div>
        <AiNotes json={now.ai_metadata} />
        <DetailRecords detail={detail} />
      </div>
    </Stack>
  )
}

type Part = { readonly detail: Detail; readonly state: DetailState }

/** What became of the last change, and what is not saved. */
function Unsaved({ detail, state: { now, edit, save, date, approving, mode, go } }: Part) {
  const rules = DASHBOARDS[now.asset_type]
  const isStale = edit.isChanged && now.version !== edit.base.version
  // Elsewhere the field of the day says it.
  const undated = mode === 'approve' ? (date.fault ?? null) : null
  const failed = approving.failed ? rules.approveFailed(approving.failed) : (save.failed ?? undated)
  return (
    <>
      {/* What another administrator has changed is shown in full below. */}
      {failed !== null && !isStale && (
        <Callout tone="bad" strong role="alert">
          {failed}
        </Callout>
      )}
      <Callout tone="good" strong className={css.saved} role="status">
        {save.saved}
      </Callout>
      {edit.isChanged && mode !== 'edit' && (
        <Callout as="div" tone="wait" strong>
          <Row>
            <p className={css.grow}>You have changes that are not saved.</p>
            <Button onClick={() => go('edit')}>Go on editing</Button>
            <Button onClick={edit.drop}>Discard them</Button>
          </Row>
        </Callout>
      )}
      {isStale && (
        <StaleEdit
          base={edit.base}
          now={detail}
          mine={edit.changed}
          isBusy={save.isBusy}
          onTakeTheirs={() => edit.rebase(now, withoutTheirs(edit.base, now, edit.changed))}
          onKeepMine={() => void save.run(() => go('view'), now)}
        />
      )}
    </>
  )
}

/** The form of the mode; null where a submission is only shown. */
function ModeForm({ detail, state }: Part) {
  const { now, mode, go, edit, save, run, approving } = state
  switch (mode) {
    case 'view':
      return null
    case 'edit':
      return (
        <EditForm
          element={save.element}
          form={edit.form}
          values={edit.values}
          faults={state.typedFaults}
          suggestions={detail.suggestions}
          influencerSentence={run.data?.influencer?.sentence ?? null}
          isPublished={now.status === 'approved'}
          isChanged={edit.isChanged}
          isBusy={save.isBusy}
          onSave={() => void save.run(() => go('view'))}
          onCancel={() => {
            edit.drop()
            save.forget()
            go('view')
          }}
        />
      )
    case 'approve':
      return (
        <ApproveForm
          row={now}
          detail={detail}
          approval={state.approval}
          run={run.data}
          isJudging={state.isJudging}
          isBusy={approving.isBusy}
          faults={approving.failed?.fields ?? {}}
          onChange={state.changeApproval}
          onApprove={state.approve}
          onCancel={() => go('view')}
        />
      )
    case 'reject':
      return (
        <RejectForm
          onReject={state.reject}
          failureText={DASHBOARDS[now.asset_type].rejectFailed}
          onCancel={() => go('view')}
        />
      )
  }
}

/** Whose prediction it will probably be, said before the step of approving. */
function Suggested({ detail, chosen }: { readonly detail: Detail; readonly chosen: string }) {
  const one = detail.suggestions.find(({ id }) => String(id) === chosen)
  // That a new person is created is among the warnings.
  if (!one) return null
  return (
    <p className={css.suggested}>
      Suggested influencer: <b>{one.name}</b>. {one.sentence}
    </p>
  )
}

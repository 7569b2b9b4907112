import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { oneSubmission, type SubmissionRow } from '#contracts/review.ts'
import { readDay, showDay } from '#domain/day.ts'
import { hostOf, predictionPath } from '#web/address/addresses.ts'
import { useMay } from '#web/admin/hints.ts'
import { Stale } from '#web/admin/kit/admin-form.tsx'
import { useCall } from '#web/admin/kit/list.tsx'
import { ButtonKey } from '#web/admin/kit/screen.tsx'
import { useKeys } from '#web/admin/kit/use-keys.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Row, Stack, Callout, Text, sends, Note, Tiles } from '#web/ui/primitives.tsx'
import { undoLast } from '#web/ui/toasts.tsx'
import { influencerOf } from './approval.tsx'
import { ApproveForm, Outcome } from './approve-form.tsx'
import { REFRESH_MS, type Detail } from './calls.ts'
import { DASHBOARDS, titleOf, type Mode } from './dashboards.tsx'
import { RejectForm } from './decide-dialogs.tsx'
import { AiNotes, DetailFacts, DetailRecords, Duplicates } from './detail-facts.tsx'
import { EditForm, useDetail, type DetailState } from './use-detail.tsx'
import css from './review.module.css'

type Ways = {
  readonly start: Mode
  readonly onStep: (by: 1 | -1) => void
  readonly onClose: () => void
}

export function DetailDialog({ id, ...ways }: Ways & { readonly id: string }) {
  const query = useCall(oneSubmission, { params: { id } }, { refetchInterval: REFRESH_MS })
  return (
    <Dialog
      title={query.data ? titleOf(query.data.submission) : 'Submission'}
      size="wide"
      onClose={ways.onClose}
    >
      <Loaded
        query={query}
        loading="Loading the submission..."
        failed="Failed to load this submission."
      >
        {(detail) => <DetailView key={id} detail={detail} {...ways} />}
      </Loaded>
    </Dialog>
  )
}

function DetailView({ detail, start, onStep, onClose }: Ways & { readonly detail: Detail }) {
  const state = useDetail(detail, start, onClose)
  const { now, mode, go, canDecide, run } = state
  const source = openable(now.source_url)
  const sourceDay = run.data?.warnings.find(({ use_day: day }) => day)?.use_day
  const useDay = (day: string): void => void state.date.save(day)
  const chosen = influencerOf(state.approval, detail)
  const suggested = detail.suggestions.find(({ id }) => String(id) === chosen)
  useKeys(true, {
    v: () => go('view'),
    e: () => go('edit'),
    a: canDecide ? () => go('approve') : undefined,
    r: canDecide ? () => go('reject') : undefined,
    o: source ? () => void window.open(source, '_blank', 'noopener,noreferrer') : undefined,
    d: canDecide && sourceDay !== undefined ? () => useDay(sourceDay) : undefined,
    j: mode === 'view' ? () => onStep(1) : undefined,
    k: mode === 'view' ? () => onStep(-1) : undefined,
    z: undoLast,
  })
  return (
    <Stack gap={4}>
      <Row gap={3} justify="between">
        <Segments
          label="Mode"
          options={MODES.filter(([one]) => canDecide || one === 'view' || one === 'edit').map(
            ([one, text]) => [
              one,
              <>
                {text} <ButtonKey>{one.slice(0, 1)}</ButtonKey>
              </>,
            ],
          )}
          value={mode}
          onChoose={(one) => go(one === 'edit' && mode === 'edit' ? 'view' : one)}
        />
        <Row>
          <Links row={now} />
          {detail.undo_ms > 0 && (
            <Button onClick={() => void state.decisions.undo(now)}>Undo the decision</Button>
          )}
        </Row>
      </Row>
      <Unsaved state={state} />
      <Tiles gap={6} least="half" className={css.columns} data-mode={mode}>
        <Stack gap={4}>
          {mode === 'edit' && <EditForm state={state} />}
          {mode === 'approve' && <ApproveForm state={state} />}
          {mode === 'reject' && (
            <RejectForm
              rows={[now]}
              decisions={state.decisions}
              onDone={state.rejected}
              onCancel={() => go('view')}
            />
          )}
          {mode !== 'edit' && <DetailFacts row={now} />}
          {(mode === 'view' || mode === 'edit') && <MadeDate state={state} />}
        </Stack>
        <Stack gap={4}>
          <Duplicates duplicates={detail.duplicates} />
          {canDecide && <Outcome run={run} onUseDay={useDay} />}
          {/* For a new person, a warning says so. */}
          {(mode === 'view' || mode === 'reject') && canDecide && suggested && (
            <Note>
              Suggested influencer: <b>{suggested.name}</b>. {suggested.sentence}
            </Note>
          )}
        </Stack>
      </Tiles>
      <div>
        <AiNotes json={now.ai_metadata} />
        <DetailRecords detail={detail} />
      </div>
    </Stack>
  )
}

/** The address if it is a web page, unlike `javascript:`. */
const openable = (address: string | null): string | null =>
  address !== null && hostOf(address) !== null ? address : null

type Stated = { readonly state: DetailState }

const MODES: readonly (readonly [Mode, string])[] = [
  ['view', 'View'],
  ['approve', 'Approve'],
  ['reject', 'Reject'],
  ['edit', 'Edit'],
]

function Links({ row }: { readonly row: SubmissionRow }) {
  const mayPost = useMay('publish')
  const source = openable(row.source_url)
  const id = row.prediction_id
  const away = (to: string, text: ReactNode) => (
    <a
      className={buttonClass('plain')}
      href={to}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {text}
      <span className="aside-voice"> in a new tab</span>
    </a>
  )
  return (
    <>
      {source && away(source, 'Open source')}
      {id !== null && away(predictionPath({ id }), 'Its prediction')}
      {id !== null && mayPost && (
        <Link
          className={buttonClass('plain')}
          to={`/admin/predictions?open=${encodeURIComponent(id)}`}
        >
          Correct it
        </Link>
      )}
      {row.status !== 'rejected' && mayPost && (
        <Link
          className={buttonClass('plain')}
          to={`/admin/publish?asset=${row.asset_type}&submission=${row.id}`}
        >
          Post about it
        </Link>
      )}
    </>
  )
}

function Unsaved({ state }: Stated) {
  const { now, edit, save, date, decisions, mode, go } = state
  // In other modes the date field shows this error.
  const undated = mode === 'approve' ? (date.fault ?? null) : null
  const failed =
    decisions.failed && mode !== 'reject'
      ? DASHBOARDS[now.asset_type].failed('approve', decisions.failed)
      : (save.failed ?? undated)
  return (
    <>
      {failed !== null && (
        <Callout tone="bad" strong role="alert">
          {failed}
        </Callout>
      )}
      <Callout tone="good" strong hidden={save.saved === null} role="status">
        {save.saved}
      </Callout>
      {edit.isChanged && mode !== 'edit' && (
        <Callout as="div" tone="wait" strong>
          <Row>
            <p className="grow">You have changes that are not saved.</p>
            <Button onClick={() => go('edit')}>Go on editing</Button>
            <Button onClick={edit.drop}>Discard them</Button>
          </Row>
        </Callout>
      )}
      <Stale fields={edit.stale} onTakeTheirs={edit.takeTheirs} />
    </>
  )
}

/** The field for the day it was made (administrator-tools.md §7). */
function MadeDate({ state: { now, date } }: Stated) {
  const isPublished = now.status === 'approved'
  const { prediction_made: made, made_precision: precision } = now
  const day = readDay(made)
  const known =
    day === null || precision === 'day'
      ? undefined
      : `Only the ${precision} is known, ${showDay(day, precision)}: it counts from the last day of it, or from the day it was submitted. Save a day here if you know it.`
  return (
    <Row as="form" align="end" className={css.made} {...sends(() => void date.save(date.made))}>
      <DateField
        label="Prediction made"
        name="prediction_made"
        hint={isPublished ? undefined : known}
        fault={date.fault}
        disabled={isPublished}
        value={date.made}
        onChange={(day) => date.type(day)}
      />
      {!isPublished && (
        <Button type="submit" disabled={!date.isTyped}>
          {date.isBusy ? 'Saving...' : 'Save date'}
        </Button>
      )}
      <Text tone="good" size="small" role="status">
        {date.saved}
      </Text>
    </Row>
  )
}

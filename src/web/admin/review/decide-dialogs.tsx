import { useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import { LONGEST_COMMENT, type SubmissionRow } from '#contracts/review.ts'
import { plural } from '#domain/day.ts'
import { REJECTION_REASONS } from '#domain/review.ts'
import { ButtonKey } from '#web/admin/kit/screen.tsx'
import { sendByKeys, useInitialFocus } from '#web/admin/kit/use-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Row, Stack, Failure, Text, Quiet } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { type Decisions } from './calls.ts'
import { sourceLink, DASHBOARDS, titleOf } from './dashboards.tsx'
import css from './review.module.css'

type Rejecting = {
  readonly rows: readonly SubmissionRow[]
  readonly decisions: Decisions
  readonly onDone: () => void
  readonly onCancel: () => void
}

export function ApproveAllDialog({
  rows,
  onApprove,
  onClose,
}: Pick<Rejecting, 'rows'> & Record<'onApprove' | 'onClose', () => void>) {
  return (
    <Dialog title={`Approve ${plural(rows.length, 'submission')}`} size="form" onClose={onClose}>
      <Stack gap={4}>
        <Text tone="quiet">
          This is what will be published. None has a public text. Each is checked again; one that
          needs a closer look stays pending.
        </Text>
        <Stack as="ul" gap={2} size="small" className={css.list} aria-label="To be approved">
          {rows.map((row) => (
            <li key={row.id}>
              <bdi>{titleOf(row)}</bdi>{' '}
              <Quiet>
                made {showDate(row.prediction_made ?? row.created_at)},{' '}
                {sourceLink(row.source_url) ?? 'no source'}
              </Quiet>
            </li>
          ))}
        </Stack>
        <Row fill gap={3} justify="end">
          <DialogClose render={<Button />}>Cancel</DialogClose>
          <Button data-first look="primary" onClick={onApprove}>
            Approve {rows.length}
          </Button>
        </Row>
      </Stack>
    </Dialog>
  )
}

export function RejectDialog(rejecting: Rejecting) {
  const { rows, onCancel } = rejecting
  return (
    <Dialog
      title={
        rows.length === 1 ? 'Reject this submission' : `Reject ${plural(rows.length, 'submission')}`
      }
      onClose={onCancel}
    >
      <Stack gap={4}>
        <Stack as="ul" gap={1} className={css.list}>
          {rows.map((row) => (
            <li key={row.id}>
              <bdi>{titleOf(row)}</bdi>
            </li>
          ))}
        </Stack>
        <RejectForm {...rejecting} />
      </Stack>
    </Dialog>
  )
}

/**
 * Asks for a rejection reason. Digits choose a reason while the list of reasons has the focus. Input stays if the
 * server refuses.
 */
export function RejectForm({ rows, decisions, onDone, onCancel }: Rejecting) {
  const [reason, setReason] = useState<string | null>(null)
  const [words, setWords] = useState('')
  /** The digit that chose the reason, until another key is pressed. */
  const [digit, setDigit] = useState('')
  const [needsReason, setNeedsReason] = useState(false)
  const { failed, isBusy, forget } = decisions
  const reasons = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useInitialFocus(() => {
    if (!form.current?.contains(document.activeElement)) {
      reasons.current?.focus({ preventScroll: true })
    }
  })
  const [first] = rows
  const fullReason = [reason, words.trim()].filter(Boolean).join(': ')
  const fault = failed?.fields['admin_comment'] ?? failed?.fields['reason']

  /** Moves the focus to the text field, optionally replacing its text. */
  function intoText(typed = words): void {
    flushSync(() => setWords(typed))
    const text = form.current?.querySelector('textarea')
    text?.focus()
    text?.setSelectionRange(typed.length, typed.length)
  }

  function pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== reasons.current) return
    const { key } = event
    const one = digit === '' ? REJECTION_REASONS[Number(key) - 1] : undefined
    if (one !== undefined) {
      setReason(one)
      setDigit(key)
      setNeedsReason(false)
    } else if (key === 'Enter') form.current?.requestSubmit()
    else if (key === 'Tab' && !event.shiftKey) intoText()
    else if (key.length === 1) {
      // The digit was the start of a free-text reason.
      if (digit !== '') setReason(null)
      setDigit('')
      intoText(words + digit + key)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setNeedsReason(fullReason === '')
    if (fullReason === '' || !first) return intoText()
    void (rows.length === 1
      ? decisions.reject(first, fullReason, onDone)
      : decisions.rejectAll(rows, fullReason, onDone))
  }

  return (
    <Stack as="form" ref={form} gap={4} onSubmit={submit} onKeyDown={sendByKeys} noValidate>
      <Row
        ref={reasons}
        data-first
        role="group"
        tabIndex={-1}
        aria-label="Often said"
        onKeyDown={pressed}
      >
        {REJECTION_REASONS.map((one, i) => (
          <Chip
            key={one}
            pressed={reason === one}
            onPress={() => {
              setDigit('')
              setReason(reason === one ? null : one)
              setNeedsReason(false)
            }}
          >
            <ButtonKey>{i + 1}</ButtonKey> {one}
          </Chip>
        ))}
      </Row>
      <TextField
        label={reason === null ? 'Reason' : 'More words'}
        optional={reason !== null}
        name="reason"
        rows={2}
        maxLength={LONGEST_COMMENT - (reason?.length ?? 0) - 2}
        value={words}
        hint={
          reason === null
            ? 'The submitter sees this on their receipt, and in a notice if they asked for one.'
            : `The submitter sees: ${fullReason}`
        }
        fault={needsReason ? 'Please give a reason.' : fault}
        onChange={(next) => {
          setWords(next)
          setNeedsReason(false)
          forget()
        }}
      />
      {failed !== null && fault === undefined && first && (
        <Failure message={DASHBOARDS[first.asset_type].failed('reject', failed)} />
      )}
      <Row gap={3} justify="end" whole>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="bad" aria-disabled={isBusy}>
          {isBusy
            ? 'Rejecting...'
            : rows.length === 1
              ? 'Reject'
              : `Reject ${plural(rows.length, 'submission')}`}
        </Button>
      </Row>
    </Stack>
  )
}

import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { REJECTION_REASONS } from '#domain/rejection.ts'
import { LONGEST_COMMENT } from '#contracts/review.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { useSendByKeys } from './use-send-by-keys.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'
import { Chip } from '#web/ui/chip.tsx'

const NEED_REASON = 'Please give a reason.'

/** Asks for the reason of a rejection. What was typed stays when the server refuses. */
export function RejectForm({
  count = 1,
  onReject,
  failureText,
  onCancel,
}: {
  readonly count?: number
  /** Rejects; throws what went wrong. */
  readonly onReject: (reason: string) => Promise<void>
  /** What is said when it fails. */
  readonly failureText: (error: unknown) => string
  readonly onCancel: () => void
}) {
  const [reason, setReason] = useState('')
  const [needsReason, setNeedsReason] = useState(false)
  const { run, isBusy, failed, forget } = useChange()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  useSendByKeys()
  // A digit alone is one of the reasons; with anything after it, it begins a reason of one's own.
  const said = REJECTION_REASONS[Number(reason) - 1] ?? reason.trim()
  function choose(one: string): void {
    setReason(one)
    setNeedsReason(false)
    forget()
    field.current?.focus()
  }

  const fault = failed?.fields['admin_comment'] ?? failed?.fields['reason']

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setNeedsReason(said === '')
    if (said === '') field.current?.focus()
    else void run(() => onReject(said))
  }

  return (
    <Stack as="form" gap={4} onSubmit={submit} noValidate>
      <Row role="group" aria-label="Often said">
        {REJECTION_REASONS.map((one, i) => (
          <Chip key={one} pressed={said === one} onPress={() => choose(one)}>
            <kbd className="by-keyboard" aria-hidden="true">
              {i + 1}
            </kbd>{' '}
            {one}
          </Chip>
        ))}
      </Row>
      <Field
        label="Reason"
        hint="The submitter sees this on their receipt, and in a notice if they asked for one."
        fault={needsReason ? NEED_REASON : fault}
      >
        {(control) => (
          <textarea
            {...control}
            ref={field}
            name="reason"
            rows={3}
            maxLength={LONGEST_COMMENT}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {failed !== null && fault === undefined && (
        <Callout tone="bad" role="alert">
          {failureText(failed)}
        </Callout>
      )}
      <Row gap={3} justify="end" whole>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="bad" aria-disabled={isBusy}>
          {isBusy ? 'Rejecting...' : count === 1 ? 'Reject' : `Reject ${String(count)} submissions`}
        </Button>
      </Row>
    </Stack>
  )
}

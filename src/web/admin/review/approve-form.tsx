import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from 'react'
import { type z } from 'zod'
import {
  isGraveWarning,
  LONGEST_COMMENT,
  type ApproveBody,
  type SubmissionRow,
} from '#contracts/review.ts'
import { type PublicTextKind } from '#domain/claim/public-text.ts'
import { dayOfTime, isoDay, type DatePrecision } from '#domain/day.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { type Detail, type DryRun } from './calls.ts'
import { NEW_INFLUENCER } from './edit-fields.ts'
import page from '#web/ui/admin-page.module.css'
import css from './edit-form.module.css'
import { InfluencerChoice } from './influencer-choice.tsx'
import { PublicPreview } from './public-preview.tsx'
import { PublicTextInputs } from './public-text-inputs.tsx'
import { useSendByKeys } from './use-send-by-keys.ts'
import { Row, Stack } from '#web/ui/stack.tsx'

/** What approving adds to a submission. What was not touched is left to the server. */
export type Approval = {
  /** Null: the first person suggested. */
  readonly influencer: string | null
  readonly comment: string | null
  readonly start: string | null
  readonly end: string | null
  /** Null: as exactly as the submission says. */
  readonly made: DatePrecision | null
  readonly target: DatePrecision
  /** The public text; empty for none. */
  readonly quote: string
  readonly quoteKind: PublicTextKind
}

export const NEW_APPROVAL: Approval = {
  influencer: null,
  comment: null,
  start: null,
  end: null,
  made: null,
  target: 'day',
  quote: '',
  quoteKind: 'summary',
}

/** Whose prediction it will be: who was chosen, else who is noted or surely meant; empty for a new influencer. */
export function influencerOf(approval: Approval, { submission, suggestions }: Detail): string {
  if (approval.influencer !== null) return approval.influencer
  if (submission.new_influencer) return NEW_INFLUENCER
  const sure = suggestions.find(({ is_sure: isSure }) => isSure)
  const known = submission.existing_influencer_id ?? sure?.id
  return known?.toString() ?? ''
}

export function approveBody(approval: Approval, detail: Detail): z.input<typeof ApproveBody> {
  const influencer = influencerOf(approval, detail)
  const isNew = influencer === NEW_INFLUENCER
  return {
    influencer_id: isNew ? '' : influencer,
    ...(isNew || detail.submission.new_influencer ? { new_influencer: isNew } : {}),
    start_date: approval.start,
    end_date: approval.end,
    made_precision: approval.made ?? detail.submission.made_precision,
    target_precision: approval.target,
    ...(approval.quote.trim() === ''
      ? {}
      : { quote: approval.quote, quote_kind: approval.quoteKind }),
    ...(approval.comment === null ? {} : { admin_comment: approval.comment }),
  }
}

const PRECISIONS: readonly (readonly [DatePrecision, string])[] = [
  ['day', 'Day'],
  ['month', 'Month'],
  ['year', 'Year'],
]

/** The last step before a submission is public. */
export function ApproveForm({
  row,
  detail,
  approval,
  run,
  isJudging,
  isBusy,
  faults,
  onChange,
  onApprove,
  onCancel,
}: {
  readonly row: SubmissionRow
  readonly detail: Detail
  readonly approval: Approval
  readonly run: DryRun | undefined
  /** The dry run of these fields is on its way: nothing is approved unseen. */
  readonly isJudging: boolean
  readonly isBusy: boolean
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (changed: Partial<Approval>) => void
  readonly onApprove: () => void
  readonly onCancel: () => void
}) {
  const send = useRef<HTMLButtonElement>(null)
  const [today] = useState(() => isoDay(dayOfTime(Date.now())))
  const cancel = useRef<HTMLButtonElement>(null)
  const isBlocked = isBusy || isJudging
  const isGrave = run?.warnings.some(isGraveWarning) ?? false
  const begin = useEffectEvent(() => {
    const first = isGrave ? cancel : send
    first.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    // After the dialog has put the focus where it begins.
    const frame = requestAnimationFrame(() => begin())
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    // Enter, pressed as ever, does not publish what should be looked at first; who types is left where they are.
    const { activeElement } = document
    if (isGrave && (activeElement === send.current || activeElement === document.body)) begin()
  }, [isGrave])
  useSendByKeys()

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (!isBlocked) onApprove()
  }

  return (
    <Stack as="form" gap={6} onSubmit={submit} noValidate>
      <PublicPreview run={run} isJudging={isJudging} />
      <div className={page.form}>
        <PublicTextInputs
          notes={row.notes}
          quote={approval.quote}
          quoteKind={approval.quoteKind}
          fault={faults['quote'] ?? run?.fields['quote']}
          onChange={onChange}
        />
        <div className={page.whole}>
          <InfluencerChoice
            value={influencerOf(approval, detail)}
            name={row.expert_name}
            suggestions={detail.suggestions}
            sentence={run?.influencer?.sentence ?? null}
            fault={faults['influencer_id'] ?? run?.fields['influencer_id']}
            onChoose={(influencer) => onChange({ influencer })}
          />
        </div>
        <DateField
          label="Start date"
          name="start_date"
          hint="Leave this at today to count from the day after the prediction was made."
          fault={faults['start_date']}
          value={approval.start ?? today}
          onChange={(start) => onChange({ start })}
        />
        <DateField
          label="End date"
          name="end_date"
          hint="The target date, unless you set another."
          fault={faults['end_date'] ?? faults['target_time']}
          value={approval.end ?? row.target_time}
          onChange={(end) => onChange({ end })}
        />
        <Choice
          label="Date known to the"
          name="made_precision"
          options={PRECISIONS}
          value={approval.made ?? row.made_precision}
          onChange={(made) => onChange({ made })}
        />
        <Choice
          label="Target date known to the"
          name="target_precision"
          options={PRECISIONS}
          value={approval.target}
          onChange={(target) => onChange({ target })}
        />
        <div className={page.whole}>
          <Field label="Comment" optional fault={faults['admin_comment']}>
            {(control) => (
              <textarea
                {...control}
                name="admin_comment"
                rows={2}
                maxLength={LONGEST_COMMENT}
                value={approval.comment ?? row.admin_comment ?? ''}
                onChange={(event) => onChange({ comment: event.target.value })}
              />
            )}
          </Field>
        </div>
      </div>
      <Row fill gap={3} justify="end" className={css.buttons}>
        <Button ref={cancel} onClick={onCancel}>
          Cancel
        </Button>
        <Button ref={send} look="primary" type="submit" aria-disabled={isBlocked}>
          {isBusy
            ? 'Approving...'
            : isJudging
              ? 'Judging...'
              : isGrave
                ? 'Approve anyway'
                : 'Approve'}
        </Button>
      </Row>
    </Stack>
  )
}

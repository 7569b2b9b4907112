import { useState, type SubmitEvent } from 'react'
import { savePredictionDate, type SubmissionRow } from '#contracts/review.ts'
import { readDay, showDay } from '#domain/day.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import css from './made-date-form.module.css'
import { useChange } from '#web/ui/use-change.ts'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const SAVED = 'Prediction date saved successfully!'
const FAILED = 'Error saving prediction date. Please try again.'

/** The day a prediction was really made, as it is typed, and its own saving. */
export function useMadeDate({
  base,
  onSaved,
  onFailed,
}: {
  readonly base: SubmissionRow
  readonly onSaved: (row: SubmissionRow) => void
  /** Another administrator may have changed it. */
  readonly onFailed: () => void
}) {
  const stored = base.prediction_made ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const { run, isBusy, failed, forget } = useChange({ onFailed })
  const made = typed ?? stored
  return {
    made,
    isTyped: made !== stored && made !== '',
    isSaved,
    isBusy,
    fault: failed ? (failed.fields['prediction_made'] ?? FAILED) : undefined,
    type(day: string): void {
      setTyped(day)
      setSaved(false)
      forget()
    },
    /** @param then called with what is stored now */
    async save(day: string, then?: (row: SubmissionRow) => void): Promise<void> {
      setSaved(false)
      await run(async () => {
        const body = { prediction_made: day, version: base.version }
        const reply = await adminCall(savePredictionDate, { params: { id: base.id }, body })
        setTyped(null)
        setSaved(true)
        onSaved(reply.submission)
        then?.(reply.submission)
      })
    },
  }
}

/** The field for it (administrator-tools.md §7). */
export function MadeDateForm({
  base,
  date,
  isPublished,
}: {
  readonly base: SubmissionRow
  readonly date: ReturnType<typeof useMadeDate>
  readonly isPublished: boolean
}) {
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    void date.save(date.made)
  }

  return (
    <Row as="form" align="end" className={css.form} onSubmit={submit} noValidate>
      <DateField
        label="Prediction made"
        name="prediction_made"
        hint={isPublished ? undefined : knownText(base)}
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
        {date.isSaved && SAVED}
      </Text>
    </Row>
  )
}

/** That only a month or a year was named. */
function knownText({ prediction_made: made, made_precision: precision }: SubmissionRow) {
  const day = made === null ? null : readDay(made)
  if (day === null || precision === 'day') return undefined
  return `Only the ${precision} is known, ${showDay(day, precision)}: it counts from the last day of it, or from the day it was submitted. Save a day here if you know it.`
}

import { useState, type SubmitEvent } from 'react'
import { savePredictionDate, type SubmissionRow } from '#contracts/review.ts'
import { isoDay, readDay, showDay } from '#domain/day.ts'
import { postDay } from '#domain/posts/post-url.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import css from './made-date-form.module.css'
import { useChange } from '#web/ui/use-change.ts'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const SAVED = 'Prediction date saved successfully!'
const FAILED = 'Error saving prediction date. Please try again.'

/** The day a prediction was really made, saved on its own (administrator-tools.md §7). */
export function MadeDateForm({
  base,
  isPublished,
  onSaved,
  onFailed,
}: {
  readonly base: SubmissionRow
  readonly isPublished: boolean
  readonly onSaved: (row: SubmissionRow) => void
  /** Another administrator may have changed it. */
  readonly onFailed: () => void
}) {
  const stored = base.prediction_made ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [isSaved, setSaved] = useState(false)
  const change = useChange({ onFailed })
  const made = typed ?? stored
  const posted = isPublished ? null : postedBefore(base)

  function type(day: string): void {
    setTyped(day)
    setSaved(false)
    change.forget()
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setSaved(false)
    void change.run(async () => {
      const body = { prediction_made: made, version: base.version }
      const reply = await adminCall(savePredictionDate, { params: { id: base.id }, body })
      setTyped(null)
      setSaved(true)
      onSaved(reply.submission)
    })
  }

  return (
    <Row as="form" align="end" className={css.form} onSubmit={submit} noValidate>
      <DateField
        label="Prediction made"
        name="prediction_made"
        hint={isPublished ? undefined : knownText(base)}
        fault={change.failed ? (change.failed.fields['prediction_made'] ?? FAILED) : undefined}
        disabled={isPublished}
        value={made}
        onChange={type}
      />
      {!isPublished && (
        <Button type="submit" disabled={made === stored || made === ''}>
          {change.isBusy ? 'Saving...' : 'Save date'}
        </Button>
      )}
      <Text tone="good" size="small" role="status">
        {isSaved && SAVED}
      </Text>
      {posted !== null && made !== posted.iso && (
        <Text tone="quiet" size="small">
          The post was made on {posted.shown}.{' '}
          <Button onClick={() => type(posted.iso)}>Take this day</Button>
        </Text>
      )}
    </Row>
  )
}

/** That only a month or a year was named. */
function knownText({ prediction_made: made, made_precision: precision }: SubmissionRow) {
  const day = made === null ? null : readDay(made)
  if (day === null || precision === 'day') return undefined
  return `Only the ${precision} is known, ${showDay(day, precision)}: it counts from the last day of it, or from the day it was submitted. Save a day here if you know it.`
}

/** The day of the post that it was said in, by the number in its link; null where that does not lie before it was handed in. */
function postedBefore({
  source_url: url,
  created_at: handedIn,
}: SubmissionRow): { iso: string; shown: string } | null {
  const day = url === null ? null : postDay(url)
  const last = readDay(handedIn.slice(0, 10))
  if (day === null || last === null || day > last) return null
  return { iso: isoDay(day), shown: showDay(day) }
}

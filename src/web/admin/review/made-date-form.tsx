import { useState, type SubmitEvent } from 'react'
import { savePredictionDate, type SubmissionRow } from '#contracts/review.ts'
import { isoDay, readDay, showDay } from '#domain/day.ts'
import { postDay } from '#domain/posts/post-url.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import css from './made-date-form.module.css'
import { faultsOf } from './use-decisions.ts'
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
  /** It failed without a message for the field. */
  readonly onFailed: (error: unknown) => void
}) {
  const stored = base.prediction_made ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [said, setSaid] = useState<{ ok: boolean; text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const made = typed ?? stored
  const posted = isPublished ? null : postedBefore(base)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setSaid(null)
    try {
      const body = { prediction_made: made, version: base.version }
      const reply = await adminCall(savePredictionDate, { params: { id: base.id }, body })
      setTyped(null)
      setSaid({ ok: true, text: SAVED })
      onSaved(reply.submission)
    } catch (error) {
      setSaid({ ok: false, text: faultsOf(error)['prediction_made'] ?? FAILED })
      onFailed(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Row
      as="form"
      align="end"
      className={css.form}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <Field
        label="Prediction made"
        hint={isPublished ? undefined : knownText(base)}
        fault={said?.ok === false ? said.text : undefined}
      >
        {(control) => (
          <input
            {...control}
            name="prediction_made"
            type="date"
            disabled={isPublished}
            value={made}
            onChange={(event) => {
              setTyped(event.target.value)
              setSaid(null)
            }}
          />
        )}
      </Field>
      {!isPublished && (
        <Button type="submit" disabled={made === stored || made === ''}>
          {isBusy ? 'Saving...' : 'Save date'}
        </Button>
      )}
      <Text tone="good" size="small" role="status">
        {said?.ok && said.text}
      </Text>
      {posted !== null && made !== posted.iso && (
        <Text tone="quiet" size="small">
          The post was made on {posted.shown}.{' '}
          <Button
            onClick={() => {
              setTyped(posted.iso)
              setSaid(null)
            }}
          >
            Take this day
          </Button>
        </Text>
      )}
    </Row>
  )
}

/** That only a month or a year was named. */
function knownText({ prediction_made: made, made_precision: precision }: SubmissionRow) {
  const day = made === null ? null : readDay(made)
  if (day === null || precision === 'day') return undefined
  return `Only the ${precision} is known, ${showDay(day, precision)}; it counts as said on its last day, or on the day it was submitted. A day saved here counts as that very day.`
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

import { TYPE_OPTIONS, levelInputs } from '#domain/claim/form-text.ts'
import { type LevelField } from '#domain/claim/fields.ts'
import { useEffect, useRef, type SubmitEvent } from 'react'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { placeholderOf } from '#domain/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { Field } from '#web/ui/field.tsx'
import { type Detail } from './calls.ts'
import css from './edit-form.module.css'
import { readBack, type Draft, type EditFields } from './edit-fields.ts'
import { InfluencerChoice } from './influencer-choice.tsx'
import { OUTCOME_OPTIONS, STATUS_OPTIONS } from './row-texts.ts'
import { useSendByKeys } from './use-send-by-keys.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'

type TextField = 'expert_name' | 'twitter_handle' | 'nostr_npub' | 'source_url' | 'submitter_email'

/** All fields of a submission, to be changed. Numbers are shown back as they are read before anything is saved. */
export function EditForm({
  fields,
  faults,
  suggestions,
  influencerSentence,
  isPublished,
  isChanged,
  isBusy,
  onChange,
  onSave,
  onCancel,
}: {
  readonly fields: EditFields
  readonly faults: Readonly<Record<string, string>>
  readonly suggestions: Detail['suggestions']
  readonly influencerSentence: string | null
  /** It has become a prediction: what it said is corrected there. */
  readonly isPublished: boolean
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly onChange: (changed: Draft) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // Who pressed a button stays there: on glass, a field would bring the keyboard up before anything was read.
    const begin = (): void => {
      if (document.activeElement?.hasAttribute('aria-pressed')) return
      form.current?.querySelector('input')?.focus({ preventScroll: true })
    }
    // At once, as the dialog takes a focus that is lost with another mode; and after it has put it where it begins.
    begin()
    const frame = requestAnimationFrame(begin)
    return () => cancelAnimationFrame(frame)
  }, [])
  useSendByKeys()
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (!isBusy) onSave()
  }

  const text = (
    field: TextField,
    label: string,
    more: { type?: string; optional?: boolean } = {},
  ) => (
    <Field label={label} optional={more.optional ?? false} fault={faults[field]}>
      {(control) => (
        <input
          {...control}
          name={field}
          type={more.type ?? 'text'}
          autoComplete="off"
          spellCheck={false}
          value={fields[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  )
  const level = (field: LevelField, label: string) => (
    <Field key={field} label={label} hint={levelHint(fields[field])} fault={faults[field]}>
      {(control) => (
        <input
          {...control}
          name={field}
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholderOf(fields.asset_type)}
          value={fields[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  )

  return (
    <Stack as="form" gap={6} ref={form} onSubmit={submit} noValidate>
      {isPublished && (
        <Callout tone="quiet">
          It has been published: what it says is corrected on the prediction. Here the outcome note
          and the comment can be changed.
        </Callout>
      )}
      <fieldset className={css.set} disabled={isPublished}>
        <legend className="aside-voice">The prediction</legend>
        {text('expert_name', 'Expert name')}
        {text('twitter_handle', 'Twitter handle', { optional: true })}
        <Choice
          label="Prediction type"
          name="prediction_type"
          value={fields.prediction_type}
          options={TYPE_OPTIONS}
          onChange={(prediction_type) => onChange({ prediction_type })}
        />
        {levelInputs(fields.prediction_type).map(({ name, label }) => level(name, label))}
        <Field label="Target date" fault={faults['target_time']}>
          {(control) => (
            <input
              {...control}
              name="target_time"
              type="date"
              value={fields.target_time}
              onChange={(event) => onChange({ target_time: event.target.value })}
            />
          )}
        </Field>
        <Choice
          label="Asset"
          name="asset_type"
          value={fields.asset_type}
          options={ASSET_KEYS.map((key) => [key, ASSETS[key].pickerLabel])}
          onChange={(asset_type) => onChange({ asset_type })}
        />
        {text('source_url', 'Source', { type: 'url', optional: true })}
        {text('nostr_npub', 'Nostr key', { optional: true })}
        {text('submitter_email', 'E-mail of the submitter', { type: 'email', optional: true })}
        <div className={css.whole}>
          <Field label="Notes" optional fault={faults['notes']}>
            {(control) => (
              <textarea
                {...control}
                name="notes"
                rows={4}
                value={fields.notes}
                onChange={(event) => onChange({ notes: event.target.value })}
              />
            )}
          </Field>
        </div>
        <div className={css.whole}>
          <InfluencerChoice
            value={fields.existing_influencer_id}
            name={fields.expert_name}
            suggestions={suggestions}
            sentence={influencerSentence}
            fault={faults['existing_influencer_id']}
            onChoose={(existing_influencer_id) => onChange({ existing_influencer_id })}
          />
        </div>
      </fieldset>
      <fieldset className={css.set}>
        <legend className="aside-voice">The review</legend>
        <Choice
          label="Status"
          name="status"
          value={fields.status}
          options={STATUS_OPTIONS}
          disabled={isPublished}
          hint={isPublished ? null : STATUS_HINTS[fields.status]}
          fault={faults['status']}
          onChange={(status) => onChange({ status })}
        />
        <Choice
          label="Prediction outcome"
          name="prediction_outcome"
          value={fields.prediction_outcome}
          options={OUTCOME_OPTIONS}
          hint="A note for administrators; the verdict follows the prices."
          fault={faults['prediction_outcome']}
          onChange={(prediction_outcome) => onChange({ prediction_outcome })}
        />
        <div className={css.whole}>
          <Field label="Admin comment" optional fault={faults['admin_comment']}>
            {(control) => (
              <textarea
                {...control}
                name="admin_comment"
                rows={2}
                value={fields.admin_comment}
                onChange={(event) => onChange({ admin_comment: event.target.value })}
              />
            )}
          </Field>
        </div>
      </fieldset>
      <Row gap={3} justify="end" className={css.buttons}>
        <Button onClick={onCancel}>{isChanged ? 'Discard changes' : 'Cancel'}</Button>
        <Button look="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Saving...' : 'Save'}
        </Button>
      </Row>
    </Stack>
  )
}

const STATUS_HINTS: Readonly<Record<EditFields['status'], string | null>> = {
  unpaid: null,
  pending: null,
  approved: 'Saving publishes it with the defaults; Approve lets you look at the outcome first.',
  rejected: 'Saving rejects it; the comment is the reason its submitter reads.',
}

/** `read as $100,000` */
function levelHint(text: string): string | null {
  if (text.trim() === '') return null
  const read = readBack(text)
  return read === null ? null : `read as ${read}`
}

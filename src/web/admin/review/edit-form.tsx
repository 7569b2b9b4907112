import { useEffect, type RefObject } from 'react'
import { type UseFormReturn } from 'react-hook-form'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import {
  DIRECTION_OPTIONS,
  levelInputs,
  TIMING_QUESTION,
  TYPE_OPTIONS,
} from '#domain/claim/form-text.ts'
import { placeholderOf } from '#domain/submission.ts'
import { faultAt, SelectInput, TextInput } from '#web/claim-form/inputs.tsx'
import { TimingInput } from '#web/claim-form/timing-input.tsx'
import { DayInput } from '#web/claim-form/day-input.tsx'
import { SourceInputs } from '#web/claim-form/source-inputs.tsx'
import { levelHint } from '#web/claim-form/values.ts'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'
import { type Detail } from './calls.ts'
import { type EditField, type EditValues } from './edit-fields.ts'
import page from '#web/ui/admin-page.module.css'
import css from './edit-form.module.css'
import { InfluencerChoice } from './influencer-choice.tsx'
import { OUTCOME_OPTIONS, STATUS_OPTIONS } from './row-texts.ts'
import { useSendByKeys } from './use-send-by-keys.ts'

type Inputs = {
  readonly form: UseFormReturn<EditValues>
  readonly values: EditValues
  /** What is found to be wrong while it is typed. */
  readonly faults: Readonly<Record<string, string>>
  /** It has become a prediction: what it said is corrected there. */
  readonly isPublished: boolean
}

/** All fields of a submission, to be changed. Numbers are shown back as they are read before anything is saved. */
export function EditForm({
  element,
  suggestions,
  influencerSentence,
  isChanged,
  isBusy,
  onSave,
  onCancel,
  ...inputs
}: Inputs & {
  readonly element: RefObject<HTMLFormElement | null>
  readonly suggestions: Detail['suggestions']
  readonly influencerSentence: string | null
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly onSave: () => void
  readonly onCancel: () => void
}) {
  useEffect(() => {
    // Who pressed a button stays there: on glass, a field would bring the keyboard up before anything was read.
    const begin = (): void => {
      if (document.activeElement?.hasAttribute('aria-pressed')) return
      element.current?.querySelector('input')?.focus({ preventScroll: true })
    }
    // At once, as the dialog takes a focus that is lost with another mode; and after it has put it where it begins.
    begin()
    const frame = requestAnimationFrame(begin)
    return () => cancelAnimationFrame(frame)
  }, [element])
  useSendByKeys()

  return (
    <Stack
      as="form"
      gap={6}
      ref={element}
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
      noValidate
    >
      {inputs.isPublished && (
        <Callout tone="quiet">
          It is published: correct what it says on the prediction itself. Here you can change the
          outcome note and the comment.
        </Callout>
      )}
      <PredictionInputs
        {...inputs}
        suggestions={suggestions}
        influencerSentence={influencerSentence}
      />
      <ReviewInputs {...inputs} />
      <Row fill gap={3} justify="end" className={css.buttons}>
        <Button onClick={onCancel}>{isChanged ? 'Discard changes' : 'Cancel'}</Button>
        <Button look="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Saving...' : 'Save'}
        </Button>
      </Row>
    </Stack>
  )
}

/** What was said, by whom, and where it can be read. */
function PredictionInputs({
  form,
  values,
  faults,
  isPublished,
  suggestions,
  influencerSentence,
}: Inputs & {
  readonly suggestions: Detail['suggestions']
  readonly influencerSentence: string | null
}) {
  const field = inputOf(form, faults)
  return (
    <fieldset className={page.form} disabled={isPublished}>
      <legend className="aside-voice">The prediction</legend>
      <TextInput {...field('expert_name', 'Expert name')} />
      <TextInput {...field('twitter_handle', 'Twitter handle')} optional />
      <SelectInput {...field('prediction_type', 'Prediction type')} options={TYPE_OPTIONS} />
      {levelInputs(values.prediction_type).map(({ name, label }) => (
        <TextInput
          key={name}
          {...field(name, label)}
          inputMode="decimal"
          placeholder={placeholderOf(values.asset_type)}
          hint={levelHint(values[name])}
        />
      ))}
      <DayInput {...field('target_time', 'Target date')} />
      <TimingInput {...field('timing', TIMING_QUESTION)} type={values.prediction_type} />
      <SelectInput {...field('direction', 'Direction')} options={DIRECTION_OPTIONS} />
      <SelectInput {...field('asset_type', 'Asset')} options={ASSET_OPTIONS} />
      <TextInput {...field('nostr_npub', 'Nostr key')} optional />
      <TextInput {...field('submitter_email', 'E-mail of the submitter')} type="email" optional />
      <SourceInputs form={form} values={values} faults={faults} />
      <div className={page.whole}>
        <TextInput
          {...field('notes', 'Notes of the submitter')}
          hint="For reviewers; never published."
          rows={4}
          optional
        />
      </div>
      <div className={page.whole}>
        <InfluencerChoice
          value={values.existing_influencer_id}
          name={values.expert_name}
          suggestions={suggestions}
          sentence={influencerSentence}
          fault={faultAt(form, 'existing_influencer_id') ?? faults['existing_influencer_id']}
          onChoose={(id) => {
            form.clearErrors('existing_influencer_id')
            form.setValue('existing_influencer_id', id)
          }}
        />
      </div>
    </fieldset>
  )
}

/** What an administrator decides and notes. */
function ReviewInputs({ form, values, faults, isPublished }: Inputs) {
  const field = inputOf(form, faults)
  return (
    <fieldset className={page.form}>
      <legend className="aside-voice">The review</legend>
      <SelectInput
        {...field('status', 'Status')}
        options={STATUS_OPTIONS}
        disabled={isPublished}
        hint={isPublished ? null : STATUS_HINTS[values.status]}
      />
      <SelectInput
        {...field('prediction_outcome', 'Prediction outcome')}
        options={OUTCOME_OPTIONS}
        hint="A note for administrators; the verdict follows the prices."
      />
      <div className={page.whole}>
        <TextInput {...field('admin_comment', 'Admin comment')} rows={2} optional />
      </div>
    </fieldset>
  )
}

function inputOf(form: UseFormReturn<EditValues>, faults: Inputs['faults']) {
  return (name: EditField, label: string) => ({ form, name, label, fault: faults[name] })
}

const ASSET_OPTIONS = ASSET_KEYS.map((key) => [key, ASSETS[key].pickerLabel] as const)

const STATUS_HINTS: Readonly<Record<EditValues['status'], string | null>> = {
  unpaid: null,
  pending: null,
  approved: 'Saving publishes it with the defaults; Approve shows you the outcome first.',
  rejected: 'Saving rejects it; the comment is the reason the submitter sees.',
}

import { assetTexts } from '#domain/asset-texts.ts'
import { TIMING_QUESTION, TYPE_OPTIONS, levelInputs } from '#domain/claim/form-text.ts'
import { LEVEL_FIELDS } from '#domain/claim/fields.ts'
import { type RefObject } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { type SubmissionForm } from '#contracts/submissions.ts'
import { type Asset } from '#domain/asset.ts'
import { addDays, isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { readNumber } from '#domain/price-text.ts'
import { handleText } from '#web/address/addresses.ts'
import { DayInput } from '#web/claim-form/day-input.tsx'
import { faultAt, SelectInput, taken, TextInput } from '#web/claim-form/inputs.tsx'
import { TimingInput } from '#web/claim-form/timing-input.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { ExpertField } from './expert-field.tsx'
import { PastePost } from './paste-post.tsx'
import { madeIn, SaidField } from './said-field.tsx'
import css from './submit-form.module.css'
import { SubmissionPreview } from './submission-preview.tsx'
import { type Preview } from './use-preview.ts'
import { type SubmissionFormApi } from './use-submission-form.ts'
import { Columns, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Who said what, of when, and where it can be read. Paying comes after it. */
export function SubmitForm({
  element,
  asset,
  form,
  preview,
  today,
  fault,
  onValid,
}: {
  readonly element: RefObject<HTMLFormElement | null>
  readonly asset: Asset
  readonly form: SubmissionFormApi
  readonly preview: Preview | null
  readonly today: Day
  /** Why it could not go on. */
  readonly fault: string | null
  readonly onValid: (form: SubmissionForm) => Promise<void>
}) {
  return (
    <Columns
      as="form"
      gap={6}
      ref={element}
      noValidate
      aria-label={assetTexts(asset).submitTitle}
      onSubmit={(event) => void form.handleSubmit(onValid)(event)}
    >
      <Stack gap={4}>
        <PastePost asset={asset.key} form={form} today={today} />
        <ExpertName form={form} />
        <Said asset={asset} form={form} today={today} />
        <Source form={form} />
      </Stack>
      <Stack gap={4} className={css.side}>
        <SubmissionPreview preview={preview} today={today} />
        <Button look="primary" size="large" type="submit" disabled={form.formState.isSubmitting}>
          Continue to payment
        </Button>
        {fault && (
          <Text tone="bad" role="alert">
            {fault}
          </Text>
        )}
        <Text tone="quiet" size="small">
          An administrator reviews each submission before it goes live. While you type, the preview
          asks this site about the prediction; none of that is stored. A draft stays on this device
          until it is paid, and the address of its receipt for 90 days. The site stores the form
          once you create an invoice.
        </Text>
      </Stack>
    </Columns>
  )
}

function ExpertName({ form }: { readonly form: SubmissionFormApi }) {
  return (
    <Field label="Expert name" fault={faultAt(form, 'expert_name')}>
      {(control) => (
        <Controller
          control={form.control}
          name="expert_name"
          render={({ field }) => (
            <ExpertField
              control={control}
              inputRef={field.ref}
              value={field.value}
              onBlur={field.onBlur}
              onChange={(name) => field.onChange(taken(form, 'expert_name', name))}
              onChoose={({ x_handle: handle }) => {
                if (handle !== null) form.setValue('twitter_handle', handleText(handle))
              }}
            />
          )}
        />
      )}
    </Field>
  )
}

/** What was said: the level, by when, and since when. */
function Said({
  asset,
  form,
  today,
}: {
  readonly asset: Asset
  readonly form: SubmissionFormApi
  readonly today: Day
}) {
  const { errors, touchedFields } = form.formState
  const type = useWatch({ control: form.control, name: 'prediction_type' })
  const levels = useWatch({ control: form.control, name: LEVEL_FIELDS })
  const by = readDay(useWatch({ control: form.control, name: 'target_time' }))
  // An empty date, or one of a draft that has passed, is a rule to show, not a mistake yet.
  const made = madeIn(useWatch({ control: form.control, name: 'prediction_made' }), today)
  const isEarly = by !== null && by <= made
  const rule =
    made === today
      ? `Must be after today, ${showDay(today)}.`
      : `Must be after the day it was said, ${showDay(made)}.`
  const isTouched = touchedFields.target_time === true
  return (
    <>
      <SelectInput
        form={form}
        name="prediction_type"
        label="Prediction type"
        options={TYPE_OPTIONS}
        onChange={() => form.clearErrors(LEVEL_FIELDS)}
      />
      <div className={css.row}>
        {levelInputs(type).map(({ name, label }) => (
          <TextInput
            key={name}
            form={form}
            name={name}
            label={`${label} (USD)`}
            hint={readAs(levels[LEVEL_FIELDS.indexOf(name)] ?? '')}
            inputMode="decimal"
            placeholder={asset.placeholder}
          />
        ))}
        <DayInput
          form={form}
          name="target_time"
          label="Target date"
          min={isoDay(addDays(made, 1))}
          hint={by === null || (isEarly && !errors.target_time && !isTouched) ? rule : undefined}
          fault={isEarly && isTouched ? rule : undefined}
        />
      </div>
      <TimingInput form={form} name="timing" label={TIMING_QUESTION} type={type} />
      <SaidField form={form} today={today} />
    </>
  )
}

/** Where it can be read, and what else helps the reviewer. */
function Source({ form }: { readonly form: SubmissionFormApi }) {
  return (
    <>
      <TextInput
        form={form}
        name="source_url"
        label="Source address"
        optional
        type="url"
        placeholder="https://"
      />
      <div className={css.row}>
        <TextInput
          form={form}
          name="twitter_handle"
          label="X handle"
          optional
          placeholder="@name"
        />
        <TextInput
          form={form}
          name="nostr_npub"
          label="Nostr public key"
          optional
          placeholder="npub1..."
        />
      </div>
      <TextInput form={form} name="notes" label="Notes" optional rows={3} />
      <TextInput
        form={form}
        name="submitter_email"
        label="Your email"
        optional
        hint="For questions about this submission; never shown."
        type="email"
        autoComplete="email"
      />
    </>
  )
}

/** The number that was read from a price as people write it, shown back. */
function readAs(text: string): string | undefined {
  const usd = readNumber(text)
  return usd !== null && usd > 0 ? `Read as ${exactUsd(usd)}` : undefined
}

/** What was read, to the last digit: nothing may seem rounded. */
function exactUsd(usd: number): string {
  const minimumFractionDigits = Number.isInteger(usd) ? 0 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits: 20 })}`
}

import { TYPE_OPTIONS, levelInputs } from '#domain/claim/form-text.ts'
import { LEVEL_FIELDS, type LevelField } from '#domain/claim/fields.ts'
import { Controller, useWatch } from 'react-hook-form'
import { type Asset } from '#domain/asset.ts'
import { addDays, isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { readNumber } from '#domain/price-text.ts'
import { type SubmissionFields } from '#domain/submission.ts'
import { handleText } from '#web/address/addresses.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { ExpertField } from './expert-field.tsx'
import { PastePost } from './paste-post.tsx'
import { madeIn, SaidField } from './said-field.tsx'
import css from './submit-form.module.css'
import { SubmissionPreview } from './submission-preview.tsx'
import { type Preview } from './use-preview.ts'
import { taken, textField, type SubmissionFormApi } from './use-submission-form.ts'
import { Columns, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Who said what, of when, and where it can be read. Paying comes after it. */
export function SubmitForm({
  asset,
  form,
  preview,
  today,
  fault,
  onValid,
}: {
  readonly asset: Asset
  readonly form: SubmissionFormApi
  readonly preview: Preview | null
  readonly today: Day
  /** Why it could not go on. */
  readonly fault: string | null
  readonly onValid: (payload: SubmissionFields) => Promise<void>
}) {
  const { errors, touchedFields } = form.formState
  const type = useWatch({ control: form.control, name: 'prediction_type' })
  const by = readDay(useWatch({ control: form.control, name: 'target_time' }))
  // The form opens with today's date: that is a rule to be told, and no mistake yet.
  const made = madeIn(useWatch({ control: form.control, name: 'prediction_made' }), today)
  const isEarly = by !== null && by <= made
  const rule =
    made === today
      ? `Must be after today, ${showDay(today)}.`
      : `Must be after the day it was said, ${showDay(made)}.`
  const isTouched = touchedFields.target_time === true
  return (
    <Columns
      as="form"
      gap={6}
      noValidate
      aria-label={asset.texts.submitTitle}
      onSubmit={(event) => void form.handleSubmit(onValid)(event)}
    >
      <Stack gap={4}>
        <PastePost asset={asset.key} form={form} today={today} />
        <Field label="Expert name" fault={errors.expert_name?.message}>
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
        <Field label="Prediction type">
          {(control) => (
            <select {...control} {...form.register('prediction_type', { onChange: clearLevels })}>
              {TYPE_OPTIONS.map(([key, meaning]) => (
                <option key={key} value={key}>
                  {meaning}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className={css.row}>
          {levelInputs(type).map(({ name, label }) => (
            <Level key={name} {...{ asset, form, name }} label={`${label} (USD)`} />
          ))}
          <Field
            label="Target date"
            hint={isEarly && !errors.target_time && !isTouched ? rule : undefined}
            fault={errors.target_time?.message ?? (isEarly && isTouched ? rule : undefined)}
          >
            {(control) => (
              <input
                {...control}
                {...textField(form, 'target_time')}
                type="date"
                min={isoDay(addDays(made, 1))}
              />
            )}
          </Field>
        </div>
        <SaidField form={form} today={today} />
        <Field label="Source address" optional fault={errors.source_url?.message}>
          {(control) => (
            <input
              {...control}
              {...textField(form, 'source_url')}
              type="url"
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
            />
          )}
        </Field>
        <div className={css.row}>
          <Field label="X handle" optional fault={errors.twitter_handle?.message}>
            {(control) => (
              <input
                {...control}
                {...textField(form, 'twitter_handle')}
                placeholder="@name"
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Nostr public key" optional fault={errors.nostr_npub?.message}>
            {(control) => (
              <input
                {...control}
                {...textField(form, 'nostr_npub')}
                placeholder="npub1..."
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        </div>
        <Field label="Notes" optional fault={errors.notes?.message}>
          {(control) => <textarea {...control} {...textField(form, 'notes')} rows={3} />}
        </Field>
        <Field
          label="Your email"
          optional
          hint="For questions about this submission; never shown."
          fault={errors.submitter_email?.message}
        >
          {(control) => (
            <input
              {...control}
              {...textField(form, 'submitter_email')}
              type="email"
              inputMode="email"
              autoComplete="email"
            />
          )}
        </Field>
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
          An administrator reviews each submission before it goes live. The preview asks this site
          about the prediction while you type, and nothing of that is stored. A draft is kept on
          this device until it is paid, the address of its receipt for 90 days; the site stores the
          form once you create an invoice.
        </Text>
      </Stack>
    </Columns>
  )

  function clearLevels(): void {
    form.clearErrors(LEVEL_FIELDS)
  }
}

/** A price as people write it, with the number that was read from it shown back. */
function Level({
  asset,
  form,
  name,
  label,
}: {
  readonly asset: Asset
  readonly form: SubmissionFormApi
  readonly name: LevelField
  readonly label: string
}) {
  const text = useWatch({ control: form.control, name })
  const usd = readNumber(text)
  return (
    <Field
      label={label}
      hint={usd !== null && usd > 0 ? `Read as ${exactUsd(usd)}` : undefined}
      fault={form.formState.errors[name]?.message}
    >
      {(control) => (
        <input
          {...control}
          {...textField(form, name)}
          inputMode="decimal"
          autoComplete="off"
          placeholder={asset.placeholder}
        />
      )}
    </Field>
  )
}

/** What was read, to the last digit: nothing may look as if it had been rounded. */
function exactUsd(usd: number): string {
  const minimumFractionDigits = Number.isInteger(usd) ? 0 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits: 20 })}`
}

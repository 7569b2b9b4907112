import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { type z } from 'zod'
import { listExperts, type SubmissionForm } from '#contracts/submissions.ts'
import { assetTexts, type Asset } from '#domain/asset.ts'
import {
  TIMING_QUESTION,
  TYPE_OPTIONS,
  levelInputs,
  timingIn,
  timingOptions,
} from '#domain/claim/claim-input.ts'
import { levelsAt } from '#domain/claim/fields.ts'
import { readNumber } from '#domain/claim/written.ts'
import {
  readPartialDay,
  addDays,
  isoDay,
  readDay,
  showDay,
  type Day,
  type DatePrecision,
} from '#domain/day.ts'
import { foldName } from '#domain/people/name.ts'
import { readMade, SAID_TODAY } from '#domain/submission.ts'
import { handleText } from '#web/address/addresses.ts'
import { Button } from '#web/ui/button.tsx'
import { DateControl, DateField } from '#web/ui/date-field.tsx'
import { Choice, Field, Select, TextField } from '#web/ui/field.tsx'
import { useLoaded } from '#web/ui/loaded.tsx'
import { OfferedPeople } from '#web/ui/person-search.tsx'
import { Stack, Text, Failure, Note, sends, Tiles } from '#web/ui/primitives.tsx'
import { PastePost } from './paste-post.tsx'
import { SubmissionPreview, type Preview } from './submission-preview.tsx'
import { type SubmissionFormApi } from './use-submission-form.ts'
import css from './submit.module.css'

type FormProps = {
  readonly asset: Asset
  readonly form: SubmissionFormApi
  readonly today: Day
}

export function SubmitForm({
  element,
  asset,
  form,
  preview,
  today,
  fault,
  onValid,
}: FormProps & {
  readonly element: SubmissionFormApi['element']
  readonly preview: Preview | null
  readonly fault: string | null
  readonly onValid: (form: SubmissionForm) => Promise<void>
}) {
  return (
    <Tiles
      as="form"
      gap={6}
      least="half"
      ref={element}
      aria-label={assetTexts(asset).submitTitle}
      {...sends(() => form.submit(onValid))}
    >
      <Stack gap={4}>
        <Text>
          From 1 sat, paid by Lightning after this form; more sats count as votes. An administrator
          then reviews it. Once approved it is on the chart, and your receipt shows each step.
        </Text>
        <PastePost asset={asset.key} form={form} today={today} />
        <ExpertName form={form} />
        <MadeSection {...{ asset, form, today }} />
        <TextField
          {...form.field('source_url')}
          label="Source address"
          optional
          type="url"
          placeholder="https://"
        />
        <div className={css.row}>
          <TextField
            {...form.field('twitter_handle')}
            label="X handle"
            optional
            placeholder="@name"
          />
          <TextField
            {...form.field('nostr_npub')}
            label="Nostr public key"
            optional
            placeholder="npub1..."
          />
        </div>
        <TextField {...form.field('notes')} label="Notes" optional rows={3} />
        <TextField
          {...form.field('submitter_email')}
          label="Your email"
          optional
          hint="For questions about this submission; never shown."
          type="email"
          autoComplete="email"
        />
      </Stack>
      <Stack gap={4} className={css.side}>
        <SubmissionPreview preview={preview} today={today} />
        <Button look="primary" size="large" type="submit" disabled={form.isBusy}>
          Continue to payment
        </Button>
        <Failure message={fault} />
        <Note>
          Your draft stays on this device until you pay, and the address of its receipt for 90 days.
          We store the form only when you create an invoice.
        </Note>
      </Stack>
    </Tiles>
  )
}

function MadeSection({ asset, form, today }: FormProps) {
  const type = form.field('prediction_type')
  const target = form.field('target_time')
  const [isTouched, setTouched] = useState(false)
  const { values } = form
  const by = readDay(target.value)
  // An empty or past date, such as from a draft, is not an error before input.
  const made = madeIn(values.prediction_made, today)
  const isEarly = by !== null && by <= made
  const rule =
    made === today
      ? `Must be after today, ${showDay(today)}.`
      : `Must be after the day it was said, ${showDay(made)}.`
  return (
    <>
      <Choice
        {...type}
        label="Prediction type"
        options={TYPE_OPTIONS}
        onChange={(next) => {
          type.onChange(next)
          form.typed(levelsAt(() => ''))
        }}
      />
      <div className={css.row}>
        {levelInputs(values.prediction_type).map(({ name, label }) => (
          <TextField
            key={name}
            {...form.field(name)}
            label={`${label} (USD)`}
            hint={readAs(values[name])}
            inputMode="decimal"
            placeholder={asset.placeholder}
          />
        ))}
        <DateField
          {...target}
          label="Target date"
          min={isoDay(addDays(made, 1))}
          hint={by === null || (isEarly && !target.fault && !isTouched) ? rule : undefined}
          fault={target.fault ?? (isEarly && isTouched ? rule : undefined)}
          onBlur={() => setTouched(true)}
        />
      </div>
      <Choice
        {...form.field('timing')}
        label={TIMING_QUESTION}
        options={timingOptions(values.prediction_type)}
        value={timingIn(values.prediction_type, values.timing)}
      />
      <MadeField form={form} today={today} />
    </>
  )
}

/** Repeats the number as parsed, with all digits, so that nothing looks rounded. */
function readAs(text: string): string | undefined {
  const usd = readNumber(text)
  if (usd === null || usd <= 0) return undefined
  const digits = { minimumFractionDigits: Number.isInteger(usd) ? 0 : 2, maximumFractionDigits: 20 }
  return `Read as $${usd.toLocaleString('en-US', digits)}`
}

const KNOWN: readonly (readonly [DatePrecision, string])[] = [
  ['day', 'On a day'],
  ['month', 'In a month'],
  ['year', 'In a year'],
]

/** The date that counts as the day it was said; today while invalid. */
function madeIn(text: string, today: Day): Day {
  const read = text === SAID_TODAY ? null : readMade(text, today)
  return read === null || typeof read === 'string' ? today : read.day
}

function MadeField({ form, today }: Omit<FormProps, 'asset'>) {
  const { value: made, fault, onChange } = form.field('prediction_made')
  const [chosen, setChosen] = useState<DatePrecision>('day')
  const text = made === SAID_TODAY ? isoDay(today) : made
  // A complete date determines its precision; while typing, the choice stays.
  const precision = readPartialDay(text)?.precision ?? chosen

  const set = (next: string): void => onChange(next === isoDay(today) ? SAID_TODAY : next)

  function choose(next: DatePrecision): void {
    setChosen(next)
    const day = isoDay(madeIn(made, today))
    set(next === 'day' ? day : day.slice(0, next === 'month' ? 7 : 4))
  }

  return (
    <Field label="When was it said?" hint={hintOf(text, today)} fault={fault}>
      {(control) => (
        <div className={css.row}>
          <Select
            className={control.className}
            aria-label="How exactly is it known?"
            value={precision}
            options={KNOWN}
            onChange={choose}
          />
          {precision === 'day' ? (
            <DateControl
              control={control}
              name="prediction_made"
              value={text}
              max={isoDay(today)}
              onChange={set}
            />
          ) : (
            <input
              {...control}
              name="prediction_made"
              value={text}
              onChange={({ target }) => set(target.value)}
              autoComplete="off"
              {...inputOf(precision, today)}
            />
          )}
        </div>
      )}
    </Field>
  )
}

/** Browsers without a month picker show a text field. */
function inputOf(precision: 'month' | 'year', today: Day) {
  return precision === 'month'
    ? { type: 'month', max: isoDay(today).slice(0, 7), placeholder: '2024-08' }
    : ({ type: 'text', inputMode: 'numeric', maxLength: 4, placeholder: '2024' } as const)
}

/** The day a month or year counts as, so that no earlier price can prove the prediction. */
function hintOf(text: string, today: Day): string | undefined {
  const read = readMade(text, today)
  if (typeof read === 'string' || read.precision === 'day') return undefined
  return read.day === today
    ? 'Counts as said today, as it may have been said as late as that.'
    : `Counts as said on ${showDay(read.day)}, as it may have been said as late as that.`
}

const MOST = 8
type KnownExpert = z.infer<typeof listExperts.reply>[number]

/** The name of an expert, with suggestions from the record to avoid duplicates. */
function ExpertName({ form }: Pick<FormProps, 'form'>) {
  const { name, value, fault, onChange } = form.field('expert_name')
  // A name can be entered without suggestions, too.
  const { data: experts = [] } = useLoaded(listExperts)
  const [isOpen, setOpen] = useState(false)
  const folded = foldName(value)
  const found = experts
    .filter((one) => one.name !== value && folded !== '' && foldName(one.name).includes(folded))
    .slice(0, MOST)
  return (
    <Field label="Expert name" fault={fault}>
      {(control) => (
        <Autocomplete.Root
          // An open list hides everything else from screen readers, so an empty one must stay closed.
          open={isOpen && found.length > 0}
          onOpenChange={setOpen}
          mode="none"
          items={found}
          value={value}
          itemToStringValue={(one: KnownExpert) => one.name}
          onValueChange={(text, { reason }) => {
            // Escape closes the dialog; the draft keeps the input.
            if (reason === 'escape-key') return
            onChange(text)
            if (reason !== 'item-press') return
            const handle = experts.find((one) => one.name === text)?.x_handle ?? null
            if (handle !== null) form.set({ twitter_handle: handleText(handle) })
          }}
        >
          <Autocomplete.Input
            {...control}
            data-first
            name={name}
            autoComplete="off"
            spellCheck={false}
            placeholder="Who said it?"
          />
          <OfferedPeople
            label="Experts on record"
            keyOf={({ slug }: KnownExpert) => slug}
            besideOf={({ x_handle: handle }) => handle && handleText(handle)}
          />
        </Autocomplete.Root>
      )}
    </Field>
  )
}

import { useState } from 'react'
import { useController } from 'react-hook-form'
import { isoDay, showDay, type DatePrecision, type Day } from '#domain/day.ts'
import { readPartialDay } from '#domain/given-day.ts'
import { readMade, SAID_TODAY } from '#domain/submission.ts'
import { taken } from '#web/claim-form/inputs.tsx'
import { DateControl } from '#web/ui/date-field.tsx'
import { Field } from '#web/ui/field.tsx'
import css from './said-field.module.css'
import { type SubmissionFormApi } from './use-submission-form.ts'

const KNOWN: readonly (readonly [DatePrecision, string])[] = [
  ['day', 'On a day'],
  ['month', 'In a month'],
  ['year', 'In a year'],
]

/** The day that counts as the one it was said on; today while the field cannot be read. */
export function madeIn(text: string, today: Day): Day {
  const read = text === SAID_TODAY ? null : readMade(text, today)
  return read === null || typeof read === 'string' ? today : read.day
}

/** When it was said: today, or an earlier day, month or year. */
export function SaidField({
  form,
  today,
}: {
  readonly form: SubmissionFormApi
  readonly today: Day
}) {
  const { field } = useController({ control: form.control, name: 'prediction_made' })
  const [chosen, setChosen] = useState<DatePrecision>('day')
  const text = field.value === SAID_TODAY ? isoDay(today) : field.value
  // A whole date says how exactly it is known; while one is typed, the choice stays.
  const precision = readPartialDay(text)?.precision ?? chosen

  function set(next: string): void {
    const value = taken(form, 'prediction_made', next)
    field.onChange(value === isoDay(today) ? SAID_TODAY : value)
  }

  function choose(next: DatePrecision): void {
    setChosen(next)
    const made = isoDay(madeIn(field.value, today))
    set(next === 'day' ? made : made.slice(0, next === 'month' ? 7 : 4))
  }

  return (
    <Field
      label="When was it said?"
      hint={hintOf(text, today)}
      fault={form.formState.errors.prediction_made?.message}
    >
      {(control) => (
        <div className={css.said}>
          <select
            className={control.className}
            aria-label="How exactly is it known?"
            value={precision}
            onChange={({ target }) => {
              const known = KNOWN.find(([value]) => value === target.value)
              if (known) choose(known[0])
            }}
          >
            {KNOWN.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          {precision === 'day' ? (
            <DateControl
              control={control}
              inputRef={field.ref}
              name="prediction_made"
              value={text}
              max={isoDay(today)}
              onBlur={field.onBlur}
              onChange={set}
            />
          ) : (
            <input
              {...control}
              ref={field.ref}
              name="prediction_made"
              value={text}
              onBlur={field.onBlur}
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

/** Browsers without a picker of months take it as text. */
function inputOf(precision: 'month' | 'year', today: Day) {
  switch (precision) {
    case 'month':
      return { type: 'month', max: isoDay(today).slice(0, 7), placeholder: '2024-08' }
    case 'year':
      return { type: 'text', inputMode: 'numeric', maxLength: 4, placeholder: '2024' } as const
  }
}

/** What a month or a year counts as: nothing of before it was said may prove it. */
function hintOf(text: string, today: Day): string | undefined {
  const read = readMade(text, today)
  if (typeof read === 'string' || read.precision === 'day') return undefined
  return read.day === today
    ? 'Counts as said today, as it may have been said as late as that.'
    : `Counts as said on ${showDay(read.day)}, as it may have been said as late as that.`
}

import { useEffect, useRef, useState, type ComponentProps, type Ref } from 'react'
import { readTypedDay, isoDay, readDay, showDay } from '#domain/day.ts'
import { Field, type FieldControl, type FieldTexts } from './field.tsx'
import { Icon } from './icon.tsx'
import css from './field.module.css'

/** Typed text with the value it stands for; replaced when the value changes from outside. */
type Typed = { readonly text: string; readonly from: string; readonly means: string }

/**
 * A date input that uses dd/MM/yyyy in every browser, with a button for the native calendar.
 *
 * @see readTypedDay
 */
export function DateField({
  label,
  hint,
  fault,
  optional,
  ...control
}: Omit<DateControlProps, 'control' | 'onUnread'> & FieldTexts) {
  const [isUnread, setUnread] = useState(false)
  return (
    <Field
      {...{ label, hint, optional }}
      fault={isUnread ? 'Please enter a date such as 31/12/2027.' : fault}
    >
      {(field) => <DateControl {...control} control={field} onUnread={setUnread} />}
    </Field>
  )
}

/** `min` and `max` are ISO dates. */
type DateControlProps = Pick<ComponentProps<'input'>, 'name' | 'min' | 'max' | 'disabled'> & {
  readonly control: FieldControl
  /** ISO date, unreadable text, or empty. */
  readonly value: string
  /** Calls `onChange` with valid dates only, instead of also passing unreadable text for a form to reject. */
  readonly onlyDays?: boolean
  /** @param day ISO; empty if the input is empty */
  readonly onChange: (day: string) => void
  readonly onBlur?: () => void
  /** Called when unreadable input is left, and when it is corrected. */
  readonly onUnread?: (isUnread: boolean) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** The control of a {@link DateField}, for composite fields. */
export function DateControl({
  control,
  name,
  value,
  min,
  max,
  disabled,
  onlyDays = false,
  onChange,
  onBlur,
  onUnread,
  ref,
}: DateControlProps) {
  const [typed, setTyped] = useState<Typed | null>(null)
  const [isLeft, setLeft] = useState(true)
  const calendar = useRef<HTMLInputElement>(null)
  const isCurrent = typed !== null && (value === typed.means || value === typed.from)
  const text = isCurrent ? typed.text : displayText(value)
  const isUnread = text.trim() !== '' && readTypedDay(text) === null
  const isWrong = isLeft && isUnread
  useEffect(() => onUnread?.(isWrong), [isWrong, onUnread])

  function type(next: string): void {
    const means = meaningOf(next)
    setTyped({ text: next, from: value, means })
    if (means !== value && (!onlyDays || means === '' || readDay(means) !== null)) onChange(means)
  }

  return (
    <span className={css.signed}>
      <input
        {...control}
        ref={ref}
        name={name}
        type="text"
        inputMode="numeric"
        placeholder="dd/mm/yyyy"
        autoComplete="off"
        spellCheck={false}
        size={12}
        maxLength={20}
        disabled={disabled}
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setLeft(false)}
        onBlur={() => {
          setLeft(true)
          if (!isUnread) setTyped(null)
          onBlur?.()
        }}
      />
      {/* For pointers only; with a keyboard the date is typed. */}
      <input
        ref={calendar}
        className={css.calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        disabled={disabled}
        min={min}
        max={max}
        value={readDay(value) === null ? '' : value}
        onChange={(event) => type(displayText(event.target.value))}
      />
      <button
        type="button"
        className={css.sign}
        tabIndex={-1}
        aria-hidden
        title="Calendar"
        disabled={disabled}
        onClick={() => calendar.current?.showPicker?.()}
      >
        <Icon name="calendar" size={18} />
      </button>
    </span>
  )
}

function displayText(value: string): string {
  const day = readDay(value)
  return day === null ? value : showDay(day)
}

function meaningOf(text: string): string {
  const day = readTypedDay(text)
  return day === null ? text.trim() : isoDay(day)
}

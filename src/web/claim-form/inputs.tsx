import { type ChangeEvent, type KeyboardEvent, type ReactNode } from 'react'
import { type FieldValues, type Path, type UseFormReturn, useController } from 'react-hook-form'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { MESSAGES } from '#domain/submission.ts'
import { Field } from '#web/ui/field.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { timingIn, timingOptions } from '#domain/claim/claim-input.ts'
import { type PredictionType } from '#domain/claim/fields.ts'

type InputProps<Values extends FieldValues> = {
  readonly form: UseFormReturn<Values>
  readonly name: Path<Values>
  readonly label: string
  readonly hint?: ReactNode
  /** Faults found while typing; faults found on submit take precedence. */
  readonly fault?: string | undefined
  readonly optional?: boolean
  readonly disabled?: boolean
}

export function TextInput<Values extends FieldValues>({
  rows,
  disabled,
  type = 'text',
  onChange,
  ...field
}: InputProps<Values> & {
  readonly type?: 'text' | 'url' | 'email'
  readonly rows?: number
  readonly onChange?: () => void
  readonly placeholder?: string
  readonly inputMode?: 'decimal'
  readonly autoComplete?: 'email'
  readonly onKeyDown?: (event: KeyboardEvent) => void
}) {
  const { form, name, label, hint, fault, optional = false, ...more } = field
  return (
    <Field {...{ label, hint, optional }} fault={faultAt(form, name) ?? fault}>
      {(control) => {
        const shared = { ...control, ...bound(form, name, onChange), ...more, disabled }
        return rows === undefined ? (
          <input
            autoComplete="off"
            spellCheck={false}
            {...(type === 'url' || type === 'email' ? { inputMode: type } : {})}
            {...shared}
            type={type}
          />
        ) : (
          <textarea {...shared} rows={rows} />
        )
      }}
    </Field>
  )
}

/** A dropdown; only its options are valid values. */
export function SelectInput<Values extends FieldValues>({
  form,
  name,
  options,
  label,
  hint,
  fault,
  optional = false,
  disabled,
  onChange,
}: InputProps<Values> & {
  readonly options: readonly (readonly [string, string])[]
  readonly onChange?: () => void
}) {
  return (
    <Field {...{ label, hint, optional }} fault={faultAt(form, name) ?? fault}>
      {(control) => (
        <select
          {...control}
          {...form.register(name, {
            onChange: () => {
              form.clearErrors(name)
              onChange?.()
            },
          })}
          disabled={disabled}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function faultAt<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values>,
): string | undefined {
  return form.getFieldState(name, form.formState).error?.message
}

/**
 * The value to store for entered text; clears the field's fault. A secret key is rejected with an error, and the field
 * keeps its value.
 */
export function taken<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values>,
  text: string,
): string {
  form.clearErrors(name)
  if (!holdsSecretKey(text)) return text
  form.setError(name, { message: MESSAGES.secretKey })
  const before = String(form.getValues(name))
  return name === 'nostr_npub' || holdsSecretKey(before) ? '' : before
}

function bound<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values>,
  onChange?: () => void,
) {
  const registered = form.register(name, onChange && { onChange })
  return {
    ...registered,
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): Promise<unknown> {
      const { target } = event
      const text = taken(form, name, target.value)
      if (text !== target.value) target.value = text
      return Promise.resolve(registered.onChange(event))
    },
  }
}

/** A date entered as dd/MM/yyyy and stored as ISO. */
export function DayInput<Values extends FieldValues>({
  form,
  name,
  fault,
  ...more
}: InputProps<Values> & { readonly min?: string }) {
  const { field, fieldState } = useController({ control: form.control, name })
  return (
    <DateField
      {...more}
      name={name}
      value={String(field.value ?? '')}
      fault={fieldState.error?.message ?? fault}
      inputRef={field.ref}
      onBlur={field.onBlur}
      onChange={(day) => {
        form.clearErrors(name)
        field.onChange(day)
      }}
    />
  )
}

/** The timing of a claim. The form keeps the choice, but offers and sends only options valid for the claim type. */
export function TimingInput<Values extends FieldValues>({
  form,
  name,
  type,
  label,
  hint,
  fault,
  disabled,
  onChange,
}: InputProps<Values> & {
  readonly type: PredictionType
  readonly onChange?: () => void
}) {
  const { field, fieldState } = useController({ control: form.control, name })
  return (
    <Field {...{ label, hint }} fault={fieldState.error?.message ?? fault}>
      {(control) => (
        <select
          {...control}
          {...field}
          value={timingIn(type, field.value)}
          disabled={disabled}
          onChange={(event) => {
            form.clearErrors(name)
            field.onChange(event)
            onChange?.()
          }}
        >
          {timingOptions(type).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

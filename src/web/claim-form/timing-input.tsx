import { useController, type FieldValues } from 'react-hook-form'
import { timingIn, timingOptions } from '#domain/claim/form-text.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { Field } from '#web/ui/field.tsx'
import { type InputProps } from './inputs.tsx'

/** When a claim must be true. The form keeps what was chosen; only what its type has is offered and sent. */
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
  /** After it has changed. */
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

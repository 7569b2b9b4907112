import { useController, type FieldValues } from 'react-hook-form'
import { DateField } from '#web/ui/date-field.tsx'
import { type InputProps } from './inputs.tsx'

/** A day of a form, as dd/MM/yyyy; the form keeps it as an ISO day. */
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

import { LONGEST_PASSWORD } from '#contracts/admins.ts'
import { Field } from '#web/ui/field.tsx'

/** A password that is not shown while it is typed. */
export function PasswordField({
  label = 'Your password',
  isNew = false,
  hint,
  fault,
  value,
  onChange,
}: {
  readonly label?: string
  /** Being chosen, not asked for: the browser offers to make one. */
  readonly isNew?: boolean
  readonly hint?: string
  readonly fault: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          maxLength={LONGEST_PASSWORD}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

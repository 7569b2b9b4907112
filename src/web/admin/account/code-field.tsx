import { Field } from '#web/ui/field.tsx'

/** A code of an authenticator app. */
export function CodeField({
  hint = 'From your authenticator app, or one of your recovery codes.',
  fault,
  value,
  onChange,
}: {
  readonly hint?: string
  readonly fault: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Field label="Code" hint={hint} fault={fault}>
      {(control) => (
        <input
          {...control}
          autoComplete="one-time-code"
          spellCheck={false}
          required
          maxLength={40}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

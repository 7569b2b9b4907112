import { type ReactNode } from 'react'
import { Field } from './field.tsx'

export function TextField({
  label,
  name,
  value,
  type = 'text',
  rows,
  hint,
  fault,
  optional = false,
  decimal = false,
  required = false,
  maxLength,
  autoComplete = 'off',
  placeholder,
  onChange,
}: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly type?: 'text' | 'url' | 'password'
  readonly rows?: number
  readonly hint?: ReactNode
  readonly fault?: string | undefined
  readonly optional?: boolean
  readonly decimal?: boolean
  readonly required?: boolean
  readonly maxLength?: number | undefined
  readonly autoComplete?: string
  readonly placeholder?: string | undefined
  readonly onChange: (value: string) => void
}) {
  return (
    <Field label={label} hint={hint} fault={fault} optional={optional}>
      {(control) =>
        rows === undefined ? (
          <input
            {...control}
            name={name}
            type={type}
            autoComplete={autoComplete}
            placeholder={placeholder}
            spellCheck={false}
            required={required}
            maxLength={maxLength}
            value={value}
            {...(decimal ? { inputMode: 'decimal' } : {})}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <textarea
            {...control}
            name={name}
            rows={rows}
            placeholder={placeholder}
            spellCheck={false}
            required={required}
            maxLength={maxLength}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

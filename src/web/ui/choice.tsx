import { type ReactNode } from 'react'
import { Field } from './field.tsx'

export function Choice<Value extends string>({
  label,
  name,
  value,
  options,
  hint,
  fault,
  disabled = false,
  onChange,
}: {
  readonly label: string
  readonly name: string
  readonly value: Value
  readonly options: readonly (readonly [Value, string])[]
  readonly hint?: ReactNode
  readonly fault?: string | undefined
  readonly disabled?: boolean
  readonly onChange: (value: Value) => void
}) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(control) => (
        <select
          {...control}
          name={name}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            const chosen = options.find(([one]) => one === event.target.value)
            if (chosen) onChange(chosen[0])
          }}
        >
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

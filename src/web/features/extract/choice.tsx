import { Field } from '#web/ui/field.tsx'
import { type DecisionField } from './decision.ts'

/** A field of the decision with a list to choose from. */
export function Choice<Key extends string>({
  name,
  options,
  names,
  value,
  disabled,
  onChoose,
  ...field
}: {
  readonly label: string
  readonly fault: string | undefined
  readonly hint: string | undefined
  readonly name: DecisionField
  readonly options: readonly Key[]
  readonly names?: Readonly<Record<Key, string>>
  readonly value: Key
  readonly disabled: boolean
  readonly onChoose: (key: Key) => void
}) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          name={name}
          disabled={disabled}
          value={value}
          onChange={({ target }) => {
            const key = options.find((one) => one === target.value)
            if (key !== undefined) onChoose(key)
          }}
        >
          {options.map((key) => (
            <option key={key} value={key}>
              {names?.[key] ?? key}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

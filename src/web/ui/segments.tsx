import css from './segments.module.css'

/** One of a few choices, side by side. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  /** What is chosen, for a screen reader. */
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}) {
  return (
    <div className={css.segments} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={css.segment}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}

import { type ComponentProps } from 'react'
import { Icon } from './icon.tsx'
import control from './field.module.css'
import css from './search-field.module.css'
import { classNames } from './class-names.ts'

export function SearchField({
  label,
  value,
  onChange,
  field,
}: {
  /** Shown inside while empty, and its name. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What else the input has, such as the list that it leads. */
  readonly field?: ComponentProps<'input'>
}) {
  return (
    <label className={css.field}>
      <span className={css.sign}>
        <Icon name="search" size={18} />
      </span>
      <input
        className={classNames(control.control, css.input)}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...field}
      />
    </label>
  )
}

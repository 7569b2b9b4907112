import { classNames } from './class-names.ts'
import css from './tick.module.css'

export function Tick({
  label,
  checked,
  className,
  onChange,
}: {
  readonly label: string
  readonly checked: boolean
  readonly className?: string | undefined
  readonly onChange: (checked: boolean) => void
}) {
  return (
    <label className={classNames(css.tick, className)}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

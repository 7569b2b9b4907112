import { useId, type ReactNode } from 'react'
import css from './field.module.css'
import { Text } from './text.tsx'

/** The properties that tie a control to its label, hint and error message. */
export type FieldControl = {
  readonly id: string
  readonly className: string | undefined
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

export function Field({
  label,
  optional = false,
  hint,
  fault,
  children,
}: {
  readonly label: string
  readonly optional?: boolean
  readonly hint?: ReactNode
  readonly fault?: string | undefined
  readonly children: (control: FieldControl) => ReactNode
}) {
  const id = useId()
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`]
  const described = [hint ? hintId : null, fault ? faultId : null].filter(Boolean).join(' ')
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
        {optional && <span className={css.optional}> optional</span>}
      </label>
      {children({
        id,
        className: css.control,
        'aria-invalid': fault !== undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint && (
        <Text tone="quiet" size="small" id={hintId}>
          {hint}
        </Text>
      )}
      {fault && (
        <Text tone="bad" size="small" strong id={faultId} role="alert">
          {fault}
        </Text>
      )}
    </div>
  )
}

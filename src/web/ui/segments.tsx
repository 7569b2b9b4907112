import { type ReactNode } from 'react'
import css from './segments.module.css'

export function Segments({
  label,
  children,
}: {
  readonly label: string
  readonly children: ReactNode
}) {
  return (
    <div className={css.segments} role="group" aria-label={label}>
      {children}
    </div>
  )
}

export function Segment({
  pressed,
  onPress,
  children,
}: {
  readonly pressed: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className={css.segment} aria-pressed={pressed} onClick={onPress}>
      {children}
    </button>
  )
}

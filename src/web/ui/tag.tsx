import { type ReactNode } from 'react'
import css from './tag.module.css'

export type TagTone = 'bad' | 'good' | 'wait'

/** A word or two about a row, such as its state. */
export function Tag({
  tone,
  children,
}: {
  readonly tone?: TagTone | undefined
  readonly children: ReactNode
}) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  )
}

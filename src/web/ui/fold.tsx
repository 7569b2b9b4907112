import { type ReactNode } from 'react'
import css from './fold.module.css'

/** What is shown once its title is pressed. */
export function Fold({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <details className={css.fold}>
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  )
}

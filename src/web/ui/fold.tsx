import { type ReactNode } from 'react'
import css from './fold.module.css'

/** What is shown once its title is pressed. */
export function Fold({
  title,
  isOpen = false,
  onOpen,
  children,
}: {
  readonly title: string
  /** Whether it is shown from the start. */
  readonly isOpen?: boolean
  /** Called when it opens. */
  readonly onOpen?: () => void
  readonly children: ReactNode
}) {
  return (
    <details
      className={css.fold}
      open={isOpen}
      onToggle={onOpen && (({ currentTarget }) => currentTarget.open && onOpen())}
    >
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  )
}

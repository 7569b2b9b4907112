import { type ReactNode } from 'react'
import css from './fold.module.css'

export function Fold({
  title,
  isOpen = false,
  onOpen,
  children,
}: {
  readonly title: string
  readonly isOpen?: boolean
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

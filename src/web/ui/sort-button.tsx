import { type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import css from './sort-button.module.css'

/** The name of a column; pressing it sorts the rows by it. */
export function SortButton({
  dir,
  onClick,
  children,
}: {
  /** How the rows are sorted by this column; null when they are sorted by another. */
  readonly dir: 'asc' | 'desc' | null
  readonly onClick: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className={css.sort} data-dir={dir ?? undefined} onClick={onClick}>
      <span>{children}</span>
      <Icon name={dir ? 'arrow-up' : 'sort'} size={14} />
    </button>
  )
}

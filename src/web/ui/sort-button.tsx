import { type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import css from './sort-button.module.css'

export function SortButton({
  dir,
  onClick,
  children,
}: {
  /** Current direction; null if sorted by another column. */
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

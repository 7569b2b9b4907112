import { type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import css from './sort-button.module.css'

/** For the header cell around the button. */
export const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

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

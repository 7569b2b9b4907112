import { type ReactNode } from 'react'
import { showCount } from '#domain/price-text.ts'
import css from './chip.module.css'

/** A filter that is on or off, with how many entries match it. */
export function Chip({
  pressed,
  count,
  onPress,
  children,
}: {
  readonly pressed: boolean
  readonly count?: number | null
  readonly onPress: () => void
  readonly children: ReactNode
}) {
  return (
    <button type="button" className={css.chip} aria-pressed={pressed} onClick={onPress}>
      {children}{' '}
      {count !== undefined && count !== null && (
        <span className={css.count}>{showCount(count)}</span>
      )}
    </button>
  )
}

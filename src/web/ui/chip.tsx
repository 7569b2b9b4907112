import { type ReactNode } from 'react'
import { showCount } from '#domain/price-text.ts'
import css from './chip.module.css'
import { type ReportState } from '#domain/report.ts'

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

export type TagTone = 'bad' | 'good' | 'wait'

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

export const REPORT_TONES: Readonly<Record<ReportState, TagTone | undefined>> = {
  open: 'wait',
  accepted: 'good',
  declined: undefined,
}

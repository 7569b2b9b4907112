import { type ReactNode } from 'react'
import { showCount } from '#domain/price-text.ts'
import { type ReportState } from '#domain/report.ts'
import css from './chip.module.css'

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
      {count !== undefined && count !== null && <span className="regular">{showCount(count)}</span>}
    </button>
  )
}

/** A choice of one option. */
export function Segments<Value extends string | boolean | null>({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string
  readonly options: readonly (readonly [Value, ReactNode])[]
  readonly value: NoInfer<Value> | null
  readonly onChoose: (value: NoInfer<Value>) => void
}) {
  return (
    <div className={`${css.segments} card clipped`} role="group" aria-label={label}>
      {options.map(([one, name]) => (
        <button
          key={String(one)}
          type="button"
          className={`${css.segment} inner-ring`}
          aria-pressed={one === value}
          onClick={() => onChoose(one)}
        >
          {name}
        </button>
      ))}
    </div>
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
    <span className="pill small semibold nowrap" data-tone={tone}>
      {children}
    </span>
  )
}

export const REPORT_TONES: Readonly<Record<ReportState, TagTone | undefined>> = {
  open: 'wait',
  accepted: 'good',
  declined: undefined,
}

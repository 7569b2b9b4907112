import { type ReactNode } from 'react'
import { type ReportState } from '#domain/report.ts'
import css from './tag.module.css'

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

import { REPORT_STATE_NAMES, type ReportState } from '#domain/report.ts'
import { Tag, type TagTone } from './tag.tsx'

const TONES: Readonly<Record<ReportState, TagTone | undefined>> = {
  open: 'wait',
  accepted: 'good',
  declined: undefined,
}

export function ReportStateTag({ state }: { readonly state: ReportState }) {
  return <Tag tone={TONES[state]}>{REPORT_STATE_NAMES[state]}</Tag>
}

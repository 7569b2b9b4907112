import { typeMeaning } from '#domain/claim/form-text.ts'
import { labelOf } from '#domain/claim/text.ts'
import { type PredictionType, claimType } from '#domain/claim/fields.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { ClaimSign } from '#web/ui/claim-sign.tsx'
import css from './badges.module.css'
import { STATUS_NAMES } from './row-texts.ts'
import { Tag } from '#web/ui/tag.tsx'

const TONES = { pending: 'wait', approved: 'good', rejected: 'bad', unpaid: undefined } as const

export function StatusBadge({ status }: { readonly status: SubmissionStatus }) {
  return <Tag tone={TONES[status]}>{STATUS_NAMES[status]}</Tag>
}

/** The kind of a claim, by its sign and its word; what it means is shown on hover. */
export function TypeBadge({ type }: { readonly type: PredictionType }) {
  return (
    <span className={css.type} title={typeMeaning(type)}>
      <ClaimSign type={claimType(type)} />
      {labelOf(type)}
    </span>
  )
}

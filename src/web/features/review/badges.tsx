import { typeMeaning } from '#domain/claim/form-text.ts'
import { labelOf } from '#domain/claim/text.ts'
import { type PredictionType, claimType } from '#domain/claim/fields.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { ClaimSign } from '#web/ui/claim-sign.tsx'
import css from './badges.module.css'
import { STATUS_NAMES } from './row-texts.ts'

export function StatusBadge({ status }: { readonly status: SubmissionStatus }) {
  return (
    <span className={css.status} data-status={status}>
      {STATUS_NAMES[status]}
    </span>
  )
}

/** The kind of a claim, by its sign and its word; what it means is told on hover. */
export function TypeBadge({ type }: { readonly type: PredictionType }) {
  return (
    <span className={css.type} title={typeMeaning(type)}>
      <ClaimSign type={claimType(type)} />
      {labelOf(type)}
    </span>
  )
}

import { type ReportState } from '#domain/report.ts'
import { type RejectionReason } from '#domain/rejection.ts'

/** How claims got into the record, counted from it. */
export type Selection = {
  /** Submissions that are published, those that were rejected, and those that wait for a person. */
  readonly accepted: number
  readonly rejected: number
  readonly waiting: number
  /** The day of the first decision, as 2026-10-01; null before it. */
  readonly since: string | null
  /** Rejected ones by reason, most often first; null for words of the administrator's own. */
  readonly reasons: readonly { readonly reason: RejectionReason | null; readonly count: number }[]
  /** Reported errors, by what became of them. */
  readonly reports: Readonly<Record<ReportState, number>>
  /** Predictions on record that were never submitted: they came in files. */
  readonly imported: number
  /** Who runs the site, and what they hold; null where that is not stated. */
  readonly operator: Operator
}

export type Operator = {
  readonly name: string | null
  readonly holdings: string | null
}

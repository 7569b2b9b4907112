import { type SubmissionRow } from '#contracts/review.ts'

/** Where other tools go on with a submission. */
export type DetailLinks = {
  /** A post about it is written. */
  readonly post: (row: SubmissionRow) => string
  /** The prediction it became is corrected. */
  readonly correction: (predictionId: string) => string
}

import { type SubmissionRow } from '#contracts/review.ts'

/** Where other tools go on with a submission. */
export type DetailLinks = {
  /** A post about it is written; null for who may not post. */
  readonly post: ((row: SubmissionRow) => string) | null
  /** The prediction it became is corrected; null for who may not. */
  readonly correction: ((predictionId: string) => string) | null
}

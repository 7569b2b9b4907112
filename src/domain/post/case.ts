import { readPostDate, type ReadingFields } from './reading-fields.ts'
import { type PostDate } from './period.ts'

/**
 * A post of our own wording; what a careful reader takes from it, as `readingLine` writes it; and when it was posted
 * (`CASE_POSTED` unless told).
 */
export type Case = readonly [text: string, expected: string, posted?: string | null]

/** A Tuesday. */
const CASE_POSTED = '2026-03-10'

export function postedOf([, , posted = CASE_POSTED]: Case): PostDate | null {
  return posted === null ? null : readPostDate(posted)
}

/** `btc range 100000-120000 2026-12-31`, with `-` for no deadline; `none` without a prediction. */
export function readingLine(fields: ReadingFields): string {
  if (!fields.has_prediction) return 'none'
  const { asset_type, prediction_type, price_target, price_min, price_max, target_time } = fields
  const levels = [price_target, price_min, price_max].filter((usd) => usd !== null)
  return [asset_type, prediction_type, levels.join('-'), target_time ?? '-'].join(' ')
}

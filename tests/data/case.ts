import { levelsOf } from '#domain/claim/claim.ts'
import { isoDay } from '#domain/day.ts'
import { type PostReading } from '#domain/posts/post-reading.ts'
import { readPostDate } from '#domain/posts/reading-fields.ts'
import { type PostDate } from '#domain/posts/period.ts'

/**
 * A post of our own wording; what a careful reader takes from it, as `readingLine` writes it; and when it was posted
 * (`CASE_POSTED` unless given).
 */
export type Case = readonly [text: string, expected: string, posted?: string | null]

/** A Tuesday. */
const CASE_POSTED = '2026-03-10'

export function postedOf([, , posted = CASE_POSTED]: Case): PostDate | null {
  return posted === null ? null : readPostDate(posted)
}

/** `btc range 100000-120000 2026-12-31`, with `-` for no deadline; `none` without a prediction. */
export function readingLine(reading: PostReading): string {
  if (!reading.found) return 'none'
  const { asset, claim, by } = reading.prediction
  const { min, max } = levelsOf(claim)
  const levels = [...new Set([min, max])].join('-')
  return [asset, claim.type, levels, by === null ? '-' : isoDay(by)].join(' ')
}

/** The line with what the words say besides: `at_end` or `throughout` where it is not the default, `up` or `down`. */
export function fullLine(reading: PostReading): string {
  if (!reading.found) return 'none'
  const { timing, direction } = reading.prediction.claim
  return [readingLine(reading), timing, direction].filter((one) => one !== undefined).join(' ')
}

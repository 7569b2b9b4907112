// First, before any schema is made.
import './without-eval.ts'
import { ranges } from '#contracts/ranges.ts'
import { type AssetKey } from '#domain/asset.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import { type RangedDay } from '#chart/ranges.ts'
import { call } from './call.ts'

/**
 * Fetches the days of an asset of which more than the close is known, oldest first.
 *
 * @param past the day as of which they are asked for; null for now
 */
export async function fetchRanges(
  asset: AssetKey,
  [from, to]: readonly [Day, Day],
  past: Day | null,
  signal: AbortSignal,
): Promise<readonly RangedDay[]> {
  const asOf = past === null ? {} : { as_of: isoDay(past) }
  const query = { from: isoDay(from), to: isoDay(to), ...asOf }
  const rows = await call(ranges, { params: { asset }, query, signal })
  return rows.map(({ date, ...usd }) => ({ day: day(date), ...usd }))
}

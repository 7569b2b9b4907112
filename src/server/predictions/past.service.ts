import { type PastPredictionRow } from '#contracts/past.ts'
import { addDays, showDay, type Day } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { predictionRow } from './wire.ts'

/**
 * One prediction as of the end of a past day, without what came to the record later.
 *
 * @throws AppError `not_found` where it was not made by then, `invalid` for a day that is not over
 */
export async function pastPredictionOf(
  record: PublicRecord,
  id: string,
  day: Day,
): Promise<PastPredictionRow> {
  const yesterday = addDays(record.today(), -1)
  if (day > yesterday) {
    const fault = `${showDay(day)} is not over yet. Past days are known up to ${showDay(yesterday)}.`
    throw failure('invalid', `day: ${fault}`, { day: fault })
  }
  const [one] = await record.list({ ids: [id], asOf: day })
  if (!one) throw failure('not_found', 'There is no prediction at this address.')
  const {
    created_at: _createdAt,
    quote: _quote,
    vote_score: _voteScore,
    source_url: _sourceUrl,
    sources: _sources,
    only_reposts: _onlyReposts,
    odds: _odds,
    ...row
  } = predictionRow(one)
  return row
}

import { type AssetPredictionRow, type VerdictRow } from '#contracts/predictions.ts'
import { fieldsOfClaim } from '#domain/claim/fields.ts'
import { showClaim } from '#domain/claim/text.ts'
import { deadlinePrecision, isoDay } from '#domain/day.ts'
import { type StoredPrediction } from './predictions.rows.ts'

/** A prediction as calls send it, with the names of both shapes of public-site.md §7. */
export function predictionRow(
  stored: StoredPrediction,
  splitFactor: number,
  verdicts: { touch: VerdictRow; close: VerdictRow },
): AssetPredictionRow {
  const { expert } = stored
  const fields = fieldsOfClaim(stored.said)
  const made = isoDay(stored.made)
  const target = isoDay(stored.by)
  const { outcome } = verdicts.touch
  return {
    id: stored.id,
    asset_type: stored.asset,
    influencer_id: expert.id,
    influencer: {
      id: expert.id,
      name: expert.name,
      slug: expert.slug,
      score: expert.score,
      is_firm: expert.isFirm,
      x_handle: expert.handle,
    },
    influencer_name: expert.name,
    influencer_score: expert.score,
    price_prediction: showClaim(stored.said),
    ...fields,
    target_price: fields.price_target,
    target_time: target,
    start_date: stored.from === null ? null : isoDay(stored.from),
    end_date: target,
    prediction_date: made,
    prediction_made: made,
    made_precision: stored.madePrecision,
    target_precision: deadlinePrecision(stored.by, stored.byPrecision),
    deadline_assumed: stored.deadlineAssumed,
    success_status: outcome === 'hit' ? 'success' : outcome === 'miss' ? 'miss' : 'pending',
    quote: stored.summary,
    notes: stored.summary,
    source_url: stored.sourceUrl,
    vote_score: stored.voteScore,
    created_at: new Date(stored.createdAt).toISOString(),
    exclude_from_chart: stored.excludeFromChart,
    chart_value: stored.chartValue,
    split_factor: splitFactor,
    verdicts,
  }
}

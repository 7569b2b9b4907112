import { oddsRow, sourceRow, verdictRow } from '#contracts/prediction-wire.ts'
import {
  type AssetPredictionRow,
  type HistoryRow,
  type PredictionRow,
} from '#contracts/predictions.ts'
import { fieldsOfClaim } from '#domain/claim/fields.ts'
import { isKnownFromReposts, sourceUrlOf } from '#domain/claim/source.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay } from '#domain/day.ts'
import { type Outcome, type Verdict } from '#domain/judging/verdict.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'

/** Rows kept: of a large record a page shows few, and all of them would be most of what memory holds. */
const MOST_KEPT = 3_000

let made = new WeakMap<JudgedPrediction, PredictionRow>()
let kept = 0

/** A prediction as calls send it (public-site.md §7). Each row is made once, as many visitors ask for the same. */
export function predictionRow(prediction: JudgedPrediction): PredictionRow {
  const known = made.get(prediction)
  if (known) return known
  const row = rowOf(prediction)
  kept += 1
  if (kept > MOST_KEPT) [made, kept] = [new WeakMap(), 1]
  made.set(prediction, row)
  return row
}

function rowOf(prediction: JudgedPrediction): PredictionRow {
  const { expert, said, from, verdicts, odds } = prediction
  const day = isoDay(prediction.made)
  const target = isoDay(prediction.by)
  return {
    id: prediction.id,
    asset_type: prediction.asset,
    influencer_id: expert.id,
    influencer: {
      id: expert.id,
      name: expert.name,
      slug: expert.slug,
      score: expert.score,
      is_firm: expert.isFirm,
      x_handle: expert.handle,
    },
    price_prediction: showClaim(said),
    ...fieldsOfClaim(said),
    target_time: target,
    start_date: from === null ? null : isoDay(from),
    end_date: target,
    prediction_date: day,
    prediction_made: day,
    made_precision: prediction.madePrecision,
    target_precision: prediction.byPrecision,
    deadline_assumed: prediction.deadlineAssumed,
    success_status: successStatus(verdicts.touch.outcome),
    quote: prediction.summary,
    source_url: sourceUrlOf(prediction.sources),
    sources: prediction.sources.map(sourceRow),
    only_reposts: isKnownFromReposts(prediction.sources),
    vote_score: prediction.voteScore,
    created_at: prediction.createdAt,
    exclude_from_chart: prediction.excludeFromChart,
    chart_value: prediction.chartValue,
    split_factor: prediction.splitFactor,
    verdicts: verdictRows(verdicts),
    ...(odds && { odds: { touch: oddsRow(odds.touch), close: oddsRow(odds.close) } }),
  }
}

/** The same with the second names that the stock and token calls add. */
export function assetPredictionRow(prediction: JudgedPrediction): AssetPredictionRow {
  const row = predictionRow(prediction)
  return {
    ...row,
    influencer_name: row.influencer.name,
    influencer_score: row.influencer.score,
    target_price: row.price_target,
    notes: row.quote,
  }
}

/** The outcome by the three words of public-site.md §3: a void prediction counts as pending. */
export function successStatus(outcome: Outcome): PredictionRow['success_status'] {
  return outcome === 'hit' ? 'success' : outcome === 'miss' ? 'miss' : 'pending'
}

export function verdictRows(verdicts: JudgedPrediction['verdicts']): PredictionRow['verdicts'] {
  return { touch: verdictRow(verdicts.touch), close: verdictRow(verdicts.close) }
}

/** What happened to a prediction, as calls send it. */
export function historyRows(
  history: readonly (Omit<HistoryRow, 'verdict'> & { readonly verdict: Verdict | null })[],
): HistoryRow[] {
  return history.map(({ at, kind, text, verdict }) => ({
    at,
    kind,
    text,
    verdict: verdict && verdictRow(verdict),
  }))
}

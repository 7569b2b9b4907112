import { type ListedRow } from '#contracts/dashboard.ts'
import { oddsRow, sourceRow, verdictRow } from '#contracts/prediction-wire.ts'
import {
  type AssetPredictionRow,
  type HistoryRow,
  type PredictionRow,
} from '#contracts/predictions.ts'
import { fieldsOfClaim } from '#domain/claim/fields.ts'
import { isKnownFromReposts, sourceUrlOf } from '#domain/claim/source.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { byMode, type Outcome, type Verdict } from '#domain/judging/verdict.ts'
import { cardLine } from '#domain/scoring/score-text.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'

/** A prediction in the API's format (public-site.md §7). */
export function predictionRow(prediction: JudgedPrediction): PredictionRow {
  const { expert, statedClaim, from, verdicts, odds } = prediction
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
    price_prediction: showClaim(statedClaim),
    ...fieldsOfClaim(statedClaim),
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
    repeats: prediction.repeats ?? null,
    created_at: prediction.createdAt,
    exclude_from_chart: prediction.excludeFromChart,
    chart_value: prediction.chartValue,
    split_factor: prediction.splitFactor,
    verdicts: verdictRows(verdicts),
    ...(odds && { odds: byMode((mode) => oddsRow(odds[mode])) }),
  }
}

/** A prediction for lists. @param today the day as of which it is shown */
export function listedRow(prediction: JudgedPrediction, today: Day): ListedRow {
  const { expert, statedClaim, from, made, by } = prediction
  const verdicts = byMode((mode): ListedRow['verdicts']['touch'] => {
    const { outcome, reason, day, level, direction, bar } = prediction.verdicts[mode]
    return {
      outcome,
      reason,
      date: day === null ? null : isoDay(day),
      level_min: level.min,
      level_max: level.max,
      direction,
      close: bar?.close ?? null,
      sentence: verdictSentence(prediction, mode),
      line: cardLine(prediction, mode, today),
    }
  })
  return {
    id: prediction.id,
    influencer: { name: expert.name, slug: expert.slug, x_handle: expert.handle },
    ...fieldsOfClaim(statedClaim),
    target_time: isoDay(by),
    start_date: from === null ? null : isoDay(from),
    prediction_made: isoDay(made),
    made_precision: prediction.madePrecision,
    target_precision: prediction.byPrecision,
    deadline_assumed: prediction.deadlineAssumed,
    exclude_from_chart: prediction.excludeFromChart,
    chart_value: prediction.chartValue,
    split_factor: prediction.splitFactor,
    verdicts,
  }
}

/** Adds the alternative names used by the calls for stock and token. */
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

/** One of the three words in public-site.md §3: a void prediction counts as pending. */
export function successStatus(outcome: Outcome): PredictionRow['success_status'] {
  return outcome === 'hit' ? 'success' : outcome === 'miss' ? 'miss' : 'pending'
}

export function verdictRows(verdicts: JudgedPrediction['verdicts']): PredictionRow['verdicts'] {
  return byMode((mode) => verdictRow(verdicts[mode]))
}

export function historyRows(
  history: readonly (Omit<HistoryRow, 'verdict'> & { readonly verdict: Verdict | null })[],
): HistoryRow[] {
  return history.map((row) => ({ ...row, verdict: row.verdict && verdictRow(row.verdict) }))
}

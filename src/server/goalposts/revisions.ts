import { type GoalpostsRow } from '#contracts/predictions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay, showTimeBetween } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'
import { reachedAfterIn, revisionChains, type RevisionChain } from '#domain/scoring/revisions.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type StoredDecision } from './revision-decisions.rows.ts'

type Chain = RevisionChain<JudgedPrediction>

/** The revisions of what is on record, as of one moment. */
export type Revisions = {
  /** The longest delay first. */
  readonly chains: readonly Chain[]
  /** By each prediction of a chain. */
  readonly byId: ReadonlyMap<string, Chain>
  /** What they follow from; of all predictions, withdrawn ones too. */
  readonly decisions: readonly StoredDecision[]
}

/** @param predictions those that count, of all assets */
export function revisionsOf(
  predictions: readonly JudgedPrediction[],
  seriesOf: (asset: AssetKey) => Series | null,
  decisions: readonly StoredDecision[],
): Revisions {
  const chains = revisionChains(predictions, decisions, reachedAfterIn(seriesOf))
  const byId = new Map(chains.flatMap((chain) => chain.calls.map(({ id }) => [id, chain] as const)))
  return { chains, byId, decisions }
}

/** A chain as calls send it. */
export function goalpostsRow({ calls, links, days }: Chain): GoalpostsRow {
  const last = calls.at(-1) ?? calls[1]
  return {
    delay_days: days,
    delay: showTimeBetween(calls[0].by, last.by),
    calls: calls.map((call, i) => ({
      id: call.id,
      price_prediction: showClaim(call.said),
      prediction_made: isoDay(call.made),
      made_precision: call.madePrecision,
      target_time: isoDay(call.by),
      target_precision: call.byPrecision,
      outcome: call.verdicts.touch.outcome,
      link: links[i - 1] ?? null,
    })),
  }
}
